#!/usr/bin/env bash
# Builds the iterion of the action's own version.
set -euo pipefail

cd "$GITHUB_ACTION_PATH/.."
CGO_ENABLED=0 go build -o "$RUNNER_TEMP/iterion-action/" ./cmd/iterion
