package io.github.sparkgpusched.ui;

/**
 * Something about the load that an operator may want to change. Immutable.
 *
 * @param kind what, in one word, for programs
 * @param text what is so, with the figures that say it
 * @param change what to change, or that nothing need be
 */
record Finding(String kind, String text, String change) {}
