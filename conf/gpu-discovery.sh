#!/usr/bin/env bash
# Spark's GPU discovery: prints the indices of this host's NVIDIA GPUs as one line of JSON, such as
#   {"name":"gpu","addresses":["0","1"]}
# Where there is none, it says why on stderr, prints no JSON and ends with status 1.
# Needs nvidia-smi and bash alone, as an executor's PATH may be short.
set -u

fail() {
  echo "gpu-discovery: $1" >&2
  exit 1
}

command -v nvidia-smi >/dev/null || fail "no nvidia-smi on PATH: is the NVIDIA driver installed?"

# With an error nvidia-smi writes its message to stdout, where the indices should be. What it warns of on stderr goes to the executor's.
indices=$(nvidia-smi --query-gpu=index --format=csv,noheader) ||
  fail "nvidia-smi failed (status $?): ${indices//$'\n'/ }"

addresses=
while read -r index; do
  [[ $index =~ ^[0-9]+$ ]] || fail "nvidia-smi gave no index of a GPU but: ${indices//$'\n'/ }"
  addresses+="${addresses:+,}\"$index\""
done <<<"$indices"

echo "{\"name\":\"gpu\",\"addresses\":[$addresses]}"
