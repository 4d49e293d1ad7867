package io.github.sparkgpusched.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

class UsersTest {
  private static String of(String... tags) {
    return Users.of(CollectionConverters.asScala(java.util.Set.of(tags)).toSet(), "root");
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
