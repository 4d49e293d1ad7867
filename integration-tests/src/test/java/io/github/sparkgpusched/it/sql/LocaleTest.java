package io.github.sparkgpusched.it.sql;

import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code is generated alike where numbers have other digits, and letters other lower ones. */
class LocaleTest extends SqlTest {
  private static final String FALLBACK = "spark.sql.codegen.fallback";

  private Locale before;

  @BeforeEach
  void keep() {
    before = Locale.getDefault();
    spark.conf().set(FALLBACK, "false");
  }

  @AfterEach
  void restore() {
    Locale.setDefault(before);
    spark.conf().unset(FALLBACK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "fa-IR", "tr-TR", "de-DE"})
  void agrees(String tag) {
    Locale.setDefault(Locale.forLanguageTag(tag));
    for (String batching : new String[] {"always", "auto", "never"}) {
      set(Map.of(BATCHING, batching));
      assertBatched(
          "select add(x, inc(y)), shout(s), total(array(x, y)), if(k > 3, bucket(i), z) from t");
    }
  }
}
