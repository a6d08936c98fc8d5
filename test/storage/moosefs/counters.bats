#!/usr/bin/env bats
# server/publish-counters, with output of mfscli of MooseFS 3.0.117 and 4.57.5 for a master and two chunkservers.

load ../../client/lib/helper

setup() {
  make_machine
  export FSXBENCH_MOOSEFS_MASTER=198.18.0.1 FSXBENCH_MOOSEFS_NAMESPACE=fsxbench/MooseFS FSXBENCH_MOOSEFS_COPIES=2 FSXBENCH_MOOSEFS_ID=i-0123
  export version=4.57.5 master='2026-11-22 09:23,7,9,2,1,3,4,5,6,8,0,30,12.50%' written='104857800,400' space='master info:,total space,1000\nmaster info:,avail space,400\n'
  fake aws <<<'printf "%s\n" "${@: -1}"'
  fake mfscli <<'BODY'
case "$*" in
*-SIG*) printf 'master info:,master version,%s\n%b' "$version" "$space" ;;
# In the time zone of the machine, unless another is set.
*-SMC*) printf 'Master chart data:,%s%s\n' "$(TZ="${TZ:-Asia/Tokyo}" date -d @1795339380 '+%Y-%m-%d %H:%M')" "${master#????-??-?? ??:??}" ;;
*-SCS*) printf 'chunk servers:,198.18.0.11,9422,1,-,%s,1\nchunk servers:,198.18.0.12,9422,2,-,%s,1\n' "$version" "$version" ;;
*-SCC*) printf 'Chunkserver chart data:,2026-11-22 09:23,65536,%s,7,%s\n' "${written%,*}" "${written#*,}" ;;
esac
BODY
}

publish() { "$client/storage/moosefs/server/publish-counters"; }

# value NAME: of the metric in $output.
value() { python3 -c 'import json, sys; print({one["MetricName"]: one["Value"] for one in json.loads(sys.argv[2])}.get(sys.argv[1]))' "$1" "$output"; }

@test "a master that has counted nothing yet publishes nothing, and says so" {
  master='2026-11-22 09:23,-,-,-,-,-,-,-,-,-,-,-,-' run publish
  [ "$status" -eq 1 ]
  [[ "$output" == *'the master has counted nothing in the last minute'* ]]
  [ "$(count '^aws ')" -eq 0 ]
}

@test "a chunkserver that does not know the minute leaves bytes out, and operations in" {
  written='104857800,18446744073709551615' run publish
  [ "$status" -eq 0 ]
  [ "$(value BytesWritten)" = None ]
  [ "$(value FileDeletes)" = 4 ]
}

@test "bytes are those of all chunkservers, and each copy that is written counts once" {
  run publish
  [ "$status" -eq 0 ]
  [ "$(value BytesRead)" = 65543 ]
  [ "$(value BytesWritten)" = 52429100 ]
  [ "$(value UsedBytes)" = 600 ]
  [ "$(value FreeBytes)" = 400 ]
  [ "$(value MasterCpu)" = 12.5 ]
  [[ "$output" == *'"Timestamp":"2026-11-22T09:23:00Z","Dimensions":[{"Name":"Master","Value":"i-0123"}]'* ]]
  grep -q '^aws cloudwatch put-metric-data --region us-east-1 --namespace fsxbench/MooseFS ' "$calls"
  # Of each chunkserver, in the order in which they are added up.
  grep -qx 'mfscli -p -n -s, -H 198.18.0.1 -SCC -c 1 -d 198.18.0.11:9422:+databytesr,198.18.0.11:9422:+databytesw,198.18.0.12:9422:+databytesr,198.18.0.12:9422:+databytesw' "$calls"
}

@test "each operation is that of its own chart" {
  run publish
  [ "$(for name in DirectoryCreates DirectoryDeletes FileDeletes Renames FileOpens Stats; do value "$name"; done | xargs)" = '2 1 4 5 8 7' ]
  grep -qx 'mfscli -p -n -s, -H 198.18.0.1 -SMC -a 1 -b +getattr,+lookup,+mkdir,+rmdir,+mknod,+unlink,+rename,+readdir,+open,+setattr,+create,cpu' "$calls"
}

@test "without an id of its own it is that of this instance" {
  unset FSXBENCH_MOOSEFS_ID
  mkdir -p "$FSXBENCH_ROOT/var/lib/cloud/data"
  echo i-0999 >"$FSXBENCH_ROOT/var/lib/cloud/data/instance-id"
  run publish
  [[ "$output" == *'"Value":"i-0999"'* ]]
}

@test "a master that says nothing of its space leaves it out" {
  space='' run publish
  [ "$status" -eq 0 ]
  [ "$(value UsedBytes)" = None ]
  [ "$(value FileDeletes)" = 4 ]
}

@test "files are made by create from release 4 on; before, that column counts chunks" {
  run publish
  [ "$(value FileCreates)" = 33 ]
  [ "$(value MetadataOperations)" = 75 ]
  version=3.0.117 run publish
  [ "$(value FileCreates)" = 3 ]
  [ "$(value MetadataOperations)" = 45 ]
}
