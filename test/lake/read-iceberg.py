"""Reads Iceberg tables with pyiceberg and writes their rows as Parquet.

    read-iceberg.py JOBS    a JSON list of {"table": folder or metadata file, "snapshot": number or null, "to": file,
                            "properties": of the bucket}

Prints what it knows of each: fields with their ids and descriptions, and the names that mark snapshots.
"""

import json
import sys

import pyarrow.parquet
from pyiceberg.table import StaticTable

told = []
for job in json.loads(sys.argv[1]):
    table = StaticTable.from_metadata(job['table'], job.get('properties', {}))
    rows = table.scan(snapshot_id=job['snapshot']).to_arrow()
    pyarrow.parquet.write_table(rows, job['to'])
    told.append(
        {
            'fields': [[field.field_id, field.name, str(field.field_type), field.doc] for field in table.schema().fields],
            'refs': sorted(table.refs()),
            'snapshots': [snapshot.snapshot_id for snapshot in table.snapshots()],
            'counted': [file.file.record_count for file in table.scan(snapshot_id=job['snapshot']).plan_files()],
        }
    )
print(json.dumps(told))
