"""What must be there before a session starts: versions, Java, the jar. Starts no Spark."""

import os
import re
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import gpusched
import pyspark
import pytest
from conftest import REPOSITORY
from gpusched import _connect, _running, _session, _settings, _versions
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


@pytest.mark.parametrize("version", ["3.3.0", "3.4.4"])
def test_an_old_pyspark_is_refused(monkeypatch, version):
    monkeypatch.setattr("pyspark.__version__", version)
    with pytest.raises(gpusched.SetupError, match=rf"PySpark {version} is installed: Spark 3\.5"):
        gpusched.configure(SparkSession.Builder())


@pytest.mark.parametrize("version", ["3.5.0", "4.0.0", "4.2.0", "10.0.1"])
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
    assert _versions.require_java() == os.path.join(os.environ["JAVA_HOME"], "bin", "java")


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
    (package / "jars" / "spark-gpu-sched_2.12-2.jar").touch()
    assert gpusched.find_jar().place == str(package / "jars" / "spark-gpu-sched-2.jar")
    with monkeypatch.context() as older:
        older.setattr("pyspark.__version__", "3.5.9")
        assert gpusched.find_jar().place == str(package / "jars" / "spark-gpu-sched_2.12-2.jar")
        (package / "jars" / "spark-gpu-sched_2.12-2.jar").unlink()
        with pytest.raises(gpusched.SetupError, match=r"jar was not found.*-Pspark-3\.5"):
            gpusched.find_jar()
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
    assert options["spark.plugins"] == f"other.P,{_running.PLUGIN}"
    assert configured(builder, tmp_path)[0]["spark.jars"] == f"a.jar,{jar}", "not twice"


def test_what_spark_defaults_say_stays(no_spark_yet, tmp_path, monkeypatch):
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    (tmp_path / "spark-defaults.conf").write_text(
        "# spark.jars no.jar\nspark.jars   a.jar, b.jar\nspark.plugins=other.P  \n\nspark.x\n"
    )
    options, jar = configured(SparkSession.Builder(), tmp_path)
    assert options["spark.jars"] == f"a.jar,b.jar,{jar}"
    assert options["spark.plugins"] == f"other.P,{_running.PLUGIN}"


def test_what_the_packages_own_conf_folder_says_stays(no_spark_yet, tmp_path, monkeypatch):
    monkeypatch.setattr(pyspark, "__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text("spark.plugins a.B\n")
    options = _settings.options(gpusched.configure(SparkSession.Builder()))
    assert options["spark.plugins"] == f"a.B,{_running.PLUGIN}"


@pytest.mark.parametrize("conf", ["--conf ", "--conf=", "-c "])
def test_what_pyspark_hands_to_spark_submit_stays(no_spark_yet, monkeypatch, conf):
    given = f"{conf}spark.plugins=a.B {conf}'spark.jars=/a.jar' pyspark-shell"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", given)
    options = _settings.options(gpusched.configure(SparkSession.Builder()))
    assert options["spark.plugins"] == f"a.B,{_running.PLUGIN}"
    assert options["spark.jars"] == f"/a.jar,{gpusched.find_jar().place}"


def test_a_local_jvm_is_told_the_virtual_environment(no_spark_yet, monkeypatch, tmp_path):
    """That of a kernel that nobody activated: the plugin finds pip's NVRTC by it."""
    monkeypatch.setenv("VIRTUAL_ENV", "another")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    gpusched.configure(SparkSession.Builder().master("local[2]"))
    assert os.environ["VIRTUAL_ENV"] == "another"
    monkeypatch.delenv("VIRTUAL_ENV")
    gpusched.configure(SparkSession.Builder().master("spark://localhost:7077"))
    assert "VIRTUAL_ENV" not in os.environ
    with monkeypatch.context() as system:
        system.setattr(sys, "prefix", sys.base_prefix)
        gpusched.configure(SparkSession.Builder().master("local[2]"))
        assert "VIRTUAL_ENV" not in os.environ
    gpusched.configure(SparkSession.Builder().master("local[2]"))
    assert os.environ["VIRTUAL_ENV"] == str(tmp_path)


def test_jars_that_hide_the_plugins_are_refused(no_spark_yet, monkeypatch):
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--jars /a.jar pyspark-shell")
    refused = r"has --jars /a\.jar, in the place of which .* jars="
    with pytest.raises(gpusched.SetupError, match=refused):
        gpusched.session()
    jars = f"/a.jar,{gpusched.find_jar().place}"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--jars {jars} pyspark-shell")
    gpusched.configure(SparkSession.Builder())


def test_one_path_is_not_a_list_of_jars(no_spark_yet):
    with pytest.raises(gpusched.SetupError, match=r"jars='nope\.jar' is one path: give a list"):
        gpusched.session(jars="nope.jar")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("spark.gpusched.batch.row", 4096, r"did you mean spark\.gpusched\.batch\.rows\?"),
        ("spark.gpusched.batch.rows", 0, r"'0' is not allowed: give a whole number from 1 to"),
        ("spark.gpusched", "x", "is not a known key"),
        ("spark.gpushed.batch.rows", 1, r"ours begin with spark\.gpusched\."),
        ("gpusched.batch.rows", 1, r"ours begin with spark\.gpusched\."),
    ],
)
def test_settings_are_checked_before_a_jvm_starts(no_spark_yet, key, value, message):
    from pyspark import SparkContext

    with pytest.raises(gpusched.SetupError, match=message) as refused:
        gpusched.session(config={key: value})
    assert "\n" not in str(refused.value)
    assert SparkContext._gateway is None


def test_what_a_jvm_says_of_itself_is_no_wrong_setting(no_spark_yet, monkeypatch):
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xlog:class+load")
    builder = SparkSession.Builder().config("spark.gpusched.batch.rows", 9)
    assert gpusched.configure(builder)._options["spark.gpusched.batch.rows"] == "9"
    with pytest.raises(gpusched.SetupError, match=r"^config: spark\.gpusched\.batch\.rows='x'"):
        gpusched.configure(SparkSession.Builder().config("spark.gpusched.batch.rows", "x"))


def test_a_server_that_does_not_answer_is_not_waited_for(no_spark_yet, monkeypatch):
    monkeypatch.setattr(_connect, "_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(gpusched.SetupError, match=f"sc://127.0.0.1:{port}': no Spark Connect"):
            gpusched.session(remote=f"sc://127.0.0.1:{port}")
    with pytest.raises(gpusched.SetupError, match=r"is the port right .* TLS"):
        gpusched.session(remote=f"sc://127.0.0.1:{port}")


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


def test_the_wheel_has_the_jar_and_the_types(tmp_path):
    package = REPOSITORY / "python-examples"
    jars = sorted(file.name for file in (package / "src/gpusched/jars").glob("*.jar"))
    if not jars:
        pytest.skip("no jar in src/gpusched/jars: ./mvnw -DskipTests package puts it there")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
        + ["--disable-pip-version-check", "-w", str(tmp_path), str(package)],
        check=True,
        timeout=1200,
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
    for name in ("LICENSE", "NOTICE"):
        text = (REPOSITORY / name).read_text("utf-8")
        found = next(n for n in names if n.endswith(f".dist-info/licenses/{name}"))
        assert zipfile.ZipFile(wheel).read(found).decode() == text, f"cp {name} python-examples/"
    for field in ("Author:", "Classifier:", "Description-Content-Type:", "License-Expression:"):
        assert any(line.startswith(field) for line in metadata.splitlines()), field
    pom = (REPOSITORY / "pom.xml").read_text("utf-8")
    home = re.search(r"<url>(https://[^<]+)</url>\s*<licenses>", pom)
    assert home
    assert f"Project-URL: Homepage, {home.group(1)}" in metadata
    assert "gpusched/device_functions.h" in names


def test_a_notebook_is_spared_what_every_start_logs(no_spark_yet, monkeypatch, tmp_path):
    def quietened():
        builder = SparkSession.Builder()
        _session._quieten(builder)
        return _settings.options(builder)

    options = quietened()
    assert options["spark.ui.showConsoleProgress"] == "false"
    file = options["spark.driver.extraJavaOptions"].removeprefix("-Dlog4j2.configurationFile=")
    assert Path(file.removeprefix("file://")).is_file()
    # What is set, in one way or another, stays.
    (tmp_path / "spark-defaults.conf").write_text("spark.ui.showConsoleProgress true\n")
    (tmp_path / "log4j2.properties").touch()
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert quietened() == {}


def test_spark_connect_before_4_is_refused(monkeypatch):
    """There its classes are others: a column of it is no pyspark.sql.Column."""

    class Remote:
        __module__ = "pyspark.sql.connect.session"

    monkeypatch.setattr("pyspark.__version__", "3.5.9")
    f = gpusched.cuda_udf("double", cuda="__device__ double f(double x) { return x; }")(abs_of)
    for refused in (
        lambda: gpusched.session(remote="sc://127.0.0.1:1"),
        lambda: gpusched.load_table(Remote()),
        lambda: gpusched.register(Remote(), "f", "no.such.Class"),
        lambda: f(Remote()),
    ):
        with pytest.raises(
            gpusched.NotSupportedError,
            match=r"needs PySpark 4\.0 or newer here, and this is 3\.5\.9",
        ):
            refused()


def abs_of(x):
    return abs(x)
