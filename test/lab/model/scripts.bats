#!/usr/bin/env bats
# The scripts that throttle a storage of the lab to known speeds. Limits of disks and links need root and a suitable kernel.

bats_require_minimum_version 1.5.0

setup() {
  scripts="$BATS_TEST_DIRNAME/../../../assets/lab/model"
  # With characters that a project's folder may also have.
  export MODEL_NAME="fsxbench-bats$$-one" MODEL_FOLDER="$BATS_TEST_TMPDIR/servers of 1" MODEL_MOUNT="$BATS_TEST_TMPDIR/one client"
  export MODEL_IMAGE="$MODEL_FOLDER/disk.img" MODEL_IMAGE_BYTES=$((1 << 30)) MODEL_BTRFS_OPTIONS=noatime,compress-force=lzo
  export MODEL_DISK_READ_BPS=20000000 MODEL_DISK_WRITE_BPS=10000000 MODEL_NETWORK_BPS=30000000 MODEL_DIRTY_BYTES=4194304
}

teardown() {
  "$scripts/down"
}

needs_a_model() {
  local reason
  if ((EUID != 0)); then skip 'only root may limit disks and links'; fi
  reason="$("$scripts/check" 2>&1)" || skip "$reason"
}

# Everything of this test's storage that the kernel still has.
left() {
  ip netns list 2>/dev/null | grep "^$MODEL_NAME" || true
  grep "$BATS_TEST_TMPDIR" /proc/mounts || true
  # One that is detached stays while a mount namespace of another test has a copy of its mount (AUTOCLEAR).
  losetup --noheadings --output AUTOCLEAR,NAME,BACK-FILE | grep '^ *0' | grep "$BATS_TEST_TMPDIR" || true
  pgrep --full "$BATS_TEST_TMPDIR/servers" || true
  # A device that is attached again is another lab's by now, and so are its limits.
  if [[ -n "${number:-}" ]] && ! losetup --noheadings --output MAJ:MIN | tr -d ' ' | grep -qx "$number"; then
    grep --no-filename "^$number " /sys/fs/cgroup/blkio/blkio.throttle.*_device 2>/dev/null || true
  fi
}

@test "names all that is missing, and the packages that have it" {
  mkdir "$BATS_TEST_TMPDIR/bin"
  local program
  for program in bash dirname readlink env; do ln -s "$(command -v "$program")" "$BATS_TEST_TMPDIR/bin/$program"; done
  # Programs of administrators are also looked for in their folders.
  PATH="$BATS_TEST_TMPDIR/bin" run "$scripts/check"
  [ "$status" -eq 1 ]
  [[ "$output" == *'mfsmount, mfscli, '*'nsenter are not installed (Debian, Ubuntu: apt-get install '*'moosefs-client moosefs-cli '*'util-linux)' ]]
}

@test "refuses to work without a name, or without a rate" {
  MODEL_NAME='' run "$scripts/up"
  [ "$status" -ne 0 ]
  [[ "$output" == *'MODEL_NAME: must be set'* ]]
  unset MODEL_DISK_WRITE_BPS
  run "$scripts/up"
  [ "$status" -ne 0 ]
  [[ "$output" == *'MODEL_DISK_WRITE_BPS: must be set'* ]]
}

@test "a thread that has worked for 5.05 s is printed with the zero behind the point" {
  source "$scripts/server"
  ip() { echo $$; }
  kernel_workers() { echo $$; }
  sync() { true; }
  read() { builtin read "$@" && if [[ "${2:-}" == nanoseconds ]]; then nanoseconds=5050000000; fi; }
  run cpu
  unset -f read
  [ "$status" -eq 0 ]
  node -e 'const found = Object.values(JSON.parse(process.argv[1]).seconds); process.exit(found.length > 0 && found.every((one) => one === 5.05) ? 0 : 1)' "$output"
}

@test "a script that wants a session of its own starts itself once more, and never again whatever the machine says" {
  local script="$BATS_TEST_TMPDIR/script" bin="$BATS_TEST_TMPDIR/bin"
  cat >"$script" <<SCRIPT
#!$BASH
source "$scripts/common.sh"
\${SAYS_NOTHING:+eval 'stat_of() { stat=(S 0 0 0); }'}
read -r -a line </proc/\$\$/stat
echo "\$\$ \${line[5]} \$*" >>"$BATS_TEST_TMPDIR/starts"
in_own_session "\$0" "\$@"
echo "did \$*"
SCRIPT
  chmod +x "$script"
  mkdir "$bin"
  local program
  for program in bash dirname readlink setsid; do ln -s "$(command -v "$program")" "$bin/$program"; done
  PATH="$bin" run "$script" a 'b c'
  [ "$output" = 'did a b c' ]
  [ "$(wc -l <"$BATS_TEST_TMPDIR/starts")" -eq 2 ]
  # The second leads its session.
  [[ "$(tail -n 1 "$BATS_TEST_TMPDIR/starts")" =~ ^([0-9]+)\ ([0-9]+)\  ]]
  [ "${BASH_REMATCH[1]}" -eq "${BASH_REMATCH[2]}" ]
  : >"$BATS_TEST_TMPDIR/starts"
  SAYS_NOTHING=yes PATH="$bin" run "$script"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/starts")" -eq 2 ]
  : >"$BATS_TEST_TMPDIR/starts"
  run setsid --wait "$script"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/starts")" -eq 1 ]
}

@test "no script of the model starts itself again but through the guard" {
  [ "$(grep -l 'setsid' "$scripts"/*)" = "$scripts/common.sh" ]
}

@test "names five of the processes that do not end, and how many more there are" {
  source "$scripts/down"
  users() { printf '%s\n' "$$" "$$" "$$" "$$" "$$" 1 1; }
  run name_users
  [ "$output" = "$(printf "$$ ($(</proc/$$/comm)) %.0s" 1 2 3 4 5)and 2 more" ]
}

# Version 2 of control groups, as far as files can stand for it: no machine with them was there.
control_groups() {
  mkdir -p "$BATS_TEST_TMPDIR/v1" "$BATS_TEST_TMPDIR/v2"
  : >"$BATS_TEST_TMPDIR/v1/blkio.throttle.write_bps_device"
  : >"$BATS_TEST_TMPDIR/v2/cgroup.subtree_control"
  echo "$1" >"$BATS_TEST_TMPDIR/v2/cgroup.controllers"
}
mount_line() { echo "cgroup $BATS_TEST_TMPDIR/$1 $2 rw,$3 0 0"; }

@test "takes version 1 of control groups where it limits devices, and version 2 only where it can" {
  source "$scripts/common.sh"
  control_groups 'cpu io memory'
  run throttle_place <(mount_line v2 cgroup2 nsdelegate && mount_line v1 cgroup blkio,relatime)
  [ "$output" = "v2 $BATS_TEST_TMPDIR/v2" ]
  control_groups 'cpu memory'
  run throttle_place <(mount_line v2 cgroup2 nsdelegate && mount_line v1 cgroup blkio,relatime)
  [ "$output" = "v1 $BATS_TEST_TMPDIR/v1" ]
  run throttle_place <(mount_line v2 cgroup2 nsdelegate && mount_line v1 cgroup cpu,cpuacct)
  [ "$output" = '' ]
}

@test "version 2: limits stand in a group of the model's own, and what is not limited is max" {
  source "$scripts/common.sh"
  control_groups io
  throttle_place() { echo "v2 $BATS_TEST_TMPDIR/v2"; }
  throttle 7:3 20000000 10000000 0 161
  [ "$(<"$BATS_TEST_TMPDIR/v2/cgroup.subtree_control")" = '+io +memory' ]
  [ "$(<"$BATS_TEST_TMPDIR/v2/$MODEL_NAME/io.max")" = '7:3 rbps=20000000 wbps=10000000 riops=max wiops=161' ]
  [ "$(throttle_in_force 7:3)" = '20000000 10000000 0 161 ' ]
  [ "$(throttle_in_force 7:4)" = '0 0 0 0 ' ]
}

@test "version 2: a group that has processes of its own is named, as in a container" {
  source "$scripts/common.sh"
  control_groups io
  rm "$BATS_TEST_TMPDIR/v2/cgroup.subtree_control"
  mkdir "$BATS_TEST_TMPDIR/v2/cgroup.subtree_control"
  throttle_place() { echo "v2 $BATS_TEST_TMPDIR/v2"; }
  run throttle 7:3 1 1 0 0
  [ "$status" -eq 1 ]
  [[ "$output" == *"the control group $BATS_TEST_TMPDIR/v2 passes no limits on"* ]]
}

# measures COMMAND…: a function of disk-rate.sh, as calibrate calls it.
measures() { bash -o errexit -o nounset -o pipefail -c 'source "$1/common.sh"; source "$1/disk-rate.sh"; in_throttle() { "$@"; }; "${@:2}"' calibrate "$scripts" "$@"; }

@test "what a disk moves is the slope of what it has counted, and of few readings nothing is said" {
  local steady
  # 200 sectors of 512 bytes in 20 ms, with a slice that came late.
  steady="$(awk 'BEGIN { for (i = 0; i < 21; i++) printf "%.2f %d\n", 1000 + i * 0.02, 5000 + (i == 10 ? 9 : i) * 200 }')"
  [ "$(measures slope <<<"$steady")" -eq 5120000 ]
  [ "$(head -n 9 <<<"$steady" | measures slope)" -eq 0 ]
  [ "$(head -n 10 <<<"$steady" | measures slope)" -eq 5120000 ]
}

@test "a disk is read and written for the time of a calibration, and what was written is gone" {
  export MODEL_CALIBRATION_SECONDS=2 MODEL_DISK_READ_BPS=524288 MODEL_DISK_WRITE_BPS=262144
  # The counted values: the field, and the existing bytes.
  disk_rate() { "${@:3}"; echo "$2:$(stat -c %s "$disk/calibration")"; }
  export disk="$BATS_TEST_TMPDIR/disk"
  mkdir "$disk"
  export -f disk_rate
  run -0 bash -o errexit -c 'source "$1/disk-rate.sh"; in_throttle() { "$@"; }; eval "$2"; disk_rates loop7 "$disk"' calibrate "$scripts" "$(declare -f disk_rate)"
  [ "$output" = "6:$((5 * 262144)) 2:$((5 * 262144))" ]
  [ -z "$(ls -A "$disk")" ]
}

@test "reads and writes are counted apart, but for the first slice, and a command that fails is no rate" {
  local device="../..$BATS_TEST_TMPDIR/loop7" rate
  mkdir "$BATS_TEST_TMPDIR/loop7"
  export statistics="$BATS_TEST_TMPDIR/loop7/stat"
  echo '0 0 0 0 0 0 0 0' >"$statistics"
  # A disk that reads 1,000 sectors a second and writes 4,000, however busy this computer is, and ten times as many in its first slice.
  works() {
    local from="${EPOCHREALTIME/./}" elapsed=0 count
    while ((elapsed < 1000000)); do
      elapsed=$((${EPOCHREALTIME/./} - from))
      count=$((elapsed + 9 * (elapsed < 100000 ? elapsed : 100000)))
      echo "0 0 $((count / 1000)) 0 0 0 $((count / 250)) 0" >"$statistics.new"
      mv "$statistics.new" "$statistics"
      sleep 0.01
    done
  }
  export -f works
  rate="$(measures disk_rate "$device" 2 works)"
  ((rate > 150000 && rate < 900000))
  rate="$(measures disk_rate "$device" 6 works)"
  ((rate > 600000 && rate < 3600000))
  run -1 measures disk_rate "$device" 6 false
  [[ "$output" == *'the calibration could not use the disk' ]]
}

@test "down is fine where nothing is" {
  run "$scripts/down"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
}

@test "the kernel holds disk, memory and link at what was asked for, and afterwards nothing" {
  needs_a_model
  run --separate-stderr "$scripts/up"
  [ "$status" -eq 0 ]
  [[ "$output" =~ ^\{\"diskReadBytesPerSecond\":20000000,\"diskWriteBytesPerSecond\":10000000,\"networkBytesPerSecond\":30000000,\"clientBytesPerSecond\":0,\"dirtyBytes\":([0-9]+)\}$ ]]
  # The kernel keeps it as a share of memory that may be dirty, which changes with what others use meanwhile.
  local dirty="${BASH_REMATCH[1]}" number
  ((dirty > 4194304 / 2 && dirty < 4194304 * 2))
  number="$(<"$MODEL_FOLDER/device")"
  run "$scripts/down"
  [ "$status" -eq 0 ]
  [ -z "$(left)" ]
}

@test "a client with a link of its own gets no more through it, and has to be one of those that there are" {
  needs_a_model
  export MODEL_CLIENTS=2 MODEL_CLIENT_BPS=2000000
  run --separate-stderr "$scripts/up"
  [ "$status" -eq 0 ]
  [[ "$output" == *'"clientBytesPerSecond":2000000,'* ]]
  run "$scripts/mount-client" n3
  [ "$status" -eq 1 ]
  [[ "$output" == *"client n3 has no link of its own: there is no network namespace $MODEL_NAME-n3"* ]]
  # Through the link that all share these are done in a fifth of a second.
  local began="$EPOCHREALTIME"
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --propagation slave bash -c '"$1" n1 && exec dd if=/dev/urandom of="$MODEL_MOUNT/data" bs=1M count=4 conv=fsync status=none' \
    client "$scripts/mount-client"
  awk -v from="$began" -v to="$EPOCHREALTIME" 'BEGIN { exit !(to - from > 1.8) }'
  [ "$(stat --format %s "$MODEL_MOUNT/data")" -eq 4194304 ]
  "$scripts/down"
  [ -z "$(left)" ]
}

@test "the servers say what data take after compression, and that there are none" {
  needs_a_model
  "$scripts/up" >/dev/null
  mkdir "$MODEL_MOUNT/data" "$MODEL_MOUNT/empty"
  head -c 4M /dev/zero >"$MODEL_MOUNT/data/zeros"
  head -c 1M /dev/urandom >"$MODEL_MOUNT/data/noise"
  run "$scripts/space" "$MODEL_MOUNT/data"
  [ "$status" -eq 0 ]
  [[ "$output" =~ TOTAL[[:space:]]+[0-9]+%[[:space:]]+([0-9]+)[[:space:]]+([0-9]+) ]]
  ((BASH_REMATCH[1] > 1 << 20 && BASH_REMATCH[1] < 2 << 20 && BASH_REMATCH[2] >= 5 << 20))
  run "$scripts/space" "$MODEL_MOUNT/empty"
  [ "$status" -eq 1 ]
  [[ "$output" == *"no data are stored below $MODEL_MOUNT/empty"* ]]
  run --separate-stderr "$scripts/server" cpu
  if grep -q '^kworker/u' /proc/[0-9]*/comm; then
    [ "$status" -eq 0 ]
    [[ "$output" == '{"schema":"fsxbench.cpu/1","seconds":{'*'"mfschunkserver '*'"kworker '* ]]
  fi
  # In a container the kernel's workers are out of sight: no figure without them.
  run --separate-stderr unshare --pid --fork --mount-proc --kill-child "$scripts/server" cpu
  [ "$status" -eq 1 ]
  [[ "$stderr" == *'no worker of the kernel is to be seen'* ]]
  run "$scripts/server" memory
  [ "$status" -eq 1 ]
  [[ "$output" == *"the program must be needs, cpu or rung, got 'memory'"* ]]
  run --separate-stderr "$scripts/server" rung raw write 2 2
  [ "$status" -eq 0 ]
  # A disk throttled to 10 MB/s; gzip stores 71 % of data of which 30 % compress.
  [[ "$output" =~ '"rung": "raw"'.*'"bytes": '([0-9]+).*'"seconds": '([0-9]+).*'"gzipShare": 0.7' ]]
  ((BASH_REMATCH[1] / (BASH_REMATCH[2] > 0 ? BASH_REMATCH[2] : 1) < 20000000))
  if command -v iperf3 >/dev/null; then
    run --separate-stderr "$scripts/server" rung link write 1 2
    [ "$status" -eq 0 ]
    # A link throttled to 30 MB/s, with the burst of its shaper.
    [[ "$output" =~ '"rung": "link"'.*'"bytes": '([0-9]+) ]]
    ((BASH_REMATCH[1] > 15000000 && BASH_REMATCH[1] < 40000000))
  fi
  run --separate-stderr "$scripts/server" rung btrfs write 1 2
  [ "$status" -eq 0 ]
  [[ "$output" == *'"rung": "btrfs"'*'"gzipShare": 0.7'* ]]
  run "$scripts/server" rung raidz1 write 1 2
  [ "$status" -eq 1 ]
  [[ "$output" == *"usage: server rung link|raw|btrfs write SECONDS JOBS, got 'raidz1 write 1 2'"* ]]
}

@test "down takes away what an up that was killed had made, whenever it was killed" {
  needs_a_model
  local seconds number
  for seconds in 0.05 0.2 0.4 0.8; do
    rm -rf "$MODEL_FOLDER"
    timeout --signal=KILL "$seconds" "$scripts/up" >/dev/null 2>&1 || true
    number="$(cat "$MODEL_FOLDER/device" 2>/dev/null || true)"
    run "$scripts/down"
    [ "$status" -eq 0 ]
    [ -z "$(left)" ]
  done
}

@test "down ends although the servers are gone and a client waits for them" {
  needs_a_model
  "$scripts/up" >/dev/null
  local number
  number="$(<"$MODEL_FOLDER/device")"
  pkill -KILL --full "mfs(master|chunkserver) -c $MODEL_FOLDER/"
  dd if=/dev/zero of="$MODEL_MOUNT/data" bs=1M count=4 status=none 2>/dev/null 3>&- &
  run timeout 30 "$scripts/down"
  [ "$status" -eq 0 ]
  wait $! || true
  [ -z "$(left)" ]
}

@test "down takes away a client that is writing" {
  needs_a_model
  "$scripts/up" >/dev/null
  local number
  number="$(<"$MODEL_FOLDER/device")"
  dd if=/dev/zero of="$MODEL_MOUNT/data" bs=1M count=4000 status=none 2>/dev/null 3>&- &
  sleep 1
  run "$scripts/down"
  [ "$status" -eq 0 ]
  wait $! || true
  [ -z "$(left)" ]
}

@test "refuses to hold creations without a rate" {
  run "$scripts/hold-metadata"
  [ "$status" -ne 0 ]
  [[ "$output" == *'MODEL_CREATES_PER_SECOND: must be set'* ]]
}

@test "creations are held by the writes that they take, and afterwards nothing is" {
  needs_a_model
  export MODEL_METADATA_BYTES=$((1 << 28))
  "$scripts/up" >/dev/null
  number="$(<"$MODEL_FOLDER/metadata-device")"
  run --separate-stderr env MODEL_CREATES_PER_SECOND=50 MODEL_CALIBRATION_SECONDS=1 "$scripts/hold-metadata"
  [ "$status" -eq 0 ]
  # Each of two lines of the server's log, for a file and for the session that opens it, is two writes. The kernel adds some for what it writes back.
  [[ "$output" =~ '"writesPerCreate":'(3.9|4.[01])[0-9]*,'"writesPerSecond":'(19[89]|20[0-9])',"createsPerSecond":'([0-9]+) ]]
  ((BASH_REMATCH[3] <= 53))
  "$scripts/down"
  [ -z "$(left)" ]
}

@test "down leaves the limits of a device that another lab has got meanwhile" {
  needs_a_model
  if [[ ! -e /sys/fs/cgroup/blkio/blkio.throttle.write_bps_device ]]; then skip "in version 2 limits go with their group"; fi
  "$scripts/up" >/dev/null
  local number
  number="$(<"$MODEL_FOLDER/device")"
  mkdir "$BATS_TEST_TMPDIR/earlier"
  echo "$number" >"$BATS_TEST_TMPDIR/earlier/device"
  MODEL_NAME="fsxbench-bats$$-two" MODEL_FOLDER="$BATS_TEST_TMPDIR/earlier" MODEL_MOUNT="$BATS_TEST_TMPDIR/none" run "$scripts/down"
  [ "$status" -eq 0 ]
  grep --quiet "^$number 10000000$" /sys/fs/cgroup/blkio/blkio.throttle.write_bps_device
}

@test "devices are those of the storage's own folder, not of one whose name begins alike or is gone" {
  if ((EUID != 0)) || ! losetup --find >/dev/null 2>&1; then skip 'only root may take a loop device, if one is free'; fi
  source "$scripts/common.sh"
  local name device numbers=()
  mkdir "$BATS_TEST_TMPDIR"/{arm,arm-2}
  for name in arm arm-2; do
    truncate -s 1M "$BATS_TEST_TMPDIR/$name/disk.img"
    device="$(losetup --find --show "$BATS_TEST_TMPDIR/$name/disk.img")"
    numbers+=("$(<"/sys/block/${device#/dev/}/dev")")
  done
  # In a separate shell: the test's teardown never runs with that folder.
  (
    MODEL_FOLDER="$BATS_TEST_TMPDIR/arm"
    [ "$(numbers_of_devices)" = "${numbers[0]}" ] && is_own "${numbers[0]}" && ! is_own "${numbers[1]}" && is_own 0:0
    MODEL_FOLDER="$BATS_TEST_TMPDIR/gone"
    [ -z "$(own_devices)" ] && ! is_own "${numbers[0]}"
    for name in arm arm-2; do MODEL_FOLDER="$BATS_TEST_TMPDIR/$name" && losetup --detach "$(own_devices)"; done
  )
}

@test "all ends of a storage's network are its own, whatever others are called" {
  source "$scripts/common.sh"
  ip() { printf '%s\n' "$MODEL_NAME-server (id: 1)" "$MODEL_NAME-client" "$MODEL_NAME-n12 (id: 7)" "$MODEL_NAME-n" "$MODEL_NAME-2-server" "other-$MODEL_NAME-client"; }
  [ "$(ends | xargs)" = 'server client n12' ]
}

@test "version 1: each limit stands in its file, reads before writes, and lifted ones are 0" {
  source "$scripts/common.sh"
  control_groups io
  throttle_place() { echo "v1 $BATS_TEST_TMPDIR/v1"; }
  throttle 7:3 20000000 10000000 0 161
  [ "$(cd "$BATS_TEST_TMPDIR/v1" && grep -H . blkio.throttle.{read_bps,write_bps,read_iops,write_iops}_device | cut -d . -f 3 | xargs)" = \
    'read_bps_device:7:3 20000000 write_bps_device:7:3 10000000 read_iops_device:7:3 0 write_iops_device:7:3 161' ]
  [ "$(throttle_in_force 7:3)" = '20000000 10000000 0 161 ' ]
  [ "$(throttle_in_force 7:4)" = '0 0 0 0 ' ]
}

@test "a calibration names reads and writes, and both directions of each client's link" {
  source "$scripts/calibrate"
  export MODEL_CLIENTS=2 MODEL_CLIENT_BPS=1 MODEL_NETWORK_BPS=1
  mkdir -p "$MODEL_FOLDER"
  prefer() { true; }
  device_name() { true; }
  disk_rates() { echo '10 20'; }
  link_rate() { case "$1-$2" in client-server) echo 30 ;; server-client) echo 40 ;; n*) echo "5${1#n}" ;; *) echo "6${2#n}" ;; esac; }
  [ "$(main)" = '{"diskReadBytesPerSecond":20,"diskWriteBytesPerSecond":10,"networkWriteBytesPerSecond":30,"networkReadBytesPerSecond":40,"clientsWriteBytesPerSecond":[51,52],"clientsReadBytesPerSecond":[61,62]}' ]
}
