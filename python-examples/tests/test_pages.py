"""The Python snippets of README and docs, run from the pages themselves."""

import os
import re
import subprocess
import sys
from pathlib import Path

import gpusched
import page_runner
import pytest
from conftest import REPOSITORY

RUNNER = Path(__file__).parent / "page_runner.py"
PAGES = [
    page
    for page in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md")))
    if "```python" in page.read_text("utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_snippets_run_as_pasted(page, tmp_path):
    """In an empty folder, with no Spark yet, on two cores."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SPARK_")}
    settings = tmp_path / "conf"
    settings.mkdir()
    (settings / "spark-defaults.conf").write_text(
        "spark.master local[2]\nspark.log.level OFF\nspark.ui.port 0\n"
        "spark.driver.host 127.0.0.1\nspark.driver.bindAddress 127.0.0.1\n"
    )
    environment |= {
        "SPARK_CONF_DIR": str(settings),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONUTF8": "1",
        "GPUSCHED_JAR": gpusched.find_jar().place,
    }
    run = subprocess.run(
        [sys.executable, RUNNER, page],
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        cwd=tmp_path,
        env=environment,
    )
    assert run.returncode == 0, run.stdout + run.stderr[-4000:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_not_run_says_why(page):
    found = list(page_runner.snippets(page))
    assert len(found) == page.read_text("utf-8").count("```python")
    for line, _, expected, why_not in found:
        assert why_not is None or expected is None, f"{page.name}:{line}"


def test_links_of_the_pages_lead_somewhere():
    """To a file of the repository, and to a heading of it."""
    for page in (REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")):
        text = page.read_text("utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" in target or target.startswith("mailto:"):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            assert file.exists(), f"{page.name}: {target}"
            if anchor and file.suffix == ".md":
                assert anchor in anchors(file), f"{page.name}: {target}"


def anchors(file):
    headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.M)
    plain = [re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", h)) for h in headings]
    return {heading.strip().lower().replace(" ", "-") for heading in plain}
