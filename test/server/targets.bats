#!/usr/bin/env bats
# How a server's targets are made, mounted and stopped.

load helper

setup() {
  make_server
  fake_targets
  nvme 1 9 >"$zfs_state/fsxbench_ost"
  nvme 10 11 >"$zfs_state/fsxbench_mdt"
}

make_targets() { run -"${1:-0}" --separate-stderr bash "$server/make-targets"; }

@test "an MGS, and an MDT and an OST of each file system, with its compression and record size, in an order that Lustre takes" {
  make_targets
  [ "$(grep '^mkfs.lustre' "$calls")" = "mkfs.lustre --mgs --backfstype=zfs fsxbench_mdt/mgs
mkfs.lustre --mdt --fsname=off --index=0 --mgsnode=172.31.8.15@tcp --backfstype=zfs fsxbench_mdt/off-mdt0
mkfs.lustre --ost --fsname=off --index=0 --mgsnode=172.31.8.15@tcp --backfstype=zfs fsxbench_ost/off-ost0
mkfs.lustre --mdt --fsname=gzip6 --index=0 --mgsnode=172.31.8.15@tcp --backfstype=zfs fsxbench_mdt/gzip6-mdt0
mkfs.lustre --ost --fsname=gzip6 --index=0 --mgsnode=172.31.8.15@tcp --backfstype=zfs fsxbench_ost/gzip6-ost0" ]
  grep -qx 'zfs set compression=gzip-6 fsxbench_ost/gzip6-ost0' "$calls"
  grep -qx 'zfs set recordsize=128K fsxbench_ost/gzip6-ost0' "$calls"
  [ "$(awk '{ print $1 }' "$FSXBENCH_ROOT/proc/mounts" | xargs)" = 'fsxbench_mdt/mgs fsxbench_mdt/off-mdt0 fsxbench_ost/off-ost0 fsxbench_mdt/gzip6-mdt0 fsxbench_ost/gzip6-ost0' ]
  grep -qx 'lctl set_param obdfilter.gzip6-OST\*.brw_size=4' "$calls"
}

@test "targets that are there are left as they are" {
  make_targets
  make_targets
  [ "$(count '^mkfs.lustre')" -eq 5 ]
  [ "$(count '^mount ')" -eq 5 ]
}

@test "a second server has one more OST of each file system, and asks the first for the rest" {
  FSXBENCH_SERVER_INDEX=1 FSXBENCH_MGS=172.31.8.1 make_targets
  [ "$(count '^mkfs.lustre')" -eq 2 ]
  grep -qx 'mkfs.lustre --ost --fsname=off --index=1 --mgsnode=172.31.8.1@tcp --backfstype=zfs fsxbench_ost/off-ost1' "$calls"
}

@test "without a mirror, MGS and MDTs are datasets of the OSTs' pool" {
  rm "$zfs_state/fsxbench_mdt"
  make_targets
  grep -q ' fsxbench_ost/mgs$' "$calls"
  grep -q ' fsxbench_ost/off-mdt0$' "$calls"
}

@test "what mkfs.lustre refuses ends it with its own words" {
  echo mkfs-lustre-no-pool >"$zfs_state/mkfs-says"
  make_targets 1
  [[ "$stderr" == *'mkfs.lustre fsxbench_mdt/mgs failed: mkfs.lustre FATAL: Unable to create filesystem nopool/ost0 (256)' ]]
}

@test "a compression that is not what was set ends it: the arm would be another" {
  touch "$zfs_state/deaf"
  FSXBENCH_FILE_SYSTEMS=lz4:lz4:1024 make_targets 1
  [[ "$stderr" == *'compression of fsxbench_ost/lz4-ost0 must be lz4, but is off' ]]
  [ "$(count 'mount .*ost0')" -eq 0 ]
}

@test "names, compressions and sizes that are none are refused before anything is made" {
  local wrong
  for wrong in 'toolongname:off:1024' 'off:gzip-10:1024' 'off:zstd-20:1024' 'off:off:1M' 'off'; do
    FSXBENCH_FILE_SYSTEMS="off:off:1024 $wrong" make_targets 1
    [[ "$stderr" == *"'FSXBENCH_FILE_SYSTEMS' must be NAME:COMPRESSION:RECORD_KIB "*", got '$wrong'" ]]
  done
  [ "$(count '^mkfs.lustre')" -eq 0 ]
}

@test "a target that does not mount ends it with what mount said" {
  fake mount <<<'replay mount-wrong-fsname'
  make_targets 1
  [[ "$stderr" == *'cannot mount fsxbench_mdt/mgs at '*'/srv/lustre/fsxbench_mdt-mgs: mount.lustre: '* ]]
}

@test "targets that never recover are given up" {
  fake lctl <<<'if [[ "$1 $2" == "get_param -n" ]]; then echo "status: RECOVERING"; fi'
  FSXBENCH_SERVER_SECONDS=0 make_targets 1
  [[ "$stderr" == *'gave up after 0s waiting for the targets to recover' ]]
}

@test "stop-targets unmounts OSTs, then MDTs, then the MGS, and nobody else's" {
  make_targets
  echo 'tank/ost0 /srv/other lustre ro 0 0' >>"$FSXBENCH_ROOT/proc/mounts"
  bash "$server/stop-targets"
  [ "$(grep '^umount' "$calls" | sed 's|.*-||' | xargs)" = 'ost0 ost0 mdt0 mdt0 mgs' ]
}

@test "LNet must come up with the address that clients come by" {
  run -0 bash "$server/setup-lnet"
  [[ "$(<"$FSXBENCH_ROOT/etc/modprobe.d/fsxbench-lustre.conf")" == 'options lnet networks=tcp(eth1)'$'\n''options mdt max_mod_rpcs_per_client=128' ]]
  fake ip <<<'echo "192.0.2.1 via 10.0.0.1 dev eth0 src 10.0.0.7 uid 0 "'
  run -1 --separate-stderr bash "$server/setup-lnet"
  [[ "$stderr" == *'LNet must have 10.0.0.7@tcp, but has: 172.31.8.15@tcp' ]]
}
