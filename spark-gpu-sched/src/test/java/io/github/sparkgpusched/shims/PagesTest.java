package io.github.sparkgpusched.shims;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PagesTest {
  /** As a page where the web UI has another servlet API. */
  public interface OtherPage {
    Object render(String request);
  }

  @Test
  void thisSparkCanHaveOurs() {
    assertEquals(Optional.empty(), Pages.whyNot());
  }

  @Test
  void aWebUiWithAnotherServletApiIsTold() {
    assertEquals(
        Optional.of(
            "its pages are given java.lang.String, and ours take"
                + " jakarta.servlet.http.HttpServletRequest"),
        Pages.whyNot(OtherPage.class));
    assertEquals(Optional.of("its pages have no method render"), Pages.whyNot(Object.class));
  }
}
