#!/usr/bin/env bash
# tree-sitter 0.22, whose parsers Neovim 0.7 can load. npm's package fetches its
# program from elsewhere and Debian 12 has none, so Debian 13's is unpacked
# beside the libraries that it was built with; nothing is installed.
set -euo pipefail

if [[ "$(tree-sitter --version 2>/dev/null)" == "tree-sitter 0.22."* ]]; then
  exec tree-sitter "$@"
fi

unpack() {
  mkdir -p "$1"/{lists/partial,cache/archives/partial,root}
  cat >"$1/apt.conf" <<CONF
Dir::State "$1";
Dir::State::status "/dev/null";
Dir::Cache "$1/cache";
Dir::Etc::sourcelist "$1/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Sandbox::User "root";
CONF
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >"$1/sources.list"
  (
    cd "$1"
    export APT_CONFIG="$1/apt.conf"
    apt-get update -qq
    apt-get download -qq tree-sitter-cli libc6 libgcc-s1
    for package in *.deb; do dpkg-deb -x "$package" root; done
  ) >&2
  # Without a configuration every call warns that there is none.
  echo '{"parser-directories": ["none"]}' >"$1/root/config.json"
}

# Unpacked under another name first: a run that was broken off leaves nothing
# that looks complete.
home="${XDG_CACHE_HOME:-$HOME/.cache}/iterion/tree-sitter-0.22"
if [ ! -d "$home" ]; then
  mkdir -p "${home%/*}"
  fresh=$(mktemp -d "$home.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT
  unpack "$fresh"
  mv -T "$fresh/root" "$home"
  rm -rf "$fresh"
  trap - EXIT
fi
export TREE_SITTER_DIR="$home"
libraries="$home/usr/lib/$(uname -m)-linux-gnu"
exec "$libraries"/ld-linux-*.so.? --library-path "$libraries" "$home/usr/bin/tree-sitter" "$@"
