/**
 * A cluster in virtual time that runs tasks whose times are known, with and without the sharing of
 * cores. Coarser than {@code bench.simulate}: a task is divided into what its own thread must do
 * and what any core can take over, and cores share that as a fluid.
 */
package io.github.sparkgpusched.advise.replay;
