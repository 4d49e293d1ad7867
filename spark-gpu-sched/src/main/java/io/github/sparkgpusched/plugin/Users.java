package io.github.sparkgpusched.plugin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import scala.collection.immutable.Set;
import scala.jdk.javaapi.CollectionConverters;

/** Whose a query is. */
final class Users {
  /** What Spark Connect tags the jobs of an operation with. */
  private static final Pattern CONNECT =
      Pattern.compile("SparkConnect_OperationTag_User_(.*)_Session_(.*)_Operation_.*");

  private Users() {}

  /**
   * The user and session of a query through Spark Connect; else who runs the application.
   *
   * @param tags of the query's jobs
   */
  static String of(Set<String> tags, String otherwise) {
    for (String tag : CollectionConverters.asJava(tags)) {
      Matcher connect = CONNECT.matcher(tag);
      if (connect.matches()) {
        return connect.group(1) + ", session " + connect.group(2);
      }
    }
    return otherwise;
  }
}
