package io.github.sparkgpusched.it.sql;

import static io.github.sparkgpusched.it.sql.Query.batched;
import static io.github.sparkgpusched.it.sql.Query.mixed;
import static io.github.sparkgpusched.it.sql.Query.rowWise;

import java.util.ArrayList;
import java.util.List;

/** Every place where a call may stand in a query over {@link Tables}. */
final class Queries {
  private static final String LAMBDA = "because it stands in the lambda of a higher-order function";
  private static final String OUTER = "because it refers to both sides of a ";

  private Queries() {}

  static List<Query> all() {
    List<Query> all = new ArrayList<>();
    all.addAll(selections());
    all.addAll(aggregates());
    all.addAll(joins());
    all.addAll(windowsAndOrders());
    all.addAll(subqueries());
    all.addAll(sets());
    all.addAll(generators());
    all.addAll(conditions());
    return all;
  }

  private static List<Query> selections() {
    return List.of(
        batched("select", "select id, inc(x) from t"),
        batched("null arguments", "select id, inc(y), add(x, y), add(y, x) from t"),
        batched("literal argument", "select id, add(x, 2d), add(1d, cast(null as double)) from t"),
        batched("expression argument", "select id, inc(x * 2 - k) from t"),
        batched("in an expression", "select id, inc(x) * 2 + inc(y) from t"),
        batched("nested", "select id, add(inc(x), y) from t"),
        batched("deeply nested", "select id, inc(add(inc(inc(x)), add(x, inc(y)))) from t"),
        batched("same call twice", "select inc(x), inc(x) + 1, add(inc(x), inc(x)) from t"),
        batched("strings", "select shout(s), shout(concat(s, 'é')), shout(shout(s)) from t"),
        batched("arrays", "select id, total(a), total(array(x, y)) from t"),
        batched("cast argument", "select id, inc(cast(k as double)), inc(double(k)) from t"),
        batched("in a struct", "select named_struct('v', inc(x), 'w', shout(s)) from t"),
        batched("in a map", "select map('v', inc(x)) from t"),
        batched("field of a struct", "select inc(st.x), shout(st.name), inc(m['x']) from t"),
        batched(
            "random argument", "select count(*) from (select inc(rand()) v from t) where v > 0"),
        batched("row numbers", "select id, inc(monotonically_increasing_id() * 0d) from t"),
        batched("star", "select *, inc(x) from t"),
        batched("where", "select id from t where is_big(x)"),
        batched("where not", "select id from t where not is_big(y)"),
        batched("where, mixed", "select id, x from t where k > 2 and is_big(x) and i < 9"),
        batched("where, two calls", "select id from t where is_big(x) and inc(y) < 300"),
        batched("where and select", "select id, inc(x) from t where inc(x) > 20 and x < 90"),
        batched("where nested", "select id from t where is_big(add(inc(x), y))"),
        batched("where in", "select id from t where inc(x) in (3, 5, 7, 100)"),
        batched("where between", "select id from t where inc(x) between x and 50"),
        batched("where like", "select id from t where shout(s) like '%1!'"),
        batched("where null", "select id from t where inc(y) is null"),
        batched("limit", "select inc(x) from (select * from t order by id limit 20)"),
        batched(
            "case without calls in its conditions", "select case k when 1 then inc(x) end from t"),
        // With a random conjunct before it, a call cannot be computed beforehand on the same rows.
        rowWise(
            "where, after a random conjunct",
            "select id from t where rand() * 2 >= 0 and is_big(x)",
            "because it is evaluated only if a non-deterministic part of"),
        rowWise(
            "non-deterministic",
            "select id, inc_anew(x) from t",
            "because it is registered as non-deterministic"),
        rowWise(
            "never null",
            "select id, inc_filled(x) from t",
            "because it is registered as never null"));
  }

  private static List<Query> aggregates() {
    return List.of(
        batched("sum", "select sum(inc(x)), avg(inc(x)), count(inc(y)) from t"),
        batched("sum by key", "select k, sum(inc(x)), max(shout(s)) from t group by k"),
        batched("sum with filter", "select sum(inc(x)) filter (where k > 2) from t"),
        batched("call in filter", "select k, sum(x) filter (where is_big(x)) from t group by k"),
        batched("distinct", "select count(distinct bucket(id)) from t"),
        batched("two distincts", "select count(distinct bucket(id)), sum(distinct inc(x)) from t"),
        batched(
            "distinct with filter",
            "select count(distinct bucket(id)) filter (where k > 2), sum(distinct inc(x)) from t"),
        batched("key", "select bucket(id), count(*) from t group by bucket(id)"),
        batched("key not selected", "select count(*) from t group by bucket(id)"),
        batched("keys", "select bucket(id), k, sum(x) from t group by bucket(id), k"),
        batched("over a key", "select bucket(k), sum(x) from t group by k"),
        batched("key in a call", "select bucket(bucket(id)), count(*) from t group by bucket(id)"),
        batched(
            "grouping sets",
            "select bucket(id) b, k, sum(inc(x)) from t"
                + " group by grouping sets ((bucket(id)), (k), ())"),
        batched("rollup", "select bucket(id), k, count(*) from t group by rollup (bucket(id), k)"),
        batched("cube", "select bucket(id), k, sum(x) from t group by cube (bucket(id), k)"),
        batched("over a sum", "select k, inc(sum(x)) from t group by k"),
        batched("over a sum, no key", "select inc(sum(x)), add(max(x), min(y)) from t"),
        batched("around and inside", "select k, inc(sum(inc(x))), sum(inc(x)) from t group by k"),
        batched("over two sums", "select add(sum(x), sum(y)) + bucket(k) from t group by k"),
        batched(
            "conditions over aggregates",
            "select k, case when count(*) > 28 then sum(inc(x)) end, if(max(x) > 3, max(inc(y)), 0d),"
                + " coalesce(max(y) filter (where x < 0), max(inc(y)), 1d),"
                + " max(x) > 3 and max(inc(x)) > 5 from t group by k"),
        batched(
            "calls of a condition over aggregates",
            "select case when sum(inc(x)) <> 0 then sum(inc(y)) filter (where is_big(x)) / sum(inc(x)) end from t"),
        batched("having", "select k from t group by k having is_big(sum(x))"),
        batched(
            "having, mixed",
            "select k, inc(sum(x)) from t group by k"
                + " having inc(sum(x)) > 2800 and count(*) > 3"),
        batched("order by a sum", "select k from t group by k order by inc(sum(x)) desc, k"),
        batched(
            "pivot",
            "select * from (select k, z, inc(x) v from t)"
                + " pivot (sum(v) for z in (0, 1, 2, 3))"),
        batched("collected", "select k, sort_array(collect_list(inc(x))) from t group by k"),
        batched("distinct rows", "select distinct bucket(id), inc(x % 7) from t"));
  }

  private static List<Query> joins() {
    List<Query> queries = new ArrayList<>();
    for (String kind : List.of("inner", "left", "right", "full", "left semi", "left anti")) {
      String columns = kind.startsWith("left ") ? "t.id" : "t.id, u.uid";
      String from = "select " + columns + " from t " + kind + " join u on ";
      queries.add(batched(kind + " join keys", from + "inc(t.x) = inc(u.x)"));
      queries.add(batched(kind + " join key", from + "inc(t.x) = u.x + 1"));
      queries.add(batched(kind + " join string key", from + "shout(t.s) = u.w and t.k = u.k"));
      queries.add(batched(kind + " join, one-sided", from + "t.k = u.k and is_big(t.x)"));
      queries.add(batched(kind + " join, other side", from + "t.k = u.k and is_big(u.x)"));
      String both = from + "t.k = u.k and is_big(add(t.x, u.x))";
      queries.add(
          kind.equals("inner")
              ? batched("inner join, both sides", both)
              : rowWise(kind + " join, both sides", both, OUTER));
    }
    queries.add(
        batched("cross join, both sides", "select id, uid from t, u where add(t.x, u.x) = 90"));
    queries.add(
        batched(
            "or over both sides",
            "select id, uid from t join u on t.k = u.k" + " where is_big(t.x) or is_big(u.x)"));
    queries.add(
        mixed(
            "left join, one and both sides",
            "select id, uid from t left join u" + " on inc(t.x) = inc(u.x) and add(t.x, u.x) > 10",
            OUTER));
    queries.add(batched("above a join", "select add(t.x, u.x) from t join u on t.k = u.k"));
    queries.add(
        batched("above an outer join", "select id, inc(u.x), uid from t left join u on t.x = u.x"));
    queries.add(
        batched(
            "broadcast",
            "select /*+ broadcast(u) */ id, uid from t join u on inc(t.x) = inc(u.x)"));
    queries.add(
        batched(
            "sort-merge", "select /*+ merge(u) */ id, uid from t join u on inc(t.x) = inc(u.x)"));
    queries.add(
        batched(
            "shuffle hash",
            "select /*+ shuffle_hash(u) */ id, uid from t join u on inc(t.x) = inc(u.x)"));
    queries.add(batched("self join", "select a.id, b.id from t a join t b on inc(a.x) = b.x"));
    queries.add(
        batched(
            "using a computed column",
            "select * from (select inc(x) v from t)"
                + " join (select inc(x) v, uid from u) using (v)"));
    return queries;
  }

  private static List<Query> windowsAndOrders() {
    return List.of(
        batched("window argument", "select id, sum(inc(x)) over (partition by k) from t"),
        batched("window partition", "select id, sum(x) over (partition by bucket(id)) from t"),
        batched(
            "window order", "select id, row_number() over (partition by k order by inc(x)) from t"),
        batched(
            "window everywhere",
            "select id, sum(inc(x)) over (partition by bucket(id)"
                + " order by add(x, 1d) rows between 2 preceding and current row) from t"),
        batched("over a window", "select id, inc(sum(x) over (partition by k)) from t"),
        batched(
            "rank limit",
            "select * from (select id, rank() over"
                + " (partition by bucket(id) order by inc(x)) r from t) where r <= 2"),
        batched(
            "window over an aggregate",
            "select k, sum(inc(sum(x))) over (order by k) from t group by k"),
        batched("order by", "select id from t order by inc(x) desc"),
        batched("order by, limit", "select id from t order by inc(x) desc limit 7"),
        batched("order by another", "select inc(x) v from t order by shout(s), v"),
        batched("sort by", "select id from t sort by inc(x)"),
        batched("distribute by", "select id from t distribute by bucket(id)"),
        batched("cluster by", "select id from t cluster by bucket(id)"),
        batched("rebalance", "select /*+ rebalance(v) */ * from (select id, bucket(id) v from t)"));
  }

  private static List<Query> subqueries() {
    return List.of(
        batched("scalar", "select id, (select max(inc(x)) from u) from t"),
        batched("scalar as argument", "select id, add(x, (select max(x) from u)) from t"),
        batched("scalar in where", "select id from t where inc(x) < (select max(inc(x)) from u)"),
        batched(
            "correlated scalar", "select id, (select sum(inc(u.x)) from u where u.k = t.k) from t"),
        batched(
            "correlated, over a count",
            "select id,"
                + " (select inc(cast(count(*) as double)) from u where u.k = t.k and is_big(u.x)) from t"),
        batched(
            "correlated by a call",
            "select id, (select count(*) from u where inc(u.x) = t.x) from t"),
        batched("in", "select id from t where inc(x) in (select x from u)"),
        batched("in, inside", "select id from t where x in (select inc(x) from u)"),
        batched("in, both", "select id from t where inc(x) in (select inc(x) from u)"),
        batched("not in", "select id from t where inc(x) not in (select inc(x) from u)"),
        batched("in, selected", "select id, inc(x) in (select x from u) from t"),
        batched("exists", "select id from t where exists (select 1 from u where inc(u.x) = t.x)"),
        batched(
            "exists, both",
            "select id from t where exists"
                + " (select 1 from u where inc(u.x) = inc(t.x) and is_big(u.x))"),
        batched(
            "not exists",
            "select id from t where not exists" + " (select 1 from u where inc(u.x) = inc(t.x))"),
        rowWise(
            "exists over both",
            "select id from t where exists"
                + " (select 1 from u where u.k = t.k and is_big(add(u.x, t.x)))",
            OUTER),
        batched(
            "correlated in",
            "select id from t where x in"
                + " (select inc(u.x) from u where inc(u.y) > t.k and u.k = t.k)"),
        batched(
            "in an outer join",
            "select id, uid from t left join u on t.k = u.k"
                + " and inc(t.x) in (select inc(x) from u)"),
        batched("in or", "select id from t where inc(x) in (select x from u) or is_big(x)"),
        batched(
            "case over exists",
            "select id, case when exists (select 1 from u where u.x = t.x)"
                + " then inc(x) end from t"),
        batched("lateral", "select t.id, v from t, lateral (select inc(t.x) v)"),
        batched("cte", "with c as (select id, inc(x) v from t) select v from c where v > 10"),
        batched(
            "cte used twice",
            "with c as (select id, inc(x) v from t)"
                + " select a.id from c a join c b on a.v = b.v"),
        batched(
            "nested queries",
            "select inc(v) from (select inc(v) v from (select inc(x) v from t))"));
  }

  private static List<Query> sets() {
    return List.of(
        batched("union all", "select inc(x) from t union all select inc(x) from u"),
        batched("union", "select bucket(id) from t union select bucket(uid) from u"),
        batched("over a union", "select inc(x) from (select x from t union all select x from u)"),
        batched("intersect", "select inc(x) from t intersect select inc(x) from u"),
        batched("except", "select inc(x) from t except select inc(x) from u"),
        batched("range", "select inc(cast(id as double)) from range(0, 100, 1, 3)"),
        batched("values", "select inc(v) from (select explode(array(1d, null, 3d)) v)"),
        batched("no table", "select inc(rand() * 0)"),
        rowWise("untyped null", "select inc(null)", "argument 1 is of type void"),
        batched("zeros in arrays", "select first_of(array(0.0D)), first_of(array(-0.0D))"),
        batched(
            "zeros",
            "select add(x, 0.0D), add(x, -0.0D), add(y - y, -0.0D) from (select -0.0D x, y from t)"),
        batched("literals", "select inc(1d), add(2d, cast(null as double)), shout('é')"),
        batched("local rows", "select inc(v) from values (1d), (null), (3d) as w(v)"),
        batched("filter of local rows", "select v from values (1d), (30d) as w(v) where is_big(v)"),
        batched(
            "cte of local rows",
            "with w as (select * from values (1d), (null), (3d) as w(v)) select inc(v) from w"),
        rowWise(
            "lambda over local rows",
            "select transform(a, e -> inc(e)) from values (array(1d, null)) as w(a)",
            LAMBDA));
  }

  private static List<Query> generators() {
    return List.of(
        batched("explode", "select id, explode(sequence(0, bucket(id))) from t"),
        batched("over explode", "select id, inc(v) from (select id, explode(a) v from t)"),
        batched(
            "lateral view", "select id, v from t lateral view explode(array(inc(x), y)) w as v"),
        batched(
            "outer lateral view",
            "select id, inc(v) from t lateral view outer"
                + " explode(filter(array(x, y), e -> e > 100)) w as v"),
        batched("stack", "select id, stack(2, inc(x), inc(y)) from t"),
        batched("lambda's array", "select transform(array(inc(x), y), e -> e + 1) from t"),
        rowWise("transform", "select transform(array(x, y), e -> inc(e)) from t", LAMBDA),
        rowWise("filter", "select filter(array(x, y), e -> is_big(e)) from t", LAMBDA),
        rowWise("outer column in a lambda", "select transform(a, e -> e + inc(x)) from t", LAMBDA),
        mixed(
            "lambda and its array", "select transform(array(inc(x)), e -> inc(e)) from t", LAMBDA),
        rowWise("fold", "select aggregate(a, 0d, (s, e) -> add(s, e)) from t", LAMBDA));
  }

  private static List<Query> conditions() {
    return List.of(
        batched(
            "case", "select case when k > 3 then inc(x) when k > 1 then inc(y) else 0 end from t"),
        batched("case over calls", "select case when is_big(x) then inc(x) else inc(y) end from t"),
        batched(
            "nested case",
            "select case when k > 1 then"
                + " case when is_big(x) then inc(add(x, y)) else add(x, 1d) end end from t"),
        batched("if", "select if(k > 3, inc(x), inc(y)) from t"),
        batched("coalesce", "select coalesce(inc(y), inc(x)) from t"),
        batched(
            "ifnull, nvl2, nullif",
            "select ifnull(inc(y), inc(x)), nvl2(y, inc(y), inc(x)),"
                + " nullif(inc(x), 5d) from t"),
        batched("nanvl", "select nanvl(inc(x), 0d) from t"),
        batched("and, or", "select k > 3 and is_big(x), k > 3 or is_big(y), not is_big(y) from t"),
        batched("try_add", "select try_add(inc(x), 1d), try_divide(inc(x), z) from t"),
        batched("try_cast", "select try_cast(shout(s) as int) from t"),
        rowWise(
            "try",
            "select try_add(date'2026-01-01', bucket(id)) from t",
            "which catches errors row by row"),
        rowWise(
            "random condition",
            "select case when rand() * 2 >= 0 then inc(x) end from t",
            "because it is evaluated only if a non-deterministic part of"),
        mixed(
            "case, random after",
            "select case when is_big(x) then 1 when rand() * 2 >= 0 then inc(x)" + " end from t",
            "because it is evaluated only if a non-deterministic part of"));
  }
}
