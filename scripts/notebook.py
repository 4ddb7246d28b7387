"""Runs the Python of docs/notebooks.md against a server (TRANCHE_URL, TRANCHE_KEY) and its lake (TRANCHE_LAKE).

Prints one line per table: its name, rows, and columns with their types. Exits with 3 if a package is not installed.
"""

import json
import pathlib
import re
import sys

for package in ('duckdb', 'pandas', 'polars', 'pyarrow'):
    try:
        __import__(package)
    except ImportError:
        print(f'{package} is not installed: pip install pandas polars duckdb pyarrow', file=sys.stderr)
        sys.exit(3)

page = pathlib.Path(__file__).parent.parent / 'docs' / 'notebooks.md'
names = {}
for code in re.findall(r'^```python\n(.*?)^```', page.read_text(), re.DOTALL | re.MULTILINE):
    exec(compile(code, str(page), 'exec'), names)

pandas, polars, duckdb = (names[name] for name in ('pd', 'pl', 'duckdb'))
for name, value in names.items():
    if isinstance(value, pandas.DataFrame):
        rows, types = len(value), value.dtypes.astype(str).to_dict()
    elif isinstance(value, polars.DataFrame):
        rows, types = value.height, {column: str(kind) for column, kind in value.schema.items()}
    elif isinstance(value, duckdb.DuckDBPyRelation):
        rows, types = len(value.fetchall()), dict(zip(value.columns, map(str, value.types)))
    else:
        continue
    print(json.dumps({'name': name, 'rows': rows, 'types': types}))
print(json.dumps({'name': 'units', 'rows': len(names['units']), 'types': names['units']}))
