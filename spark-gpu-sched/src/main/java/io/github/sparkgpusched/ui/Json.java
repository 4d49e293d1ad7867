package io.github.sparkgpusched.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sparkgpusched.load.LoadView;
import java.util.ArrayList;
import java.util.List;

/** Views as JSON, and back. The names are those of {@link LoadView}'s components. */
final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private Json() {}

  /**
   * A view and its {@link Diagnosis}, or one component of it.
   *
   * @param part name of the component; empty for all
   * @throws IllegalArgumentException if there is no such component
   */
  static JsonNode of(LoadView view, String part) {
    ObjectNode all = MAPPER.valueToTree(view);
    all.set("diagnosis", MAPPER.valueToTree(Diagnosis.of(view)));
    if (part.isEmpty()) {
      return all;
    }
    if (!all.has(part)) {
      List<String> parts = new ArrayList<>();
      all.fieldNames().forEachRemaining(parts::add);
      throw new IllegalArgumentException(
          "there is no part '"
              + part
              + "'; the parts are "
              + String.join(", ", parts)
              + "; leave it out to see all");
    }
    return all.get(part);
  }

  static String write(LoadView view) {
    try {
      return MAPPER.writeValueAsString(view);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static LoadView read(String json) {
    try {
      return MAPPER.readValue(json, LoadView.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
