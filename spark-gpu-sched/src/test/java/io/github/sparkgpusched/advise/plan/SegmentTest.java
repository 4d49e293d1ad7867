package io.github.sparkgpusched.advise.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Texts are as Spark prints them. */
class SegmentTest {
  private static PlanNode node(String name, String text, PlanNode... children) {
    return new PlanNode(name, text, List.of(children), List.of());
  }

  private static PlanNode counted(String name, String text, long id, PlanNode... children) {
    return new PlanNode(
        name, text, List.of(children), List.of(new PlanNode.Metric("number of output rows", id)));
  }

  private static List<String> found(PlanNode node) {
    return Calls.of(node).stream().map(call -> call.function() + " " + call.kind()).toList();
  }

  private static String why(PlanNode node) {
    return Calls.of(node).get(0).whyNot();
  }

  @Test
  void aNameThatIsNotSparksIsAFunction() {
    assertEquals(
        List.of("churn NAMED"),
        found(node("Project", "Project [churn(id#0L, if ((id#0L < 10)) 200 else 4) AS c#2L]")));
    assertEquals(
        List.of("UDF UNNAMED", "outer_one NAMED", "inner_one NAMED"),
        found(node("Filter", "Filter ((UDF(a#1) > 3) AND outer_one(abs(inner_one(b#2))))")));
    assertEquals(
        List.of("Mine HIVE"),
        found(node("Project", "Project [HiveSimpleUDF#com.acme.Mine(a#1) AS x#2]")));
  }

  @Test
  void whatSparkPrintsIsNone() {
    for (String text :
        List.of(
            "Project [cast(id#26L as decimal(10,2)) AS k#28, concat(text , x#1) AS t#29]",
            "Project [named_struct(a, xxhash64(b#1, 42), c, date_add(d#2, 3)) AS s#3]",
            "Window [row_number() windowspecdefinition(a#1, b#2 ASC NULLS FIRST,"
                + " specifiedwindowframe(RowFrame, unboundedpreceding$(), currentrow$())) AS r#3]",
            "Project [try_divide(a#1, b#2) AS q#3, from_json(StructField(a,IntegerType,true), x#1)"
                + " AS j#4]")) {
      String name = text.substring(0, text.indexOf(' '));
      List<String> found = found(node(name, text));
      assertEquals(List.of(), found, text);
    }
    assertEquals(
        List.of(),
        found(
            node(
                "Scan parquet",
                "FileScan parquet [a#1] PushedFilters: [GreaterThan(a,3), Mine(a)]")));
  }

  /** It prints how its rows are kept. */
  @Test
  void aBroadcastEvaluatesNothing() {
    String text =
        "BroadcastExchange HashedRelationBroadcastMode(List(input[0, bigint, false]),false)";
    assertEquals(List.of(), found(node("BroadcastExchange", text)));
  }

  /** A newer Spark has more functions: their names go to spark-names.txt. */
  @Test
  void theNamesOfSparksFunctionsAreKnown() {
    List<String> missing = new ArrayList<>();
    CollectionConverters.asJava(FunctionRegistry.functionSet())
        .forEach(
            function -> {
              String name = function.funcName();
              if (Character.isLetter(name.charAt(0)) && !SparkNames.has(name)) {
                missing.add(name);
              }
            });
    assertEquals(List.of(), missing);
  }

  /** Whatever a column is called on its way; only those that a function is given count. */
  @Test
  void argumentsThatMayBeLargeAreKnownByTheirScan() {
    PlanNode scan =
        node(
            "Scan parquet",
            "FileScan parquet [id#1,xs#2,at#3] Batched: true, PushedFilters: [IsNotNull(id)],"
                + " ReadSchema: struct<id:int,xs:array<struct<at:double>>,at:double>");
    PlanNode renamed = node("Project", "Project [id#1, xs#2 AS ring#4, at#3 AS y#5]", scan);
    for (String argument : List.of("xs#2", "id#1, ring#4")) {
      assertTrue(isWide("Filter mine(" + argument + ")", renamed), argument);
    }
    for (String argument : List.of("id#1", "y#5", "at#3")) {
      assertFalse(isWide("Project [mine(" + argument + "), ring#4]", renamed), argument);
    }
  }

  private static boolean isWide(String text, PlanNode below) {
    PlanNode plan = counted(text.substring(0, text.indexOf(' ')), text, 9, below);
    return Segment.of(plan).get(0).hasWideArguments();
  }

  /** A column that a call made is named like it. */
  @Test
  void aColumnsNameIsNoCall() {
    assertEquals(List.of(), found(node("Project", "Project [churn(id, 5)#7L AS churn(id, 5)#8L]")));
    assertEquals(
        List.of("churn NAMED"),
        found(node("Project", "Project [churn(id#0L, 5) AS churn(id, 5)#8L]")));
  }

  @Test
  void anAggregateEvaluatesItsArgumentsInTheFirstStep() {
    PlanNode first =
        node(
            "HashAggregate",
            "HashAggregate(keys=[], functions=[partial_sum(pmod(churn(id#1L), 97))])");
    PlanNode last =
        node(
            "HashAggregate",
            "HashAggregate(keys=[], functions=[sum(pmod(churn(id#1L), 97))])",
            first);
    assertEquals(List.of("churn NAMED"), found(first));
    assertEquals(List.of(), found(last));
    PlanNode only =
        node(
            "HashAggregate",
            "HashAggregate(keys=[], functions=[sum(churn(id#1L))])",
            node("Range", "Range"));
    assertEquals(List.of("churn NAMED"), found(only));
    PlanNode own =
        node(
            "ObjectHashAggregate", "ObjectHashAggregate(keys=[], functions=[partial_mymean(a#1)])");
    assertEquals(List.of("mymean AGGREGATE"), found(own));
    assertTrue(why(own).contains("keeps a state"));
  }

  @Test
  void whatCannotBeSharedSaysWhy() {
    assertTrue(
        why(node(
                "Project",
                "Project [transform(a#1, lambdafunction(churn(lambda x#100L, 20), lambda x#100L,"
                    + " false)) AS c#9]"))
            .contains("lambda of a higher-order function"));
    PlanNode left =
        node(
            "Sort",
            "Sort [k#76L ASC NULLS FIRST], false, 0",
            node("Project", "Project [id#74L, k#76L]"));
    PlanNode right = node("Sort", "Sort [k2#81L ASC NULLS FIRST], false, 0");
    String both =
        "SortMergeJoin [k#76L], [k2#81L], LeftOuter, ((churn((id#74L + k2#81L), 10) % 3) = 0)";
    assertTrue(
        why(node("SortMergeJoin", both, left, right)).contains("both sides of a LeftOuter join"));
    String one = "SortMergeJoin [k#76L], [k2#81L], LeftOuter, ((churn(id#74L, 10) % 3) = 0)";
    assertEquals(null, why(node("SortMergeJoin", one, left, right)));
    assertEquals(null, why(node("SortMergeJoin", both.replace("LeftOuter", "Inner"), left, right)));
    String streams =
        "StreamingSymmetricHashJoin [churn(id#74L, 10)], [k2#81L], Inner, condition = [ both = null"
            + " ]";
    assertTrue(
        why(node("StreamingSymmetricHashJoin", streams, left, right)).contains("two streams"));
    for (String kind : List.of("LeftSemi", "LeftAnti", "FullOuter")) {
      String why = why(node("SortMergeJoin", both.replace("LeftOuter", kind), left, right));
      assertTrue(why != null && why.contains("both sides of a " + kind + " join"), kind);
    }
    assertTrue(
        why(node("MapElements", "MapElements Main$$Lambda$1/0x0@5bf963a, obj#130: java.lang.Long"))
            .contains("over objects"));
    assertTrue(
        why(node("MapInPandas", "MapInPandas parts(id#1L)#2, [id#3L]"))
            .contains("whole partitions"));
  }

  @Test
  void pythonPrintsNumbersBehindItsCalls() {
    assertEquals(
        List.of("slow PYTHON", "twice PYTHON"),
        found(
            node(
                "BatchEvalPython",
                "BatchEvalPython [slow(id#0L, n#3)#5L, twice(id#0L)#6L], [pythonUDF0#9L,"
                    + " pythonUDF1#10L]")));
    assertEquals(
        List.of("vec PANDAS"),
        found(node("ArrowEvalPython", "ArrowEvalPython [vec(id#0L)#5L], [pythonUDF0#9L], 200")));
  }

  @Test
  void anExchangeDividesAPlan() {
    PlanNode plan =
        counted(
            "HashAggregate",
            "HashAggregate(keys=[], functions=[count(1)])",
            1,
            new PlanNode(
                "Exchange",
                "Exchange hashpartitioning(bucket_of(id#0L), 8), ENSURE_REQUIREMENTS",
                List.of(
                    node(
                        "Project",
                        "Project [churn(id#0L, 3) AS c#2L]",
                        counted(
                            "Filter",
                            "Filter (id#0L > 3)",
                            2,
                            counted("Range", "Range (0, 9)", 3)))),
                List.of(new PlanNode.Metric("shuffle records written", 4))));
    List<Segment> segments = Segment.of(plan);
    assertEquals(2, segments.size());
    assertEquals(Set.of(), segments.get(0).calls());
    Segment below = segments.get(1);
    assertEquals(
        List.of("bucket_of", "churn"), below.calls().stream().map(Call::function).toList());
    assertEquals(Set.of(2L, 3L), below.accumulators());
    assertEquals(Set.of(2L), below.inputRows());
    assertFalse(below.isCut());
  }

  /** A node may have thousands of names. */
  @Test
  void aTextThatIsTooLongIsCut() {
    StringBuilder text = new StringBuilder("SortMergeJoin [a#1], [b#2], LeftOuter, (");
    for (int i = 0; text.length() < 4 * PlanNode.MOST_TEXT; i++) {
      text.append("f").append(i).append("(a#1) AND ");
    }
    PlanNode plan =
        PlanNode.of(
            JsonNodeFactory.instance
                .objectNode()
                .put("nodeName", "SortMergeJoin")
                .put("simpleString", text.toString()));
    assertEquals(PlanNode.MOST_TEXT, plan.text().length());
    assertTrue(plan.isCut());
    int found = Calls.of(plan).size();
    assertTrue(found > 10_000, "" + found);
  }

  @Test
  void aPlanThatSparkHasCutIsKnown() {
    PlanNode plan = counted("Project", "Project [a#1, b#2, ... 30 more fields]", 1);
    assertTrue(Segment.of(plan).get(0).isCut());
  }
}
