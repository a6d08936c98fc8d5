#!/usr/bin/env bats
# server/boot with a real MooseFS in a network namespace: a master, a chunkserver on a loop device, a client.

load ../../client/lib/helper

setup() {
  local program
  for program in mfsmaster mfschunkserver mfsmount mfscli; do
    command -v "$program" >/dev/null || skip "$program is not installed"
  done
  if ((EUID != 0)) || ! ip netns add "fsxbench-bats-$$" 2>/dev/null; then skip 'only root may make network namespaces'; fi
  namespace="fsxbench-bats-$$"
  make_machine
  rm -r "$FSXBENCH_ROOT/run/systemd"
  ip -n "$namespace" link set lo up
  ip -n "$namespace" address add 198.18.0.1/32 dev lo
  ip -n "$namespace" route add default dev lo src 198.18.0.1
  fake rpm <<<''
  # Test machines may lack XFS: only the time of mkfs and the mount point matter.
  fake mkfs.xfs <<<'exec mkfs.ext4 -q "$2"'
  fake mount <<<'exec /usr/bin/mount -o "$4" "$5" "$6"'
  # As built before.
  prefix="$FSXBENCH_TOOLS/moosefs-3.0.117"
  mkdir -p "$prefix/bin" "$prefix/sbin"
  echo 'server sum' >"$prefix/identity"
  export FSXBENCH_ENGINE=moosefs-3.0.117 FSXBENCH_MOOSEFS_CLIENTS=198.18.0.0/24 FSXBENCH_MOOSEFS_NAMESPACE=fsxbench/MooseFS
  export FSXBENCH_MOOSEFS_COPIES=1 FSXBENCH_MOOSEFS_MASTER=198.18.0.1 FSXBENCH_MOOSEFS_DEVICES=/dev/sdf FSXBENCH_SERVER_SECONDS=60
  volume="$FSXBENCH_ROOT/srv/moosefs/volume0"
  # The servers run as a separate user.
  chmod 0755 "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/.." "$BATS_TEST_TMPDIR/../.."
}

teardown() {
  local pid
  if [[ -z "${namespace:-}" ]]; then return 0; fi
  for pid in $(ip netns pids "$namespace"); do kill -KILL "$pid"; done
  umount "$BATS_TEST_TMPDIR/mnt" 2>/dev/null || true
  until [[ -z "$(ip netns pids "$namespace")" ]]; do /bin/sleep 0.05; done
  # Threads of a server that was killed may hold its volume a little longer than its first thread is to be seen.
  while mountpoint -q "$volume"; do umount "$volume" 2>/dev/null || /bin/sleep 0.05; done
  if [[ -n "${device:-}" ]]; then losetup --detach "$device"; fi
  ip netns delete "$namespace"
}

inside() { nsenter --net="/run/netns/$namespace" "$@"; }

boot() { FSXBENCH_MOOSEFS_ROLE="$1" inside "$client/storage/moosefs/server/boot"; }

attach_volume() {
  truncate --size 1G "$BATS_TEST_TMPDIR/disk.img"
  device="$(losetup --find --show "$BATS_TEST_TMPDIR/disk.img")"
  mkdir -p "$FSXBENCH_ROOT/dev"
  ln -s "$device" "$FSXBENCH_ROOT/dev/sdf"
  # The table that the script reads is the kernel's.
  ln -sf /proc/mounts "$FSXBENCH_ROOT/proc/mounts"
}

@test "refuses a role that there is not, and names the master that a chunkserver cannot reach" {
  run boot queen
  [ "$status" -eq 1 ]
  [[ "$output" == *"'FSXBENCH_MOOSEFS_ROLE' must be master or chunkserver, got 'queen'"* ]]
  attach_volume
  FSXBENCH_SERVER_SECONDS=1 run boot chunkserver
  [ "$status" -eq 1 ]
  [[ "$output" == *'the chunkserver 198.18.0.1 has not come to the master at 198.18.0.1: are ports 9420 and 9421 open between them?'* ]]
}

@test "a master and a chunkserver come up, twice alike, and keep data" {
  run boot master
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  attach_volume
  run boot chunkserver
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  [[ "$output" == *'this chunkserver of moosefs-3.0.117 runs'* ]]
  [[ "$(<"$FSXBENCH_ROOT/etc/fstab")" == *'/srv/moosefs/volume0 xfs noatime,nofail 0 0' ]]

  mkdir "$BATS_TEST_TMPDIR/mnt"
  inside mfsmount "$BATS_TEST_TMPDIR/mnt" -H 198.18.0.1 -o subtype=mfs >/dev/null 2>&1
  echo kept >"$BATS_TEST_TMPDIR/mnt/file"

  # The program that serves the mount is the storage’s own client; its chunkserver would not be on one.
  local load
  while :; do dd if=/dev/zero of="$BATS_TEST_TMPDIR/mnt/zeros" bs=1M count=20 status=none; done 3>&- &
  load="$(env --unset FSXBENCH_ROOT "$client/bin/client-load" "$BATS_TEST_TMPDIR/mnt")"
  kill $!
  wait $! || true
  [[ "$load" == *'"name":"mfschunkserver"'* ]]
  [[ "$load" != *'"name":"mfsmount"'* ]]

  # Again: no new file system over the data, no second line, servers that run already are an error that names them.
  run boot chunkserver
  [ "$(cat "$BATS_TEST_TMPDIR/mnt/file")" = kept ]
  [ "$(wc -l <"$FSXBENCH_ROOT/etc/fstab")" -eq 1 ]
}

@test "a step that takes too long ends with how long it was given" {
  fake sleep <<<''
  fake dnf <<<"$times_up"
  fake rpm <<<'exit 1'
  run -1 boot master
  [[ "$output" == *'gave up after 400s: dnf install '*'error: dnf could not install '* ]]
  fake rpm <<<''
  attach_volume
  fake mkfs.xfs <<<"$times_up"
  run -1 boot chunkserver
  [[ "$output" == *"gave up after 300s: mkfs.xfs -q $FSXBENCH_ROOT/dev/sdf"*'error: mkfs.xfs failed on /dev/sdf' ]]
  fake mkfs.xfs <<<'exec mkfs.ext4 -q "$2"'
  fake mount <<<"$times_up"
  run -1 boot chunkserver
  [[ "$output" == *'gave up after 60s: mount -t xfs '*"error: cannot mount /dev/sdf at $volume" ]]
}

@test "a master that does not answer ends the boot with how long it was asked" {
  fake mfscli <<<'exit 1'
  FSXBENCH_SERVER_SECONDS=1 run -1 boot master
  [[ "$output" == *'error: the master does not answer within 1s' ]]
}

@test "a path that MooseFS would cut is refused by name, before anything is written" {
  # shellcheck source=../../../assets/storage/moosefs/server/servers.sh
  source "$client/../storage/moosefs/server/servers.sh"
  run -1 write_master "$BATS_TEST_TMPDIR/Prüfstand" ''
  [ "$output" = "MooseFS takes only ASCII in a path, got '$BATS_TEST_TMPDIR/Prüfstand'" ]
  [ ! -e "$BATS_TEST_TMPDIR/Prüfstand" ]
}
