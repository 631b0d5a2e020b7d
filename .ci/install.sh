#!/usr/bin/env bash
# Makes a bare Debian ready for the tests: what is missing is installed.
set -euo pipefail

missing=()
need() { missing+=("$@"); }

# What the release-approval example reads.
command -v git >/dev/null 2>&1 || need git
# A browser, for the tests of the web UI.
command -v chromium >/dev/null 2>&1 || need chromium
# What keeps programs of MCP servers from the server's secrets.
command -v bwrap >/dev/null 2>&1 || need bubblewrap
# A load balancer, for the test of rolling restarts.
[ -x /usr/sbin/haproxy ] || need haproxy
# A screen, a keychain and what Electron is linked to, for the tests of the desktop client.
if ! command -v Xvfb >/dev/null 2>&1 || ! command -v gnome-keyring-daemon >/dev/null 2>&1 || ! command -v dbus-daemon >/dev/null 2>&1 || ! ldconfig -p | grep -q 'libnotify\.so\.4'; then
  need xvfb dbus-x11 libnotify4 gnome-keyring libsecret-1-0 libnss3 libgbm1 libasound2 libgtk-3-0
fi
# What the desktop client is packed by, where electron-builder's own tools are not downloaded.
if ! command -v 7zz >/dev/null 2>&1 || ! command -v mksquashfs >/dev/null 2>&1 || ! command -v desktop-file-validate >/dev/null 2>&1; then
  need 7zip squashfs-tools desktop-file-utils
fi

if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  # A fresh machine may be updating itself, and a mirror may break off.
  patiently() { apt-get -qq -o DPkg::Lock::Timeout=600 -o Acquire::Retries=5 "$@"; }
  patiently update
  # Since Debian 13 and Ubuntu 24.04 it has another name, and the old one is no single package's.
  if apt-cache show libasound2t64 >/dev/null 2>&1; then missing=("${missing[@]/#%libasound2/libasound2t64}"); fi
  patiently install -y "${missing[@]}"
fi
