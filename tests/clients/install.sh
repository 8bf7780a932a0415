#!/usr/bin/env bash
# Installs a Java compiler from Debian's packages. Needs root.
set -euo pipefail
if [ "$(id -u)" -ne 0 ]; then
  echo "javac is missing: install a JDK, version 17 or later (openjdk-17-jdk-headless)" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -qq -y --no-install-recommends openjdk-17-jdk-headless
