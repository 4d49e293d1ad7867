"""Sessions in processes of their own: what a process can do after what it has done before."""

import json
import os
import subprocess
import sys
import zipfile

import gpusched
from conftest import QUIET
from gpusched._running import PLUGIN

BEGIN = """
import json
import gpusched
from pyspark.sql import SparkSession
quiet = json.loads('%s')
def refused(what):
    try:
        what()
        print('answer: not refused')
    except Exception as e:
        print('answer:', type(e).__name__, ' '.join(str(e).split()))
"""


def answers(script, *prefix):
    """What a script prints as its answers, each in one line."""
    run = subprocess.run(
        [*prefix, sys.executable, "-c", BEGIN % json.dumps(QUIET) + script],
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    lines = run.stdout.splitlines()
    assert all(line.startswith("answer: ") for line in lines), run.stdout
    assert lines, run.stderr
    return [line.removeprefix("answer: ") for line in lines]


def test_a_spark_without_the_plugin_is_refused():
    """The advice can be followed: this JVM has no jar, so that stopping Spark would not help."""
    running, table, stopped = answers("""
spark = SparkSession.builder.master('local[1]').config(map=quiet).getOrCreate()
refused(gpusched.session)
refused(lambda: gpusched.load_table(spark))
spark.stop()
refused(gpusched.session)
""")
    assert "a Spark without the plugin already runs" in running
    assert "restart the kernel" in running
    assert "spark.stop()" not in running
    assert "this session's Spark runs without the plugin" in table
    assert "JVM without the plugin's jar" in stopped
    assert "restart the kernel" in stopped


def test_a_spark_that_has_the_jar_alone_is_stopped_and_started_anew():
    running, stopped = answers(f"""
jar = {gpusched.find_jar().place!r}
plain = SparkSession.builder.master('local[1]').config(map=quiet).config('spark.jars', jar)
spark = plain.getOrCreate()
refused(gpusched.session)
spark.stop()
spark = gpusched.session(master='local[1]', config=quiet)
print('answer:', len(gpusched.load_table(spark)))
""")
    assert "call spark.stop(), then gpusched.session()" in running
    assert stopped == "1"


def test_a_spark_that_does_not_start_says_why_and_a_corrected_call_starts():
    """Whoever finds the mistake: the JVM that was given it does not stay."""
    ours, sparks, corrected = answers("""
refused(lambda: gpusched.session(
    master='local[1]', config={**quiet, 'spark.gpusched.devices': 'host:9'}))
refused(lambda: gpusched.session(
    master='local[1]', config={**quiet, 'spark.memory.fraction': 'half'}))
spark = gpusched.session(master='local[1]', config=quiet)
print('answer:', spark.range(9).count())
""")
    assert ours.startswith("SetupError Spark does not start: "), ours
    assert "host:9" in ours
    assert sparks.startswith("SetupError Spark does not start: "), sparks
    assert corrected == "9"


def test_without_the_plugin_arguments_are_cast_and_refused_as_with_it():
    text = "__device__ double sq(double x) { return x * x; }"
    small, part, typed, wrong = answers(f"""
import numpy as np
spark = SparkSession.builder.master('local[1]').config(map=quiet).getOrCreate()
def sq(x: np.ndarray) -> np.ndarray:
    return x * x
sq = gpusched.cuda_udf('double', cuda={text!r})(sq)
sq.register(spark)
print('answer:', *spark.sql('select sq(100000)').first())
print('answer:', *spark.sql('select sq(1.5)').first())
df = spark.range(3, 4)
print('answer:', *df.select(sq(df.id.cast('double'))).first())
refused(lambda: spark.range(3).select(sq('id')).collect())
""")
    assert float(small) == 1e10
    assert float(part) == 2.25
    assert float(typed) == 9
    assert "argument 1 of sq is bigint: give double, for example by .cast('double')" in wrong


def test_a_second_session_has_the_jars_and_plugins_of_the_first(tmp_path):
    jar = tmp_path / "more.jar"
    with zipfile.ZipFile(jar, "w") as file:
        file.writestr("more.txt", "")
    plugin = "org.apache.spark.sql.connect.SparkConnectPlugin"
    first, second, given = answers(f"""
import os
os.environ['PYSPARK_SUBMIT_ARGS'] = (
    '--conf spark.plugins={plugin} --conf spark.connect.grpc.binding.port=0 pyspark-shell')
def has():
    conf = spark.sparkContext.getConf()
    print('answer:', conf.get('spark.plugins'), conf.get('spark.jars'))
for config in [{{}}, {{}}, {{'spark.jars': {str(jar)!r}}}]:
    jars = [] if config else [{str(jar)!r}]
    spark = gpusched.session(master='local[1]', jars=jars, config={{**quiet, **config}})
    has()
    spark.stop()
""")
    for answer in (first, second, given):
        plugins, jars = answer.split(" ")
        assert plugins == f"{plugin},{PLUGIN}"
        assert sorted(path.rsplit("/", 1)[-1] for path in jars.split(",")) == sorted(
            ["more.jar", os.path.basename(gpusched.find_jar().place)]
        )


def test_what_comes_late_is_refused_and_what_a_session_takes_is_taken(tmp_path):
    first, own = tmp_path / "first.jar", tmp_path / "own.jar"
    for jar in (first, own):
        with zipfile.ZipFile(jar, "w") as file:
            file.writestr("empty", "")
    (same, changed, jars, plugin, master, late, builder, typo, value, pairs) = answers(f"""
own = {str(own)!r}
quiet['spark.sql.extensions'] = 'io.github.sparkgpusched.sql.GpuSchedExtensions'
spark = gpusched.session(master='local[1]', jars=[{str(first)!r}], config=quiet)
same = gpusched.session(master='local[1]', jars=[{str(first)!r}], config=quiet)
print('answer:', same is spark)
gpusched.session(config={{'spark.gpusched.batch.rows': 77, 'spark.sql.shuffle.partitions': 3}})
print('answer:', spark.conf.get('spark.gpusched.batch.rows'))
refused(lambda: gpusched.session(jars=[own]))
refused(lambda: gpusched.session(jar=own))
refused(lambda: gpusched.session(master='local[2]'))
refused(lambda: gpusched.session(config={{'spark.gpusched.host.devices': 2}}))
refused(lambda: gpusched.configure(SparkSession.builder.config('spark.executor.memory', '3g')))
refused(lambda: gpusched.session(config={{'spark.gpusched.batch.row': 2}}))
refused(lambda: gpusched.session(config={{'spark.gpusched.batch.rows': -1}}))
refused(lambda: gpusched.session(config=[('spark.gpusched.batch.rows', 1)]))
""")
    assert (same, changed) == ("True", "77")
    for refused in (jars, plugin):
        assert refused.startswith("SetupError jars=['")
        assert "own.jar" in refused
        assert "restart the kernel" in refused
    assert "spark.master='local[2]' comes too late" in master
    assert "started with 'local[1]'" in master
    assert "spark.gpusched.host.devices='2' comes too late" in late
    assert "started without it" in late
    assert "call spark.stop()" in late
    assert "spark.executor.memory='3g' comes too late" in builder
    assert "did you mean spark.gpusched.batch.rows?" in typo
    assert value.startswith("SetupError spark.gpusched.batch.rows='-1' is not allowed")
    assert pairs.startswith("SetupError config=[('spark.gpusched.batch.rows', 1)] is no mapping")


def test_after_a_new_start_each_function_is_its_own():
    """PySpark sends functions of more than 1 MB as broadcasts, which each Spark numbers anew."""
    text = "__device__ double f(double x) { return x; }"
    before, second, first, by_name = answers(f"""
import numpy as np
table, other = np.zeros(200_000), np.full(200_000, 7.0)
def value(function):
    print('answer:', function.add_to(spark.range(1).selectExpr('1D x'), 'y', 'x').first().y)
first = gpusched.cuda_udf('double', cuda={text!r})(lambda x: x + float(table[0]))
second = gpusched.cuda_udf('double', cuda={text!r})(lambda x: x + float(other[0]))
spark = gpusched.session(master='local[1]', config=quiet)
value(first)
spark.stop()
spark = gpusched.session(master='local[1]', config=quiet)
value(second)
value(first)
first.register(spark, 'first_one')
print('answer:', spark.sql('select first_one(1D)').first()[0])
""")
    assert before == first == by_name == "1.0"
    assert second == "8.0"


def test_the_same_call_is_taken_again(tmp_path):
    """A cell is run twice, and Spark has made what it was given into forms of its own."""
    (tmp_path / "a b").mkdir()
    with zipfile.ZipFile(tmp_path / "a b" / "own.jar", "w") as file:
        file.writestr("empty", "")
    config = {
        "spark.driver.extraJavaOptions": "-Da=1",
        "spark.sql.warehouse.dir": str(tmp_path / "a b" / "tables"),
        "spark.ui.enabled": True,
        "spark.ui.port": 0,
        "spark.driver.port": 0,
    }
    others = {
        "spark.driver.extraJavaOptions": "a=1",
        "spark.sql.warehouse.dir": str(tmp_path / "tables"),
        "spark.ui.port": 1,
    }
    *taken, options, tables, port, jar = answers(f"""
import os
os.chdir({str(tmp_path)!r})
def session(**more):
    return gpusched.session(master='local[1]', **more)
config = {{**quiet, **{config!r}}}
first = session(jars=['a b/own.jar'], config=config)
print('answer:', session(jars=['a b/own.jar'], config=config) is first)
print('answer:', session(config={{'spark.sql.warehouse.dir': 'a b/tables'}}) is first)
refused(lambda: session(jars=[{str(tmp_path / "a b" / "own.jar")!r}]))
for key, value in {others!r}.items():
    refused(lambda: session(config={{key: value}}))
os.chdir('a b')
os.rename('own.jar', 'other.jar')
refused(lambda: session(jars=['other.jar']))
""")
    assert taken == ["True", "True", "not refused"]
    for refused, said in [
        (options, "spark.driver.extraJavaOptions='a=1' comes too late"),
        (tables, "spark.sql.warehouse.dir='"),
        (port, "spark.ui.port='1' comes too late"),
        (jar, "other.jar'] comes too late"),
    ]:
        assert refused.startswith("SetupError"), refused
        assert said in refused
