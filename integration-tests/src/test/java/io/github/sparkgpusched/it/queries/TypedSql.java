package io.github.sparkgpusched.it.queries;

import io.github.sparkgpusched.it.queries.RandomExpressions.Column;
import java.util.List;

/** A query, or what it reads from, and the columns that it gives. */
record TypedSql(SqlNode node, List<Column> columns) {}
