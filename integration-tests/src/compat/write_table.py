"""Adds the results of integration-tests/compat to docs/compatibility.csv, and makes the table of docs/compatibility.md of it.

A version's section that was run again has its newest result; others stay."""

import csv
import sys
from pathlib import Path

BEGIN, END = "<!-- made by integration-tests/compat -->", "<!-- end -->"

results, page = Path(sys.argv[1]), Path(sys.argv[2])
kept = page.with_suffix(".csv")
ORDER = ["links", "queries", "faults", "tab", "cluster", "history", "connect", "kubernetes", "yarn", "python", "beside"]
COLUMNS = ["spark", "scala", "java", "section", "passed", "failed", "skipped", "seconds", "date"]
newest = {}
for source in (kept, results):
    if source.exists():
        with source.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                version = tuple(int(n) for n in row["spark"].split("."))
                newest[version, int(row["java"]), ORDER.index(row["section"])] = {"date": "", **row}
rows = [newest[key] for key in sorted(newest)]
with kept.open("w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
sections = [section for section in ORDER if any(row["section"] == section for row in rows)]
versions = list(dict.fromkeys((row["spark"], row["scala"], row["java"]) for row in rows))


def cell(version: tuple[str, str, str], section: str) -> str:
    found = [r for r in rows if (r["spark"], r["scala"], r["java"]) == version and r["section"] == section]
    if not found:
        return "–"
    passed, failed, skipped = (int(found[-1][name]) for name in ("passed", "failed", "skipped"))
    if passed + failed + skipped == 0:
        return "not for it"
    text = f"**{failed} failed**, {passed} passed" if failed else f"{passed} passed"
    return f"{text}, {skipped} skipped" if skipped else text


def seconds(version: tuple[str, str, str]) -> int:
    return sum(int(r["seconds"]) for r in rows if (r["spark"], r["scala"], r["java"]) == version)


def dates(version: tuple[str, str, str]) -> str:
    """The days of a version's sections, oldest to newest. Results of before days were kept have none."""
    found = sorted({r["date"] for r in rows if (r["spark"], r["scala"], r["java"]) == version and r["date"]})
    return " to ".join(dict.fromkeys((found[0], found[-1]))) if found else "–"


lines = [
    "| Spark | Scala | Java | " + " | ".join(sections) + " | seconds in all | run on |",
    "|---|---|---|" + "---|" * (len(sections) + 2),
    *(f"| {' | '.join(v)} | {' | '.join(cell(v, s) for s in sections)} | {seconds(v)} | {dates(v)} |" for v in versions),
]
text = page.read_text(encoding="utf-8")
before, rest = text.split(BEGIN)
after = rest.split(END)[1]
page.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}", encoding="utf-8")
