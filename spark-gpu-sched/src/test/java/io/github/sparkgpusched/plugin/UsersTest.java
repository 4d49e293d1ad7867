package io.github.sparkgpusched.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

class UsersTest {
  private static String of(String... tags) {
    return Users.of(CollectionConverters.asScala(java.util.Set.of(tags)).toSet(), "root");
  }

  @Test
  void noMoreOfASessionsIdIsToldThanTellsItApart() {
    assertEquals(
        "ada, session 3f0c2d1e",
        of(
            "SparkConnect_OperationTag_User_ada_Session_3f0c2d1e-87a1-4a53-9d5f-0123456789ab"
                + "_Operation_77"));
  }

  @Test
  void aQueryThroughConnectHasItsUserAndSession() {
    assertEquals(
        "ada, session 3f-1",
        of("x", "SparkConnect_OperationTag_User_ada_Session_3f-1_Operation_77"));
  }

  @Test
  void othersAreOfWhoRunsTheApplication() {
    assertEquals("root", of());
    assertEquals("root", of("nightly"));
  }
}
