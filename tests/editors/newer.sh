#!/usr/bin/env bash
# Newer editors than the system's: Neovim, Helix and Emacs of Debian 13 in a tree of their own, beside the system.
#
#   sudo tests/editors/newer.sh [TREE]     # default: /usr/local/lib/memlane-trixie; some minutes and 900 MB
#   MEMLANE_TREE=TREE pytest tests/editors # finds the default by itself
#
# Nothing outside of the tree changes; `rm -rf TREE` undoes all of it. Needs debootstrap and root.
set -euo pipefail
tree=${1:-/usr/local/lib/memlane-trixie}
mirror=${MIRROR:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
export DEBIAN_FRONTEND=noninteractive

if [[ ! -e $tree/usr/bin/apt-get ]]; then
  debootstrap --variant=minbase --keyring="$keyring" trixie "$tree.part" "$mirror"
  mv "$tree.part" "$tree"
fi
cp /etc/resolv.conf "$tree/etc/resolv.conf"
for file in /etc/apt/apt.conf.d/*proxy*; do # a proxy of this machine is one of the tree's, too
  if [[ -e $file ]]; then cp "$file" "$tree/etc/apt/apt.conf.d/"; fi
done
chroot "$tree" apt-get update -q
chroot "$tree" apt-get install -y -q --no-install-recommends neovim hx emacs-nox
chroot "$tree" apt-get clean
echo "$tree: $(du -sh "$tree" | cut -f1)"
