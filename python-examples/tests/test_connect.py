"""Through Spark Connect: a server with the plugin, and clients in processes of their own."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import gpusched
import pyspark
import pytest

CLIENT = Path(__file__).parent / "connect_client.py"


def start(folder, *settings, environment=None):
    log = folder / "server.log"
    command = [
        str(Path(pyspark.__file__).parent / "bin" / "spark-submit"),
        *("--master", "local[2]", "--conf", "spark.ui.enabled=false"),
        *("--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.driver.bindAddress=127.0.0.1"),
        *("--conf", "spark.connect.grpc.binding.address=127.0.0.1"),
        *("--conf", "spark.connect.grpc.binding.port=0"),
        *settings,
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"),
    ]
    if environment is None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SPARK_")}
        environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    with log.open("wb") as out:
        # spark-submit execs Java, so that this is the server's process.
        process = subprocess.Popen(command, stdout=out, stderr=out, cwd=folder, env=environment)
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"Spark Connect server started at: \S*:(\d+)", log.read_text("utf-8"))
        if found:
            return process, f"sc://127.0.0.1:{found[1]}"
        time.sleep(0.1)
    process.kill()
    raise AssertionError(log.read_text("utf-8"))


@pytest.fixture(scope="module")
def with_plugin(tmp_path_factory):
    process, address = start(
        tmp_path_factory.mktemp("server"),
        *("--jars", gpusched.find_jar().place),
        *("--conf", "spark.plugins=io.github.sparkgpusched.GpuSchedPlugin"),
    )
    yield address
    process.kill()
    process.wait(600)


def client(*arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SPARK_")}
    environment["PYTHONUTF8"] = "1"
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        env=environment,
    )


def test_a_client_registers_calls_and_watches(with_plugin):
    run = client(CLIENT, with_plugin)
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout.splitlines()[-1])
    assert answer["session"] == "pyspark.sql.connect.session"
    assert answer["batched"]
    assert answer["wrong"] == 0
    assert answer["udf"] == 0
    assert answer["in a thread"] == 0
    assert answer["devices"] == ["host:0", "host:1"]
    assert answer["recorded"] == 300_000
    assert answer["no class"].startswith("SetupError: Spark finds no class 'no.such.Class'")
    assert "requires 3 parameters but the actual number is 1" in answer["arity"]
    assert answer["types"].startswith("ArgumentError: argument 2 of typed")
    assert "is bigint: give double" in answer["types"]


@pytest.fixture(scope="module")
def without_plugin(tmp_path_factory):
    process, address = start(tmp_path_factory.mktemp("other"))
    yield address
    process.kill()
    process.wait(600)


def test_a_server_without_the_plugin_is_refused(without_plugin):
    run = client("-c", f"import gpusched; gpusched.session(remote='{without_plugin}')")
    assert run.returncode == 1
    assert "SetupError: this session's Spark runs without the plugin" in run.stderr
    assert "--conf spark.plugins=" in run.stderr


REFUSED = """
import gpusched
def refused(what):
    try:
        what()
        print('answer: not refused')
    except Exception as e:
        print('answer:', type(e).__name__, e)
"""


def answers(script):
    run = client("-c", REFUSED + script)
    assert run.returncode == 0, run.stderr
    return [
        line.removeprefix("answer: ")
        for line in run.stdout.splitlines()
        if line.startswith("answer: ")
    ]


def test_a_process_has_one_server_at_a_time(with_plugin, without_plugin):
    """PySpark would return the session of the first, whatever is asked for."""
    same, other, classic, plugin, late = answers(f"""
first = gpusched.session(remote='{with_plugin}')
print('answer:', gpusched.session(remote='{with_plugin}') is first)
refused(lambda: gpusched.session(remote='{without_plugin}'))
refused(lambda: gpusched.session(master='local[1]'))
first.stop()
refused(lambda: gpusched.session(remote='{without_plugin}'))
refused(gpusched.session)
""")
    assert same == "True"
    assert other.startswith(f"SetupError remote='{without_plugin}': this process has a session of")
    assert f"{with_plugin}, " in other
    assert "call spark.stop()" in other
    assert "this session's Spark runs without the plugin" in plugin
    for refused in (classic, late):
        assert refused.startswith("SetupError this process has been a client of Spark Connect")
        assert "restart the kernel" in refused


def test_a_client_beside_a_spark_of_its_own_is_refused(with_plugin):
    beside, after, back = answers(f"""
spark = gpusched.session(master='local[1]', config={{'spark.ui.enabled': False}})
refused(lambda: gpusched.session(remote='{with_plugin}'))
spark.stop()
print('answer:', gpusched.session(remote='{with_plugin}').range(3).count())
refused(gpusched.session)
""")
    assert beside.startswith(f"SetupError remote='{with_plugin}': a Spark of its own runs")
    assert "call spark.stop()" in beside
    assert after == "3"
    assert back.startswith("SetupError this process has been a client of Spark Connect")
