#!/bin/sh
# Writes the tree of the action's release branch to a directory: action.yml, the workflows that others call, and the
# packed program with its packages.
# The action builds nothing there. Run `npm run build` first.
#
#   sh scripts/action-tree.sh DIRECTORY
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
mkdir -p "$1"
tree=$(CDPATH='' cd -- "$1" && pwd)

cd "$root"
tarball=$(npm pack --ignore-scripts --pack-destination "$tree")
tar -xzf "$tree/$tarball" -C "$tree" --strip-components 1
rm "$tree/$tarball"
cp -R action.yml package-lock.json .npmrc .github "$tree"
npm ci --prefix "$tree" --omit=dev --ignore-scripts
