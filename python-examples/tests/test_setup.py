"""What must be there before a session starts: versions, Java, the jar. Starts no Spark."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import gpusched
import pytest
from conftest import REPOSITORY
from gpusched import _session, _versions
from pyspark.sql import SparkSession


@pytest.fixture
def java(tmp_path, monkeypatch):
    """Puts a java that reports a version where Spark would look for one."""

    def put(version):
        folder = tmp_path / "jdk" / "bin"
        folder.mkdir(parents=True)
        script = folder / "java"
        script.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2020-01-01' >&2\n")
        script.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(folder.parent))

    return put


def test_an_old_python_is_refused():
    with pytest.raises(gpusched.SetupError, match=r"Python 3\.9: Python 3\.10 or newer"):
        _versions.require_python((3, 9))


def test_a_missing_pyspark_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(gpusched.SetupError, match=r"PySpark is not installed.*pip install"):
        gpusched.session()


@pytest.mark.parametrize("version", ["3.5.9", "4.0.4"])
def test_an_old_pyspark_is_refused(monkeypatch, version):
    monkeypatch.setattr("pyspark.__version__", version)
    with pytest.raises(gpusched.SetupError, match=rf"PySpark {version} is installed: Spark 4\.1"):
        gpusched.configure(SparkSession.Builder())


@pytest.mark.parametrize("version", ["4.1.0", "4.2.0", "10.0.1"])
def test_newer_ones_are_not(monkeypatch, version):
    monkeypatch.setattr("pyspark.__version__", version)
    assert _versions.require_spark() == version


@pytest.mark.parametrize(("version", "number"), [("11.0.2", 11), ("1.8.0_292", 8)])
def test_an_old_java_is_refused(java, no_spark_yet, version, number):
    java(version)
    with pytest.raises(gpusched.SetupError, match=rf"is Java {number}, .* install Java 17"):
        gpusched.configure(SparkSession.Builder())


def test_a_newer_java_is_not(java):
    java("21.0.1")
    assert _versions.require_java() == 21


def test_a_missing_java_is_refused(monkeypatch, tmp_path, no_spark_yet):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(gpusched.SetupError, match=r"no Java was found .*PATH has no java"):
        gpusched.configure(SparkSession.Builder())
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    with pytest.raises(gpusched.SetupError, match=r"JAVA_HOME is .*gone, and .* does not start"):
        gpusched.configure(SparkSession.Builder())


def test_a_missing_jar_is_refused(monkeypatch, tmp_path, no_spark_yet):
    monkeypatch.setattr("gpusched._jar.__file__", str(tmp_path / "gpusched" / "_jar.py"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(gpusched.SetupError, match=r"jar was not found.*mvnw.*GPUSCHED_JAR"):
        gpusched.configure(SparkSession.Builder())


@pytest.mark.parametrize("given", ["no/such.jar", "group:artifact", "a b:c:d"])
def test_a_wrong_jar_is_refused(monkeypatch, given):
    with pytest.raises(gpusched.SetupError, match="neither a file nor Maven coordinates"):
        gpusched.find_jar(given)
    monkeypatch.setenv("GPUSCHED_JAR", given)
    with pytest.raises(gpusched.SetupError, match=f"^GPUSCHED_JAR='{given}'"):
        gpusched.find_jar()


def test_where_the_jar_is_found(monkeypatch, tmp_path, no_spark_yet):
    package = tmp_path / "site" / "gpusched"
    target = tmp_path / "repository" / "spark-gpu-sched" / "target"
    below = tmp_path / "repository" / "a" / "b"
    for folder in (package / "jars", target, below):
        folder.mkdir(parents=True)
    monkeypatch.setattr("gpusched._jar.__file__", str(package / "_jar.py"))
    monkeypatch.chdir(below)
    for name in ("spark-gpu-sched-1.jar", "spark-gpu-sched-1-sources.jar"):
        (target / name).touch()
    assert gpusched.find_jar().place == str(target / "spark-gpu-sched-1.jar")
    (package / "jars" / "spark-gpu-sched-2.jar").touch()
    assert gpusched.find_jar().place == str(package / "jars" / "spark-gpu-sched-2.jar")
    monkeypatch.setenv("GPUSCHED_JAR", "io.github:spark-gpu-sched:0.1.0")
    assert gpusched.find_jar().key == "spark.jars.packages"
    own = tmp_path / "own.jar"
    own.touch()
    assert gpusched.find_jar(own).place == str(own)


def configured(builder, tmp_path):
    jar = tmp_path / "plugin.jar"
    jar.touch()
    return gpusched.configure(builder, jar=jar)._options, str(jar)


def test_what_a_builder_has_stays(no_spark_yet, tmp_path):
    builder = (
        SparkSession.Builder().config("spark.jars", "a.jar").config("spark.plugins", "other.P")
    )
    options, jar = configured(builder, tmp_path)
    assert options["spark.jars"] == f"a.jar,{jar}"
    assert options["spark.plugins"] == f"other.P,{_session.PLUGIN}"
    assert configured(builder, tmp_path)[0]["spark.jars"] == f"a.jar,{jar}", "not twice"


def test_what_spark_defaults_say_stays(no_spark_yet, tmp_path, monkeypatch):
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    (tmp_path / "spark-defaults.conf").write_text(
        "# spark.jars no.jar\nspark.jars   a.jar, b.jar\nspark.plugins=other.P  \n\nspark.x\n"
    )
    options, jar = configured(SparkSession.Builder(), tmp_path)
    assert options["spark.jars"] == f"a.jar,b.jar,{jar}"
    assert options["spark.plugins"] == f"other.P,{_session.PLUGIN}"


def test_coordinates_are_left_to_spark(no_spark_yet):
    builder = gpusched.configure(SparkSession.Builder(), jar="g:a:1")
    assert builder._options["spark.jars.packages"] == "g:a:1"
    assert "spark.jars" not in builder._options


def test_connect_cannot_be_configured_from_a_client(no_spark_yet, monkeypatch):
    with pytest.raises(gpusched.SetupError, match="cannot add a plugin to its server"):
        gpusched.configure(SparkSession.Builder().remote("sc://host"))
    with pytest.raises(gpusched.SetupError, match=r"spark\.api\.mode=connect"):
        gpusched.configure(SparkSession.Builder().config("spark.api.mode", "connect"))
    with pytest.raises(gpusched.SetupError, match=r"remote='local' is not allowed: give sc://"):
        gpusched.session(remote="local")
    with pytest.raises(gpusched.SetupError, match="are the server's"):
        gpusched.session(remote="sc://host", config={"a": 1})


def test_a_jar_of_ones_own_must_be_there(no_spark_yet):
    with pytest.raises(gpusched.SetupError, match=r"jars: 'no\.jar' is not a file"):
        gpusched.session(jars=["no.jar"])


def test_a_spark_without_the_plugin_is_refused(tmp_path):
    """Three states of a process, in one of its own: running without it, stopped, spark-submit."""
    script = tmp_path / "without.py"
    script.write_text(
        "from pyspark.sql import SparkSession\n"
        "import gpusched\n"
        "builder = SparkSession.builder.master('local[1]').config('spark.ui.enabled', False)\n"
        "spark = builder.getOrCreate()\n"
        "def refused(what):\n"
        "    try:\n"
        "        what()\n"
        "        print('answer: not refused')\n"
        "    except gpusched.SetupError as e:\n"
        "        print('answer:', e)\n"
        "refused(gpusched.session)\n"
        "refused(lambda: gpusched.load_table(spark))\n"
        "spark.stop()\n"
        "refused(gpusched.session)\n"
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    answers = [line for line in run.stdout.splitlines() if line.startswith("answer:")]
    assert len(answers) == 3, run.stderr
    assert "call spark.stop() first" in answers[0]
    assert "this session's Spark runs without the plugin" in answers[1]
    assert "JVM without the plugin's jar" in answers[2]
    assert "restart the kernel" in answers[2]


def test_the_wheel_has_the_jar_and_the_types(tmp_path):
    package = REPOSITORY / "python-examples"
    jars = sorted(file.name for file in (package / "src/gpusched/jars").glob("*.jar"))
    if not jars:
        pytest.skip("no jar in src/gpusched/jars: ./mvnw -DskipTests package puts it there")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
        + ["--disable-pip-version-check", "-w", str(tmp_path), str(package)],
        check=True,
        timeout=120,
    )
    wheel = next(Path(tmp_path).glob("*.whl"))
    names = zipfile.ZipFile(wheel).namelist()
    assert sorted(os.path.basename(n) for n in names if n.endswith(".jar")) == jars
    assert "gpusched/py.typed" in names
    metadata = (
        zipfile.ZipFile(wheel).read(next(n for n in names if n.endswith("/METADATA"))).decode()
    )
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert not any("pyspark" in line and "extra" not in line for line in needed)


def test_a_notebook_is_spared_what_every_start_logs(no_spark_yet, monkeypatch, tmp_path):
    def quietened():
        builder = SparkSession.Builder()
        _session._quieten(builder)
        return _session._options(builder)

    options = quietened()
    assert options["spark.ui.showConsoleProgress"] == "false"
    file = options["spark.driver.extraJavaOptions"].removeprefix("-Dlog4j2.configurationFile=")
    assert Path(file.removeprefix("file://")).is_file()
    # What is set, in one way or another, stays.
    (tmp_path / "spark-defaults.conf").write_text("spark.ui.showConsoleProgress true\n")
    (tmp_path / "log4j2.properties").touch()
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert quietened() == {}
