"""Reads each Iceberg table of a lake with Spark, and compares it with the Parquet file of a snapshot.

    read-iceberg-spark.py JAR LAKE SNAPSHOT    the jar of iceberg-spark-runtime

Prints one line per table, in the order of the snapshot's manifest.
"""

import json
import os
import sys

from pyspark.sql import SparkSession

jar, lake, snapshot = sys.argv[1:]
spark = (
    SparkSession.builder.master('local[1]')
    .config('spark.jars', jar)
    .config('spark.ui.enabled', 'false')
    .config('spark.sql.catalog.lake', 'org.apache.iceberg.spark.SparkCatalog')
    .config('spark.sql.catalog.lake.type', 'hadoop')
    .config('spark.sql.catalog.lake.warehouse', f'{lake}/iceberg')
    .getOrCreate()
)
with open(f'{lake}/snapshots/{snapshot}/manifest.json') as manifest:
    names = [table['name'] for table in json.load(manifest)['tables']]
for name in names:
    if not os.path.isdir(f'{lake}/iceberg/{name}'):
        continue
    table, file = spark.table(f'lake.{name}'), spark.read.parquet(f'{lake}/snapshots/{snapshot}/{name}.parquet')
    columns = [f'`{column}`' for column in file.columns]
    others = table.select(*columns).exceptAll(file.select(*columns)).count()
    tagged = spark.sql(f"SELECT count(*) FROM lake.{name} VERSION AS OF '{snapshot}'").first()[0]
    print(f'{name}: {table.count()} rows, {others} others, {tagged} by the tag', flush=True)
