"""Reads what the encoders wrote with pyarrow, pandas and polars, and prints what it found as JSON."""

import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq

folder = sys.argv[1]


def described(schema):
    return [
        {
            "name": field.name,
            "type": str(field.type),
            "unit": (field.metadata or {}).get(b"unit", b"").decode(),
            "description": (field.metadata or {}).get(b"description", b"").decode(),
        }
        for field in schema
    ]


def about(schema):
    return {k.decode(): v.decode() for k, v in (schema.metadata or {}).items() if k in (b"snapshot", b"as_of")}


def rows(table):
    return json.loads(json.dumps(table.to_pylist(), default=lambda v: v.isoformat()))


with open(f"{folder}/rows.arrow", "rb") as file:
    stream = pa.ipc.open_stream(file).read_all()
stream.validate(full=True)
parquet = pq.read_table(f"{folder}/rows.parquet")
parquet.validate(full=True)
found = {
    "arrow": {"schema": described(stream.schema), "about": about(stream.schema), "rows": rows(stream)},
    "parquet": {
        "schema": described(pq.read_schema(f"{folder}/rows.parquet")),
        "about": about(parquet.schema),
        "rows": rows(parquet),
    },
}

try:
    import pandas as pd
except ImportError:
    pass
else:
    csv = pd.read_csv(f"{folder}/rows.csv", keep_default_na=False, dtype=str)
    found["pandas"] = {
        "csv": csv.values.tolist(),
        "parquet": [str(t) for t in pd.read_parquet(f"{folder}/rows.parquet").dtypes],
        "arrow": len(stream.to_pandas()),
    }

try:
    import polars as pl
except ImportError:
    pass
else:
    found["polars"] = {
        "arrow": [str(t) for t in pl.read_ipc_stream(f"{folder}/rows.arrow").dtypes],
        "parquet": [str(t) for t in pl.read_parquet(f"{folder}/rows.parquet").dtypes],
        "ndjson": pl.read_ndjson(f"{folder}/rows.ndjson").height,
        "csv": pl.read_csv(f"{folder}/rows.csv", infer_schema_length=0).height,
    }

print(json.dumps(found))
