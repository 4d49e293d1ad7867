/** Files of Spark's event logs, line by line, however they are cut, packed and rolled. */
package io.github.sparkgpusched.advise.log;
