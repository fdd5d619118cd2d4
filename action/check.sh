#!/usr/bin/env bash
# Runs iterion over the paths of the workflow's author. Annotations go to the
# standard output. Exit status: 0 fine; 1 findings, or a file that is not in
# the canonical style; 2 a wrong input, or a file that cannot be read.
set -euo pipefail

iterion="$RUNNER_TEMP/iterion-action/iterion"

# The input itself is not repeated: its lines could be commands to the runner.
wrong() {
  printf '::error title=iterion action::%s\n' "$1"
  exit 2
}

paths=()
while IFS= read -r path; do
  path="${path%$'\r'}"
  [ -z "$path" ] || paths+=("$path")
done <<<"$INPUT_PATHS"
[ "${#paths[@]}" -gt 0 ] || wrong 'paths names nothing: write one file or folder a line, or . for all of them.'

limit=()
if [ -n "$INPUT_MAX_WARNINGS" ]; then
  [[ "$INPUT_MAX_WARNINGS" =~ ^[0-9]{1,9}$ ]] || wrong 'max-warnings takes a whole number, or nothing for no limit.'
  limit=(--max-warnings "$INPUT_MAX_WARNINGS")
fi
[[ "$INPUT_FMT" =~ ^(true|false)$ ]] || wrong 'fmt takes true or false.'

status=0
worse() { [ "$1" -le "$status" ] || status=$1; }

"$iterion" validate --format github ${limit[@]+"${limit[@]}"} -- "${paths[@]}" || worse $?

# A name is encoded as the runner asks for, and nothing but our own words
# begins a line.
annotate() {
  local file
  while IFS= read -r file; do
    file="${file//'%'/%25}"
    file="${file//$'\r'/%0D}"
    file="${file//:/%3A}"
    file="${file//,/%2C}"
    printf '::error file=%s,title=format::This file is not in the canonical style: run iterion fmt on it.\n' "$file"
  done
}
if [ "$INPUT_FMT" = true ]; then
  out=$(mktemp -d "$RUNNER_TEMP/iterion-fmt.XXXXXX")
  "$iterion" fmt --check -- "${paths[@]}" >"$out/differ" 2>"$out/said" || worse $?
  annotate <"$out/differ"
  sed 's/^/fmt: /' "$out/said" >&2
fi
exit "$status"
