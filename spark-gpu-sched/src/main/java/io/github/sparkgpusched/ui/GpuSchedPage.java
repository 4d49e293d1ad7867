package io.github.sparkgpusched.ui;

import io.github.sparkgpusched.load.LoadView;
import io.github.sparkgpusched.shims.Pages;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import org.json4s.JValue;
import org.json4s.jackson.JsonMethods$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.xml.Node;
import scala.xml.Unparsed;

/** The tab's one page, and its JSON at {@code /gpusched/json/}. */
final class GpuSchedPage extends WebUIPage {
  private final GpuSchedTab tab;
  private final Supplier<LoadView> view;
  private final boolean live;

  GpuSchedPage(GpuSchedTab tab, Supplier<LoadView> view, boolean live) {
    super("");
    this.tab = tab;
    this.view = view;
    this.live = live;
  }

  @Override
  public Seq<Node> render(HttpServletRequest request) {
    String base = UIUtils.prependBaseUri(request, tab.uiBasePath(), "");
    Html html = new Html();
    html.raw("<link rel=\"stylesheet\" href=\"")
        .text(base + "/" + StaticFiles.PATH + "/gpusched.css")
        .raw("\"/>");
    Links links = new Links(base);
    html.raw(
        LoadPage.render(
            view.get(), new Query(parameters(request)), live, tab.application(), links));
    html.raw("<script src=\"")
        .text(base + "/" + StaticFiles.PATH + "/gpusched.js")
        .raw("\"></script>");
    List<Node> nodes = List.of(new Unparsed(html.toString()));
    Seq<Node> content = CollectionConverters.asScala(nodes).toList();
    return Pages.withHeader(request, tab, () -> content);
  }

  /**
   * The whole view; with {@code ?part=NAME}, one component of it.
   *
   * @throws IllegalArgumentException if there is no such component; Spark answers 400 then
   */
  @Override
  public JValue renderJson(HttpServletRequest request) {
    String part = parameters(request).getOrDefault("part", "");
    return JsonMethods$.MODULE$.fromJsonNode(Json.of(view.get(), part));
  }

  private static Map<String, String> parameters(HttpServletRequest request) {
    Map<String, String> parameters = new HashMap<>();
    request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
    return parameters;
  }
}
