import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.util.JsonProtocol;

/**
 * Reads the plugin's events of an event log as the history server of this Spark does, with its
 * Jackson, and writes them as they were. A history server shows nothing of an application that has
 * one event that it cannot read.
 *
 * <p>Usage: {@code EventCheck FILE}, with the plugin and Spark's jars on the class path
 */
final class EventCheck {
  private EventCheck() {}

  public static void main(String[] arguments) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      SparkListenerEvent event = JsonProtocol.sparkEventFromJson(line);
      JsonNode written = mapper.readTree(JsonProtocol.sparkEventToJsonString(event));
      if (!written.equals(mapper.readTree(line))) {
        throw new IllegalStateException("Error: read as another: " + line + "\n" + written);
      }
    }
  }
}
