#!/usr/bin/env bash
# Asks a server over the sample whatever Schemathesis makes of its OpenAPI document, for so many seconds.
# scripts/fuzz-api.sh [SECONDS] [SEED]; other requests each time without a seed. Needs `npm run build` and the
# schemathesis command (pip install schemathesis).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-90}
seed=${2:-$RANDOM}
work=$(mktemp -d)
: >"$work/err"
[ -z "${TRANCHE_TEST_SAMPLE:-}" ] || cp -a "$TRANCHE_TEST_SAMPLE" "$work/lake"
node dist/cli/main.js serve --demo --port 0 --lake "$work/lake" >"$work/out" 2>"$work/err" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" || true; rm -rf "$work"' EXIT

until grep -q '^demo key: ' "$work/err"; do
  kill -0 "$server" 2>/dev/null || { cat "$work/err"; exit 1; }
  sleep 1
done
url=$(sed -n 's/^listening on //p' "$work/out")
key=$(sed -n 's/^demo key: //p' "$work/err")

# The document cannot say everything that is refused (ranges that cross, questions without a subject), and an empty
# parameter is an absent one: which requests are taken is for test/server/contract. A key has 500 requests a minute.
# Lists and texts as long as they may be would not fit into a request line, which ends the connection.
curl -s "$url/v1/openapi.json" |
  sed -E 's/"maxItems":1000/"maxItems":4/g; s/"maxLength":(20000|2000|512)/"maxLength":60/g' >"$work/openapi.json"
schemathesis run "$work/openapi.json" --url "$url" --header "X-API-Key: $key" --rate-limit 480/m --workers 1 --warnings off \
  --phases examples,coverage,fuzzing --max-time "$seconds" --seed "$seed" --request-timeout 60 --continue-on-failure \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method,ignored_auth
