#!/usr/bin/env bash
# Builds the tree-sitter parser where Neovim looks for it: bash build.sh [FOLDER]
# writes FOLDER/parser/bot.so; without FOLDER beside this script.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
grammar="$here/../tree-sitter-bot/src"
mkdir -p "${1:-$here}/parser"
cc -std=c11 -O2 -fPIC -shared -I "$grammar" -o "${1:-$here}/parser/bot.so" "$grammar/parser.c" "$grammar/scanner.c"
