/** Physical plans as event logs have them: which calls are in which part of a plan, and why not. */
package io.github.sparkgpusched.advise.plan;
