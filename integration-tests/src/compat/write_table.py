"""Adds the results of integration-tests/compat to docs/compatibility.csv, and makes the table of docs/compatibility.md of it.

A version's section that was run again has its newest result; others stay."""

import csv
import sys
from pathlib import Path

BEGIN, END = "<!-- made by integration-tests/compat -->", "<!-- end -->"

results, page = Path(sys.argv[1]), Path(sys.argv[2])
kept = page.with_suffix(".csv")
ORDER = ["links", "sample", "queries", "faults", "tab", "cluster", "history", "connect", "kubernetes", "servlets", "yarn", "python", "beside"]
COLUMNS = ["spark", "scala", "java", "section", "passed", "failed", "skipped", "seconds", "date"]
newest = {}
for source in (kept, results):
    if source.exists():
        with source.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                version = tuple(int(n) for n in row["spark"].split("."))
                scala = tuple(int(n) for n in row["scala"].split("."))
                newest[version, scala, int(row["java"]), ORDER.index(row["section"])] = {"date": "", **row}
rows = [newest[key] for key in sorted(newest)]
with kept.open("w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
sections = [section for section in ORDER if any(row["section"] == section for row in rows)]
homes = list(dict.fromkeys((row["spark"], row["scala"], row["java"]) for row in rows))



def of(home: tuple[str, str, str]) -> list[dict[str, str]]:
    return [row for row in rows if (row["spark"], row["scala"], row["java"]) == home]


def cell(home: tuple[str, str, str], section: str) -> str:
    for row in of(home):
        if row["section"] == section:
            passed, failed, skipped = (int(row[name]) for name in ("passed", "failed", "skipped"))
            if passed + failed + skipped == 0:
                return "not for it"
            parts = [f"**{failed} failed**"] * (failed > 0) + [f"{passed} passed"] + [f"{skipped} skipped"] * (skipped > 0)
            return ", ".join([*parts, f"{row['seconds']} s"])
    return "–"


def days(home: tuple[str, str, str]) -> str:
    """The days of a home's sections, the first to the last. Results of before days were kept have none."""
    found = sorted({row["date"] for row in of(home) if row["date"]})
    return " to ".join(dict.fromkeys((found[0], found[-1]))) if found else "–"


def line(title: str, cells: list[str]) -> str:
    return f"| {title} | {' | '.join(cells)} |"


lines = [
    line("Spark", [spark for spark, _, _ in homes]),
    "|---|" + "---|" * len(homes),
    line("Scala", [scala for _, scala, _ in homes]),
    line("Java", [java for _, _, java in homes]),
    *(line(f"`{section}`", [cell(home, section) for home in homes]) for section in sections),
    line("in all", [f"{sum(int(row['seconds']) for row in of(home))} s" for home in homes]),
    line("run on", [days(home) for home in homes]),
]
text = page.read_text(encoding="utf-8")
before, rest = text.split(BEGIN)
after = rest.split(END)[1]
page.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}", encoding="utf-8")
