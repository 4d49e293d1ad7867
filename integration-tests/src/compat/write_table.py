"""Writes the results of integration-tests/compat into the table of docs/compatibility.md, between its two marks."""

import csv
import sys
from pathlib import Path

BEGIN, END = "<!-- made by integration-tests/compat -->", "<!-- end -->"

results, page = Path(sys.argv[1]), Path(sys.argv[2])
with results.open() as file:
    rows = list(csv.DictReader(file))
sections = list(dict.fromkeys(row["section"] for row in rows))
versions = list(dict.fromkeys((row["spark"], row["scala"], row["java"]) for row in rows))


def cell(version: tuple[str, str, str], section: str) -> str:
    found = [r for r in rows if (r["spark"], r["scala"], r["java"]) == version and r["section"] == section]
    if not found:
        return "–"
    passed, failed, skipped = (int(found[-1][name]) for name in ("passed", "failed", "skipped"))
    text = f"**{failed} failed**, {passed} passed" if failed else f"{passed} passed"
    return f"{text}, {skipped} skipped" if skipped else text


lines = [
    "| Spark | Scala | Java | " + " | ".join(sections) + " |",
    "|---|---|---|" + "---|" * len(sections),
    *(f"| {' | '.join(v)} | {' | '.join(cell(v, s) for s in sections)} |" for v in versions),
]
text = page.read_text(encoding="utf-8")
before, rest = text.split(BEGIN)
after = rest.split(END)[1]
page.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}", encoding="utf-8")
