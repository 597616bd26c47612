#!/bin/sh
# Writes the tree of the action's release branch to a directory: action.yml, the workflows that others call, the hooks for
# pre-commit, and the packed program with its packages.
# Nothing is built there. Run `npm run build` first.
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
cp -R action.yml .pre-commit-hooks.yaml package-lock.json .npmrc .github "$tree"
npm ci --prefix "$tree" --omit=dev --ignore-scripts
# pre-commit installs what it finds here, and would build.
npm pkg delete scripts devDependencies --prefix "$tree"
