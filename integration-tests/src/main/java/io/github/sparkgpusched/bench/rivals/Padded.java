package io.github.sparkgpusched.bench.rivals;

/**
 * Keeps the fields of a subclass 128 bytes, two cache lines as the prefetcher takes them, away from
 * what lies before the object: a superclass's fields are laid out first. What lies behind an object
 * is another one's padding, or something that is not written all the time. So what one worker
 * writes at each block costs the others nothing.
 */
public abstract class Padded {
  long pad00;
  long pad01;
  long pad02;
  long pad03;
  long pad04;
  long pad05;
  long pad06;
  long pad07;
  long pad08;
  long pad09;
  long pad10;
  long pad11;
  long pad12;
  long pad13;
  long pad14;
  long pad15;
}
