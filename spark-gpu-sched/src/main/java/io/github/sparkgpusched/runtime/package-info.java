/** What an executor or an application has exactly one of, found by the tasks and the planner. */
package io.github.sparkgpusched.runtime;
