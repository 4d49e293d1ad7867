/** The work-stealing tree of Prokopec and Odersky, in four forms. */
package io.github.sparkgpusched.bench.rivals.tree;
