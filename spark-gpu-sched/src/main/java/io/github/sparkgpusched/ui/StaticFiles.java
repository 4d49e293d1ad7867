package io.github.sparkgpusched.ui;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Gives browsers the page's style and script. Spark's own handler for static files looks for them
 * in Spark's class loader, where the classes of {@code --jars} are not.
 */
final class StaticFiles extends HttpServlet {
  private static final long serialVersionUID = 1L;
  static final String PATH = "gpusched-static";

  private static final Map<String, String> TYPES =
      Map.of(
          "/gpusched.css", "text/css;charset=utf-8",
          "/gpusched.js", "text/javascript;charset=utf-8");

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String name = request.getPathInfo();
    String type = name == null ? null : TYPES.get(name);
    if (type == null) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    response.setContentType(type);
    response.setHeader("Cache-Control", "max-age=300");
    try (InputStream file = StaticFiles.class.getResourceAsStream(name.substring(1))) {
      file.transferTo(response.getOutputStream());
    }
  }
}
