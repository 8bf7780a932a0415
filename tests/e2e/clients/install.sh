#!/bin/sh
# install.sh: provides the Java compiler for the generated clients.
exec sh "$(dirname "$0")/../../debian.sh" javac:openjdk-17-jdk-headless java:openjdk-17-jre-headless
