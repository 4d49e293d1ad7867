import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.k8s.KubernetesConf$;
import org.apache.spark.deploy.k8s.submit.JavaMainAppResource;
import org.apache.spark.deploy.k8s.submit.KubernetesDriverBuilder;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBuilder;
import scala.Option;

/**
 * Has Spark's own builders make the pods of conf/kubernetes, without a cluster, and holds what they
 * must have. Usage: {@code java -cp 'JARS/*' KubernetesCheck.java FOLDER}.
 */
final class KubernetesCheck {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    SparkConf conf = new SparkConf(false);
    Properties lines = new Properties();
    try (Reader file = Files.newBufferedReader(folder.resolve("spark.conf"))) {
      lines.load(file);
    }
    lines.forEach((key, value) -> conf.set(key.toString(), value.toString()));
    Path template = folder.resolve("executor-pod.yaml");
    conf.set("spark.kubernetes.executor.podTemplateFile", template.toString());
    conf.set("spark.app.name", "check");
    conf.set("spark.kubernetes.driver.pod.name", "driver").set("spark.master", "k8s://https://localhost:1");

    // As Kubernetes' API server with strict validation: a name that it does not know is an error.
    Pod own = Serialization.unmarshal(Files.readString(template), Pod.class);
    check(own.getAdditionalProperties().isEmpty() && own.getSpec().getAdditionalProperties().isEmpty(), "the template has names that no pod has");

    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder().withMasterUrl("https://localhost:1").build())
            .build()) {
      Pod driver =
          new KubernetesDriverBuilder()
              .buildFromFeatures(
                  KubernetesConf$.MODULE$.createDriverConf(
                      conf.clone().remove("spark.kubernetes.executor.podTemplateFile"), "app", new JavaMainAppResource(Option.apply("local:///job.jar")), "com.example.Job", new String[0], Option.<String>empty()),
                  client)
              .pod()
              .pod();
      check(driver.getSpec().getServiceAccountName().equals("spark"), "the driver has another service account");
      check(driver.getSpec().getNodeSelector() != null, "the driver has no spec");
      Pod parent = new PodBuilder().withNewMetadata().withName("driver").withUid("1").endMetadata().build();
      SparkConf executors = conf.clone().set("spark.driver.host", "driver").set("spark.driver.port", "7078");
      var pod =
          new KubernetesExecutorBuilder()
              .buildFromFeatures(
                  KubernetesConf$.MODULE$.createExecutorConf(executors, "1", "app", Option.apply(parent), 0),
                  new SecurityManager(executors, Option.empty(), org.apache.spark.internal.config.package$.MODULE$.AUTH_SECRET_FILE()),
                  client,
                  ResourceProfile$.MODULE$.getOrCreateDefaultProfile(executors))
              .pod();
      Container container = pod.container();
      check(container.getImage().equals("my-registry/spark-gpu-sched"), "another image: " + container.getImage());
      check("1".equals(container.getResources().getLimits().get("nvidia.com/gpu").getAmount()), "no GPU: " + container.getResources());
      String script = conf.get("spark.executor.resource.gpu.discoveryScript");
      check(container.getVolumeMounts().stream().noneMatch(m -> script.startsWith(m.getMountPath() + "/")), script + " is hidden by a mount");
      check(Files.readString(folder.resolve("Dockerfile")).contains(" " + script + "\n"), "the image has no " + script);
      check(container.getEnv().stream().anyMatch(e -> e.getName().equals("NVIDIA_DRIVER_CAPABILITIES")), "the template's environment is lost");
      check(pod.pod().getSpec().getTolerations().stream().anyMatch(t -> "nvidia.com/gpu".equals(t.getKey())), "the template's toleration is lost");
      check(pod.pod().getMetadata().getLabels().get("app").equals("spark-gpu-sched"), "the template's label is lost");
      System.out.println(Serialization.asYaml(new PodBuilder(pod.pod()).editSpec().withContainers(List.of(container)).endSpec().build()));
    }
    checkApplication(folder, conf);
    System.out.println("answer: kubernetes=true");
  }

  /** The operator's application says what spark.conf and the Dockerfile say. */
  private static void checkApplication(Path folder, SparkConf conf) throws Exception {
    JsonNode spec = Serialization.unmarshal(Files.readString(folder.resolve("spark-application.yaml")), JsonNode.class).get("spec");
    spec.get("sparkConf").fields().forEachRemaining(
        entry -> check(conf.get(entry.getKey(), "").equals(entry.getValue().asText()), "spark.conf has another " + entry.getKey()));
    for (String key : List.of("spark.plugins", "spark.executor.resource.gpu.amount", "spark.executor.resource.gpu.discoveryScript")) {
      check(spec.get("sparkConf").has(key), "the SparkApplication has no " + key);
    }
    JsonNode executor = spec.get("executor");
    check(spec.get("image").asText().equals(conf.get("spark.kubernetes.container.image")), "the SparkApplication has another image");
    check(executor.get("memoryOverhead").asText().equals(conf.get("spark.executor.memoryOverhead")), "it has another overhead");
    check(executor.get("cores").asText().equals(conf.get("spark.executor.cores")), "its executors have other cores");
    String image = "ARG SPARK=spark:" + spec.get("sparkVersion").asText() + "-scala2.13-";
    check(Files.readString(folder.resolve("Dockerfile")).contains(image), "the image is not of its Spark: " + image);
    Toleration[] tolerations = Serialization.unmarshal(executor.get("tolerations").toString(), Toleration[].class);
    check(tolerations[0].getKey().equals("nvidia.com/gpu") && tolerations[0].getAdditionalProperties().isEmpty(), "its tolerations are none");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
