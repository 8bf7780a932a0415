#!/bin/sh
# The Java compiler that generated clients are compiled by.
exec sh "$(dirname "$0")/../../debian.sh" javac:openjdk-17-jdk-headless java:openjdk-17-jre-headless
