#!/usr/bin/env bash
# Demands that src/ is what grammar.js gives, runs the tests in test/ and holds
# the queries of all editors against the grammar.
set -euo pipefail
cd "$(dirname "$0")"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r . "$copy"
(cd "$copy" && bash "$OLDPWD/cli.sh" generate --no-bindings)
if ! diff -rq src "$copy/src"; then
  echo "src/ is not current: bash editors/tree-sitter-bot/cli.sh generate --no-bindings" >&2
  exit 1
fi
bash cli.sh test
for query in queries/*.scm ../*/queries/bot/*.scm ../zed/languages/bot/*.scm; do
  bash cli.sh query --quiet "$query" test/highlight/tool.bot >/dev/null || { echo "$query" >&2; exit 1; }
done
