package io.github.sparkgpusched.device.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.sparkgpusched.device.SharedCalls;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MatchmakerTest {
  private final Matchmaker matchmaker = new Matchmaker(SharedCalls.start());
  private long now = 1;

  @AfterEach
  void end() {
    SharedCalls.end();
  }

  private static Peer peer(String id, int cores) {
    return new Peer(id, "host-" + id, 7, cores);
  }

  private List<Peer> seek(String id, int cores) {
    return ((Question.Peers) matchmaker.answer(new Question.Seek(peer(id, cores)), now)).peers();
  }

  private List<Peer> offer(String id, int cores) {
    return ((Question.Peers) matchmaker.answer(new Question.Offer(peer(id, cores)), now)).peers();
  }

  @Test
  void whoSeeksIsToldOfWhoHasOffered() {
    assertEquals(List.of(), offer("1", 2));
    assertEquals(List.of(), offer("2", 1));
    assertEquals(List.of(peer("1", 2)), seek("3", 1));
    assertEquals(
        List.of(peer("1", 1), peer("2", 1)), seek("4", 2), "a core that was given away is gone");
    assertEquals(List.of(), seek("5", 1));
  }

  @Test
  void whoOffersIsToldOfWhoSought() {
    assertEquals(List.of(), seek("1", 2));
    assertEquals(List.of(), seek("2", 2));
    assertEquals(List.of(peer("1", 2), peer("2", 2)), offer("3", 3));
    assertEquals(List.of(peer("2", 1)), offer("4", 2), "that one still wanted one");
    assertEquals(List.of(), offer("5", 1), "nobody wants it any more");
    assertEquals(List.of(peer("4", 1), peer("5", 1)), seek("1", 2));
  }

  /** Else the first one would have all that it may use before the second one has any. */
  @Test
  void thoseWhoWantCoresGetThemInTurns() {
    seek("1", 5);
    seek("2", 5);
    assertEquals(List.of(peer("1", 5)), offer("3", 2));
    assertEquals(List.of(peer("2", 5)), offer("4", 2));
    assertEquals(List.of(peer("1", 3)), offer("5", 2));
    assertEquals(List.of(peer("2", 3), peer("1", 1)), offer("6", 4));
  }

  @Test
  void aWishThatIsNotRenewedIsForgotten() {
    seek("1", 2);
    now += TimeUnit.SECONDS.toNanos(4);
    assertEquals(List.of(), offer("2", 1));
  }

  @Test
  void nobodyIsToldOfItself() {
    offer("1", 1);
    assertEquals(List.of(), seek("1", 1));
    assertEquals(List.of(), offer("1", 1));
  }

  @Test
  void executorsThatHaveEndedAreForgotten() {
    offer("1", 1);
    seek("2", 5);
    seek("3", 5);
    matchmaker.executorEnded("1");
    matchmaker.executorEnded("2");
    assertEquals(List.of(peer("3", 5)), offer("4", 1));
    assertEquals(List.of(), seek("5", 1));
  }

  @Test
  void eachApplicationHasASecretOfItsOwn() {
    Object secret = matchmaker.answer(new Question.Join("1"), now);
    assertEquals(secret, matchmaker.answer(new Question.Join("2"), now));
    Matchmaker other = new Matchmaker(SharedCalls.start());
    assertNotEquals(secret, other.answer(new Question.Join("1"), now));
  }

  @Test
  void aCallThatIsNotThereIsNull() {
    assertNull(matchmaker.answer(new Question.Want(9), now));
  }

  @Test
  void allQuestionsCount() {
    seek("1", 2);
    offer("2", 1);
    matchmaker.answer(new Question.Join("3"), now);
    matchmaker.answer(new Question.Want(7), now);
    assertEquals(4, matchmaker.questions());
  }
}
