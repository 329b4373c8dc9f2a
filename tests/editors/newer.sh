#!/usr/bin/env bash
# Newer editors than the system's: Neovim (0.11 or later), Helix and Emacs of Debian 14 in a tree of their own.
#
#   sudo tests/editors/newer.sh [TREE]     # default: /usr/local/lib/memlane-forky; some minutes and 900 MB
#   MEMLANE_TREE=TREE pytest tests/editors # finds the default by itself
#
# Nothing outside of the tree changes; `rm -rf TREE` undoes all of it. Needs debootstrap and root.
set -euo pipefail
tree=${1:-/usr/local/lib/memlane-forky}
mirror=${MIRROR:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
export DEBIAN_FRONTEND=noninteractive

if [[ ! -e $tree/usr/bin/apt-get ]]; then
  debootstrap --variant=minbase --keyring="$keyring" forky "$tree.part" "$mirror" sid # debootstrap may be older
  mv "$tree.part" "$tree"
fi
cp /etc/resolv.conf "$tree/etc/resolv.conf"
for file in /etc/apt/apt.conf.d/*proxy*; do # a proxy of this machine is one of the tree's, too
  if [[ -e $file ]]; then cp "$file" "$tree/etc/apt/apt.conf.d/"; fi
done
echo 'Acquire::Check-Valid-Until "false";' > "$tree/etc/apt/apt.conf.d/99old" # mirrors may stand still
chroot "$tree" apt-get update -q
chroot "$tree" apt-get install -y -q --no-install-recommends neovim hx emacs-nox
chroot "$tree" apt-get clean
echo "$tree: $(du -sh "$tree" | cut -f1)"
