package io.github.sparkgpusched.device.remote;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.sparkgpusched.device.SharedCalls;
import java.io.Serializable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The driver's part: it tells executors that want cores who has some, and the other way round.
 * Whoever comes second is told of the first. Cores that it has told somebody of count as taken, and
 * what one wanted as given, until the executor speaks again; should it not be so, the executors
 * find out between themselves. Thread-safe.
 */
public final class Matchmaker {
  private static final int SECRET_BYTES = 32;

  /** An executor that has not asked again for so long wants nothing any more. */
  static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(3);

  private record Wish(Peer borrower, long atNanos) {}

  private final SharedCalls calls;
  private final String secret;
  private final AtomicLong questions = new AtomicLong();

  /** By executor, who spoke first first. */
  @GuardedBy("this")
  private final Map<String, Peer> lenders = new LinkedHashMap<>();

  /** By executor, who has waited longest for something first. */
  @GuardedBy("this")
  private final Map<String, Wish> wishes = new LinkedHashMap<>();

  public Matchmaker(SharedCalls calls) {
    this.calls = calls;
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    this.secret = Base64.getEncoder().encodeToString(random);
  }

  /** The answer to a question; null if there is none. */
  public Serializable answer(Question question, long nowNanos) {
    questions.incrementAndGet();
    if (question instanceof Question.Join) {
      return secret;
    } else if (question instanceof Question.Want want) {
      return calls.get(want.number()).orElse(null);
    } else if (question instanceof Question.Seek seek) {
      return new Question.Peers(seek(seek.borrower(), nowNanos));
    }
    return new Question.Peers(offer(((Question.Offer) question).lender(), nowNanos));
  }

  /** How many questions executors have asked. */
  public long questions() {
    return questions.get();
  }

  private synchronized List<Peer> seek(Peer borrower, long nowNanos) {
    lenders.remove(borrower.executorId()); // it has work of its own
    List<Peer> found = new ArrayList<>();
    int wanted = borrower.cores();
    for (Iterator<Map.Entry<String, Peer>> all = lenders.entrySet().iterator();
        all.hasNext() && wanted > 0; ) {
      Map.Entry<String, Peer> entry = all.next();
      Peer lender = entry.getValue();
      found.add(lender);
      int left = lender.cores() - wanted;
      wanted -= lender.cores();
      if (left > 0) {
        entry.setValue(lender.withCores(left));
      } else {
        all.remove();
      }
    }
    wishes.remove(borrower.executorId());
    if (wanted > 0) {
      wishes.put(borrower.executorId(), new Wish(borrower.withCores(wanted), nowNanos));
    }
    return found;
  }

  private synchronized List<Peer> offer(Peer lender, long nowNanos) {
    wishes.values().removeIf(wish -> nowNanos - wish.atNanos() > WANTED_NANOS);
    wishes.remove(lender.executorId());
    List<Peer> found = new ArrayList<>();
    int cores = lender.cores();
    while (cores > 0 && !wishes.isEmpty()) {
      Map.Entry<String, Wish> first = wishes.entrySet().iterator().next();
      Peer borrower = first.getValue().borrower();
      found.add(borrower);
      wishes.remove(first.getKey());
      int left = borrower.cores() - cores;
      cores -= borrower.cores();
      if (left > 0) { // it comes again once all others have got something
        wishes.put(first.getKey(), new Wish(borrower.withCores(left), first.getValue().atNanos()));
      }
    }
    lenders.remove(lender.executorId());
    if (cores > 0) {
      lenders.put(lender.executorId(), lender.withCores(cores));
    }
    return found;
  }

  /** An executor has ended. */
  public synchronized void executorEnded(String executorId) {
    lenders.remove(executorId);
    wishes.remove(executorId);
  }
}
