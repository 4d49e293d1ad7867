import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * A real ResourceManager and NodeManager in this process, and a Python script by spark-submit on
 * them, once with the driver here and once in a container. Usage: {@code java -cp
 * 'JARS/*:MINICLUSTER' YarnCheck.java HOME PLUGIN PYTHON SCRIPT FOLDER}. Ends with 1 if one fails.
 */
final class YarnCheck {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[4]).toAbsolutePath();
    Configuration conf = new YarnConfiguration();
    conf.setBoolean("yarn.is.minicluster", true);
    conf.set("yarn.resourcemanager.scheduler.class", "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
    conf.setInt("yarn.nodemanager.resource.memory-mb", 6000);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 128);
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    // The disk of a developer's machine may be nearly full.
    conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
    System.setProperty("test.build.data", folder.toString());
    MiniYARNCluster cluster = new MiniYARNCluster("gpusched", 1, 1, 1);
    cluster.init(conf);
    cluster.start();
    if (!cluster.waitForNodeManagersToConnect(60_000)) {
      throw new IllegalStateException("no NodeManager has come");
    }
    Path hadoop = Files.createDirectories(folder.resolve("hadoop"));
    Configuration of = cluster.getConfig();
    // What names classes of this process is not for clients.
    of.unset("yarn.nodemanager.container-executor.class");
    try (OutputStream out = Files.newOutputStream(hadoop.resolve("yarn-site.xml"))) {
      of.writeXml(out);
    }
    Files.writeString(hadoop.resolve("core-site.xml"), "<configuration><property><name>fs.defaultFS</name><value>file:///</value></property></configuration>\n");
    int failed = 0;
    for (String mode : new String[] {"client", "cluster"}) {
      List<String> command =
          new ArrayList<>(
              List.of(
                  arguments[0] + "/bin/spark-submit", "--master", "yarn", "--deploy-mode", mode, "--jars", arguments[1],
                  "--num-executors", "2", "--executor-cores", "2", "--executor-memory", "512m", "--driver-memory", "512m",
                  "--conf", "spark.plugins=io.github.sparkgpusched.GpuSchedPlugin",
                  "--conf", "spark.gpusched.batching=always",
                  "--conf", "spark.yarn.stagingDir=file://" + folder.resolve("staging"),
                  "--conf", "spark.yarn.appMasterEnv.PYTHONPATH=" + System.getenv("PYTHONPATH"),
                  "--conf", "spark.pyspark.python=" + arguments[2],
                  "--conf", "spark.driver.host=127.0.0.1"));
      if (mode.equals("cluster")) { // where YARN says who the driver is
        command.remove(command.size() - 1);
        command.remove(command.size() - 1);
      }
      command.add(arguments[3]);
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().put("SPARK_HOME", arguments[0]);
      builder.environment().put("HADOOP_CONF_DIR", hadoop.toString());
      builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
      File log = folder.resolve(mode + ".log").toFile();
      Process process = builder.redirectErrorStream(true).redirectOutput(log).start();
      boolean ended = process.waitFor(240, TimeUnit.SECONDS);
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      boolean right = ended && process.exitValue() == 0;
      System.out.println("answer: yarn " + mode + "=" + right + (right ? "" : ", see " + log));
      failed += right ? 0 : 1;
    }
    cluster.stop();
    System.exit(failed);
  }
}
