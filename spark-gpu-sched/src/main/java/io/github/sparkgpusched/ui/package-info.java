/**
 * The load table for people: the tab "GPU Scheduler" of Spark's UI, live and in the history server,
 * its JSON, and the events that the history server makes it of. Pages are made on the server, from
 * a {@link io.github.sparkgpusched.load.LoadView} alone.
 */
package io.github.sparkgpusched.ui;
