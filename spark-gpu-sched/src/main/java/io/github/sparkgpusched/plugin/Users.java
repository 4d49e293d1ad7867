package io.github.sparkgpusched.plugin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import scala.collection.immutable.Set;
import scala.jdk.javaapi.CollectionConverters;

/** Whose a query is, as others may see it. */
final class Users {
  /** What Spark Connect tags the jobs of an operation with. */
  private static final Pattern CONNECT =
      Pattern.compile("SparkConnect_OperationTag_User_(.*)_Session_(.*)_Operation_.*");

  /**
   * Of a session's id, enough to tell sessions apart: who has all of it, and says to be that user,
   * is in that session.
   */
  private static final int SESSION_CHARS = 8;

  private Users() {}

  /**
   * The user of a query through Spark Connect, and how its session's id begins; else who runs the
   * application.
   *
   * @param tags of the query's jobs
   */
  static String of(Set<String> tags, String otherwise) {
    for (String tag : CollectionConverters.asJava(tags)) {
      Matcher connect = CONNECT.matcher(tag);
      if (connect.matches()) {
        String session = connect.group(2);
        return connect.group(1)
            + ", session "
            + session.substring(0, Math.min(SESSION_CHARS, session.length()));
      }
    }
    return otherwise;
  }
}
