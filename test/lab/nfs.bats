#!/usr/bin/env bats
# The stand-in that serves NFS: its client, and the message without one.

load ../client/lib/helper

setup() {
  make_machine
  fake ganesha.nfsd <<<''
  # shellcheck source=../../assets/lab/nfs
  source "$client/../lab/nfs"
}

@test "names the client that is missing, where neither the kernel nor fuse-nfs mounts NFS 4" {
  by_kernel() { false; }
  PATH="$FAKES" run check
  [ "$status" -eq 1 ]
  [[ "$output" == *'neither the kernel nor fuse-nfs can mount NFS 4'*docs/lab.md* ]]
}

@test "fuse-nfs mounts where the kernel cannot, and the results name it" {
  by_kernel() { false; }
  fake fuse-nfs <<<''
  export STAND_IN_FOLDER="$BATS_TEST_TMPDIR"
  run check
  [ "$status" -eq 0 ]
  run mount_from 20490 /mnt/efs
  [ "$output" = 'NFS 4.0, mounted by fuse-nfs' ]
  [ "$(count '^fuse-nfs --nfs_share=nfs://127.0.0.1/data.version=4&nfsport=20490 --mountpoint=/mnt/efs ')" -eq 1 ]
}

@test "what fuse-nfs says of its failure is what the lab says" {
  by_kernel() { false; }
  fake fuse-nfs <<<'echo "failed to mount" >&2; exit 10'
  export STAND_IN_FOLDER="$BATS_TEST_TMPDIR"
  run mount_from 20490 /mnt/efs
  [ "$status" -eq 1 ]
  [ "$output" = 'fuse-nfs: failed to mount' ]
}

@test "the kernel mounts where it can, as EFS is mounted" {
  by_kernel() { true; }
  fake mount <<<''
  run mount_from 20490 /mnt/efs
  [ "$output" = 'NFS 4.1, mounted by the kernel' ]
  [ "$(count '^mount -t nfs4 -o port=20490,vers=4.1,.*noresvport 127.0.0.1:/data /mnt/efs')" -eq 1 ]
}

@test "down does not wait for a server that ended and whose end nobody has asked for, as in a container" {
  export STAND_IN_FOLDER="$BATS_TEST_TMPDIR" STAND_IN_MOUNT="$BATS_TEST_TMPDIR/mount"
  : >"$STAND_IN_FOLDER/ganesha.conf"
  bash -c 'tail -f /dev/null "$STAND_IN_FOLDER/ganesha.conf" & echo $! >"$STAND_IN_FOLDER/pid"; exec sleep 600' >/dev/null 3>&- &
  local parent=$!
  serves() { [[ -n "$(server_of)" ]]; }
  await 'the server' serves
  await 'its parent' executes sleep "$parent"
  run down
  [ "$status" -eq 0 ]
  # No time limit: it would not have ended at all.
  grep -q '^State:.Z' "/proc/$(<"$STAND_IN_FOLDER/pid")/status"
  kill -KILL "$parent"
}

@test "no two servers that start at the same time choose the same port" {
  if ((EUID != 0)); then skip 'only root starts servers'; fi
  # Neither listens yet.
  is_open() { false; }
  choose_port
  local first="$port"
  run --separate-stderr bash -c 'source "$1"; is_open() { false; }; choose_port; echo "$port"' another "$client/../lab/nfs"
  [ "$status" -eq 0 ]
  [ "$output" -gt "$first" ]
}
