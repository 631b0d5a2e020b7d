#!/usr/bin/env bash
# Prepares a bare Debian for the tests: installs the missing programs.
set -euo pipefail

missing=()
need() { missing+=("$@"); }

# The release-approval example reads git repositories.
command -v git >/dev/null 2>&1 || need git
# The browser for the tests of the web UI.
command -v chromium >/dev/null 2>&1 || need chromium
# The sandbox that hides the server's secrets from the programs of MCP servers.
command -v bwrap >/dev/null 2>&1 || need bubblewrap
# The load balancer for the test of rolling restarts.
[ -x /usr/sbin/haproxy ] || need haproxy
# A virtual display, a keychain and the shared libraries of Electron, for the tests of the desktop client.
if ! command -v Xvfb >/dev/null 2>&1 || ! command -v gnome-keyring-daemon >/dev/null 2>&1 || ! command -v dbus-daemon >/dev/null 2>&1 || ! ldconfig -p | grep -q 'libnotify\.so\.4'; then
  need xvfb dbus-x11 libnotify4 gnome-keyring libsecret-1-0 libnss3 libgbm1 libasound2 libgtk-3-0
fi
# The tools that package the desktop client if electron-builder has not downloaded its own.
if ! command -v 7zz >/dev/null 2>&1 || ! command -v mksquashfs >/dev/null 2>&1 || ! command -v desktop-file-validate >/dev/null 2>&1; then
  need 7zip squashfs-tools desktop-file-utils
fi

if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  # A fresh machine may be running its own updates, and a mirror may drop the connection.
  apt_get_with_retries() { apt-get -qq -o DPkg::Lock::Timeout=600 -o Acquire::Retries=5 "$@"; }
  apt_get_with_retries update
  # Since Debian 13 and Ubuntu 24.04, libasound2 has another name, and several packages provide the old name.
  if apt-cache show libasound2t64 >/dev/null 2>&1; then missing=("${missing[@]/#%libasound2/libasound2t64}"); fi
  apt_get_with_retries install -y "${missing[@]}"
fi
