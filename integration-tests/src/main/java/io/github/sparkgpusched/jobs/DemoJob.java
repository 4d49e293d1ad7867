package io.github.sparkgpusched.jobs;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SparkSession;

/** Both jobs, one after the other. Its result is that of the main job, with the other's inside. */
public final class DemoJob implements Job {
  private static final String PICTURES = "pictures";

  private final Job main = new MainJob();
  private final Job mandelbrot = new MandelbrotJob();

  public static void main(String[] arguments) throws Exception {
    JobRunner.main(new DemoJob(), arguments);
  }

  @Override
  public String name() {
    return "DemoJob";
  }

  @Override
  public String about() {
    return "the main job, then the Mandelbrot job";
  }

  @Override
  public List<Flag> flags() {
    Set<Flag> flags = new LinkedHashSet<>(main.flags());
    flags.addAll(mandelbrot.flags());
    return List.copyOf(flags);
  }

  @Override
  public void check(Options options) {
    main.check(options);
    mandelbrot.check(options);
  }

  @Override
  public Map<String, Object> run(SparkSession spark, Options options, PrintStream out)
      throws Exception {
    Map<String, Object> result = new LinkedHashMap<>(main.run(spark, options, out));
    out.println();
    Map<String, Object> second = new LinkedHashMap<>(mandelbrot.run(spark, options, out));
    List<Object> pictures = new ArrayList<>((List<?>) result.get(PICTURES));
    pictures.addAll((List<?>) second.remove(PICTURES));
    result.put(PICTURES, pictures);
    result.put("mandelbrot", second);
    return result;
  }
}
