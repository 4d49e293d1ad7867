package io.github.sparkgpusched;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the arrows of docs/architecture.md: what each package may know. */
class ArchitectureTest {
  private static final String ROOT = "io.github.sparkgpusched";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  /** For the compiler alone: the jar holds no such class, and needs none. */
  private static final DescribedPredicate<JavaClass> GUARDED_BY =
      describe("@GuardedBy", c -> c.getName().equals(GuardedBy.class.getName()));

  private static final Path SOURCES = Path.of("src/main/java/io/github/sparkgpusched");
  private static final Path RESOURCES = Path.of("src/main/resources/io/github/sparkgpusched");

  /** Names a kind, as the API does: GpuUdf.cuda(), and clients call gpusched_cuda. */
  private static final String BORDER = "sql/plan/DeviceForm.java";

  private static final Pattern TEXT = Pattern.compile("\\.(java|py|js|css|html)$");

  /** A new package must get its arrows here, and its place in docs/architecture.md. */
  @Test
  void packagesAreTheKnownOnes() {
    Set<String> found = new TreeSet<>();
    for (JavaClass c : CLASSES) {
      if (c.getPackageName().startsWith(ROOT + ".")) {
        found.add(c.getPackageName().substring(ROOT.length() + 1).split("\\.", -1)[0]);
      }
    }
    assertEquals(
        new TreeSet<>(
            List.of(
                "advise",
                "api",
                "columnar",
                "config",
                "device",
                "functions",
                "load",
                "plugin",
                "runtime",
                "schedule",
                "shims",
                "sql",
                "ui")),
        found);
  }

  @Test
  void noCyclesBetweenPackages() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  /** The author of a UDF compiles against it and Spark's public UDF interfaces alone. */
  @Test
  void apiKnowsTheJdkAlone() {
    knowsOnly("api");
  }

  @Test
  void configKnowsTheJdkAlone() {
    knowsOnly("config");
  }

  /** And says how its records are written as JSON, by annotations that need not be there. */
  @Test
  void loadKnowsApi() {
    classes()
        .that()
        .resideInAPackage(in("load"))
        .should()
        .onlyDependOnClassesThat(
            jdkOr("load", "api").or(inPackage("com.fasterxml.jackson.annotation")))
        .check(CLASSES);
  }

  /** Neither Spark nor a kind of device: it is tested, and model-checked, without them. */
  @Test
  void scheduleKnowsApiAndLoad() {
    classes()
        .that()
        .resideInAPackage(in("schedule"))
        .should()
        .onlyDependOnClassesThat(jdkOr("schedule", "load", "api").or(inPackage("org.slf4j")))
        .check(CLASSES);
  }

  /** The simulator drives the strategies in virtual time. */
  @Test
  void strategiesKnowNothingOfOurs() {
    knowsOnly("schedule.strategy");
  }

  /** What a dealer is does not depend on those there are, nor these on each other. */
  @Test
  void whatIsNeutralKnowsNoDealerOfAPackageBelow() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".schedule.strategy")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".schedule.strategy.*..")
        .check(CLASSES);
    slices()
        .matching(ROOT + ".schedule.strategy.(*)..")
        .should()
        .notDependOnEachOther()
        .check(CLASSES);
  }

  @Test
  void onlyWhoPutsThemTogetherKnowsTheStrategies() {
    noClasses()
        .that()
        .resideOutsideOfPackage(in("schedule.strategy"))
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".schedule.Adaptive")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".schedule.Strategies")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".schedule.strategy.*..")
        .check(CLASSES);
  }

  @Test
  void shimsKnowNothingOfOurs() {
    knowsOfOurs("shims");
  }

  @Test
  void columnarKnowsApiOfOurs() {
    knowsOfOurs("columnar", "api", "shims");
  }

  @Test
  void deviceKnowsScheduleAndColumnar() {
    knowsOfOurs("device", "api", "schedule", "load", "columnar", "config", "shims");
  }

  @Test
  void runtimeKnowsDevices() {
    knowsOfOurs("runtime", "api", "schedule", "load", "device", "config");
  }

  /**
   * A kind of device is one package, which the plugin's start alone names; calls on cuDF's columns
   * are launched by it.
   */
  @Test
  void onlyThePluginsStartKnowsCuda() {
    noClasses()
        .that()
        .resideOutsideOfPackages(in("device.cuda"), in("device.cudf"))
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".plugin.Kinds")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(in("device.cuda"))
        .check(CLASSES);
  }

  /** Others see devices like all others. */
  @Test
  void onlyThePluginKnowsOtherExecutors() {
    noClasses()
        .that()
        .resideOutsideOfPackages(in("device.remote"), in("plugin"), in("advise.replay"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(in("device.remote"))
        .check(CLASSES);
  }

  /** Its classes are optional: they load late, and where RAPIDS is alone. */
  @Test
  void onlyTheFunctionForRapidsKnowsCudf() {
    noClasses()
        .that()
        .resideOutsideOfPackage(in("device.cudf"))
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".sql.plan.RapidsFunction")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ai.rapids..", in("device.cudf"))
        .check(CLASSES);
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".sql.plan.RapidsProjection")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".sql.plan.RapidsFunction")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName(ROOT + ".sql.plan.RapidsFunction")
        .check(CLASSES);
  }

  /** Nor does a text of theirs: but for what authors of UDFs write, and the keys. */
  @Test
  void noSourceOutsideOfItsPackageTellsDevicesByTheirNames() throws IOException {
    Set<String> found = filesWith(Pattern.compile("\"cuda:|\"CUDA:|\"(cuda|pipe)\""), SOURCES, "");
    found.removeIf(file -> file.startsWith("device/cuda/"));
    assertEquals(Set.of(BORDER), found);
  }

  /** Neither in its code nor in its comments: what is said there holds for any kind. */
  @Test
  void noNeutralPackageNamesAKind() throws IOException {
    Pattern kind = Pattern.compile("(?i)cuda|nvrtc");
    Set<String> found = new TreeSet<>();
    for (String neutral : List.of("load", "runtime", "schedule", "sql", "ui")) {
      found.addAll(filesWith(kind, SOURCES, neutral));
      found.addAll(filesWith(kind, RESOURCES, neutral));
    }
    assertEquals(Set.of(BORDER), found);
  }

  /** What Python is told of devices it hands on: it decides nothing by their names. */
  @Test
  void noPythonSourceTellsDevicesByTheirNames() throws IOException {
    Pattern name =
        Pattern.compile(
            "[\"'](cuda|host|gpu|pipe):|(startswith|match|split)\\(\\(?r?[\"'](cuda|host|gpu|pipe)"
                + "|(==|!=|\\bin|\\bcase) *[\\[({]?[\"'](cuda|host|gpu|pipe)\\b",
            Pattern.CASE_INSENSITIVE);
    assertTrue(name.matcher("if device.startswith(\"cuda:\"):").find());
    assertTrue(name.matcher("if kind == 'host':").find());
    assertEquals(Set.of(), filesWith(name, Path.of("../python-examples"), "src"));
  }

  /** Names of text files below a folder, relative to the root, that have a match. */
  private static Set<String> filesWith(Pattern pattern, Path root, String folder)
      throws IOException {
    Set<String> found = new TreeSet<>();
    if (!Files.exists(root.resolve(folder))) {
      return found;
    }
    try (Stream<Path> files = Files.walk(root.resolve(folder))) {
      for (Path file : files.filter(f -> TEXT.matcher(f.toString()).find()).toList()) {
        if (pattern.matcher(Files.readString(file)).find()) {
          found.add(root.relativize(file).toString().replace('\\', '/'));
        }
      }
    }
    return found;
  }

  /** Built-in functions are what a user could have written. */
  @Test
  void functionsKnowApiOfOurs() {
    knowsOfOurs("functions", "api");
    noClasses()
        .that()
        .resideInAPackage(in("functions"))
        .should()
        .dependOnClassesThat(
            describe(
                "are Spark's and no UDF interfaces",
                c ->
                    c.getPackageName().startsWith("org.apache.spark")
                        && !c.getPackageName().equals("org.apache.spark.sql.api.java")))
        .check(CLASSES);
  }

  @Test
  void sqlKnowsNotThePlugin() {
    knowsOfOurs(
        "sql", "api", "config", "load", "columnar", "schedule", "device", "runtime", "shims");
    knowsOfOurs("sql.plan", "api", "config", "columnar", "device", "runtime", "schedule", "load");
  }

  /** It runs without a session: of the plugin it knows how pages look, keys, and waits. */
  @Test
  void adviseKnowsNothingThatRuns() {
    knowsOfOurs("advise", "ui", "config", "device.remote");
    knowsOnly("advise.replay", "config", "device.remote");
    noClasses()
        .that()
        .resideOutsideOfPackage(in("advise"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(in("advise"))
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(in("advise"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.spark.sql..")
        .check(CLASSES);
  }

  /** Pages are made of a view of the load table alone. */
  @Test
  void uiKnowsTheLoadTable() {
    knowsOfOurs("ui", "api", "load", "config", "shims");
  }

  @Test
  void onlyTheEntryPointKnowsThePlugin() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, in("plugin"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(in("plugin"))
        .check(CLASSES);
  }

  /** Numbers in generated code, in metrics and in files have the digits and points of no locale. */
  @Test
  void numbersAreWrittenInNoLocale() throws IOException {
    noClasses()
        .should()
        .callMethod(String.class, "format", String.class, Object[].class)
        .orShould()
        .callMethod(PrintStream.class, "printf", String.class, Object[].class)
        .orShould()
        .callMethod(PrintWriter.class, "printf", String.class, Object[].class)
        .check(CLASSES);
    Pattern number =
        Pattern.compile(
            "%(\\d+\\$)?[-,.0-9]*[dfxe]"
                + "([^\"\n]*\"(\\s*\\+\\s*\"[^\"\n]*\")*|[^\"]*+(?:\"(?!\"\")[^\"]*+)*+\"\"\")\\s*\\.formatted\\(");
    assertTrue(number.matcher("\"f[%d];\".formatted(i)").find());
    assertTrue(number.matcher("\"\"\"\n f(%d, \"%s\")\n\"\"\"\n .formatted(i)").find());
    assertEquals(Set.of(), filesWith(number, SOURCES, ""));
  }

  /** The JDK's classes and those of these packages of ours. */
  private static void knowsOnly(String subject, String... ours) {
    String[] known = Arrays.copyOf(ours, ours.length + 1);
    known[ours.length] = subject;
    classes()
        .that()
        .resideInAPackage(in(subject))
        .should()
        .onlyDependOnClassesThat(jdkOr(known))
        .check(CLASSES);
  }

  /** Of our packages these and its own; anything of others. */
  private static void knowsOfOurs(String subject, String... ours) {
    DescribedPredicate<JavaClass> known = DescribedPredicate.not(inPackage(ROOT));
    known = known.or(inPackage(ROOT + "." + subject));
    for (String name : ours) {
      known = known.or(inPackage(ROOT + "." + name));
    }
    classes()
        .that()
        .resideInAPackage(in(subject))
        .should()
        .onlyDependOnClassesThat(known)
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> jdkOr(String... ours) {
    DescribedPredicate<JavaClass> allowed = inPackage("java").or(GUARDED_BY);
    for (String name : ours) {
      allowed = allowed.or(inPackage(ROOT + "." + name));
    }
    return allowed;
  }

  private static DescribedPredicate<JavaClass> inPackage(String name) {
    return describe(
        "in " + name,
        c -> {
          String of = c.getBaseComponentType().getPackageName();
          return of.isEmpty() || of.equals(name) || of.startsWith(name + ".");
        });
  }

  private static String in(String subject) {
    return ROOT + "." + subject + "..";
  }
}
