#!/usr/bin/env bats
# How a server's targets are made, mounted and stopped.

load helper

setup() {
  make_server
  fake_targets
  export FSXBENCH_SERVER_SECONDS=20
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

# bats test_tags=all
@test "what mkfs.lustre refuses ends it with its own words" {
  echo mkfs-lustre-no-pool >"$zfs_state/mkfs-says"
  make_targets 1
  [[ "$stderr" == *'mkfs.lustre fsxbench_mdt/mgs failed: mkfs.lustre FATAL: Unable to create filesystem nopool/ost0 (256)' ]]
}

@test "a compression that is not what was set ends it: the arm would be another" {
  touch "$zfs_state/deaf"
  FSXBENCH_FILE_SYSTEMS=lz4:lz4:1024 make_targets 1
  [[ "$stderr" == *'compression of fsxbench_ost/lz4-ost0 must be lz4, but is off'*'no targets for lz4, '* ]]
  [ "$(count 'mount .*ost0')" -eq 0 ]
}

# bats test_tags=all
@test "names, compressions and sizes that are none are refused before anything is made" {
  local wrong
  for wrong in 'ninechars:off:1024' '0ff:off:1024' 'OFF:off:1024' 'off:on:1024' 'off:gzip-0:1024' 'off:gzip-10:1024' 'off:zstd-20:1024' 'off:off:1M' 'off:off:' 'off'; do
    FSXBENCH_FILE_SYSTEMS="off:off:1024 $wrong" make_targets 1
    [[ "$stderr" == *"'FSXBENCH_FILE_SYSTEMS' must be NAME:COMPRESSION:RECORD_KIB "*", got '$wrong'" ]]
  done
  [ "$(count '^mkfs.lustre')" -eq 0 ]
}

# bats test_tags=all
@test "the longest name and the last level of each compression are taken" {
  FSXBENCH_FILE_SYSTEMS='eight_c8:zstd-19:128 gzip9:gzip-9:1024' make_targets
  [[ "$(grep '^zfs set compression' "$calls")" == 'zfs set compression=zstd-19 fsxbench_ost/eight_c8-ost0'$'\n''zfs set compression=gzip-9 fsxbench_ost/gzip9-ost0' ]]
}

# bats test_tags=all
@test "a property that zfs refuses to set, or takes too long for, ends it before the target is mounted" {
  export FSXBENCH_FILE_SYSTEMS=lz4:lz4:1024
  sed -i '/^set)/a replay zfs-set-bad-compression; exit' "$FAKES/zfs"
  make_targets 1
  [[ "$output$stderr" == *"cannot set property for "*'zfs set compression=lz4 fsxbench_ost/lz4-ost0 failed'* ]]
  sed -i "/^set)/a $times_up" "$FAKES/zfs"
  make_targets 1
  [[ "$stderr" == *'gave up after 60s: zfs set '*'zfs set compression=lz4 fsxbench_ost/lz4-ost0 failed'* ]]
  [ "$(count 'mount .*ost0')" -eq 0 ]
}

# bats test_tags=all
@test "a mkfs.lustre that ends well and makes no target is believed nothing" {
  touch "$zfs_state/mkfs-makes-nothing"
  make_targets 1
  [[ "$stderr" == *'mkfs.lustre said nothing wrong, but fsxbench_mdt/mgs is no target' ]]
  [ "$(count '^mount ')" -eq 0 ]
}

# bats test_tags=all
@test "requests of clients that cannot be made large end it: the arm would be another" {
  fake lctl <<<'exit 1'
  FSXBENCH_FILE_SYSTEMS=off:off:1024 make_targets 1
  [[ "$stderr" == *'brw_size of off cannot be set to 4'*'no targets for off, '* ]]
}

# bats test_tags=all
@test "a target that does not mount ends it with what mount said" {
  fake mount <<<'replay mount-wrong-fsname'
  make_targets 1
  [[ "$stderr" == *'cannot mount fsxbench_mdt/mgs at '*'/srv/lustre/fsxbench_mdt-mgs: mount.lustre: '* ]]
}

@test "one file system that fails does not keep the others from being served, and is named in the end" {
  fake mount <<<'if [[ "$3" == *off-ost0 ]]; then replay mount-wrong-fsname; exit; fi; echo "$3 $4 lustre ro 0 0" >>"$FSXBENCH_ROOT/proc/mounts"'
  make_targets 1
  [[ "$stderr" == *'cannot mount fsxbench_ost/off-ost0 at '*'fsxbench_ost/gzip6-ost0 is mounted'*'error: no targets for off, which the lines above explain; served: gzip6' ]]
}

# bats test_tags=all
@test "targets that do not recover are given up by name" {
  echo 'off-MDT0000 RECOVERING' >"$zfs_state/recovery"
  FSXBENCH_SERVER_SECONDS=1 make_targets 1
  [[ "$stderr" == *'gave up after 1s waiting for the targets to recover and to give objects'*'not served yet: off-MDT0000 RECOVERING' ]]
  # It would lose what clients still have to send.
  [ "$(count '^umount')" -eq 0 ]
}

# bats test_tags=all
@test "targets whose clients are gone are served, with a note of what the first client meets" {
  printf 'off-MDT0000 WAITING_FOR_CLIENTS\ngzip6-OST0000 COMPLETE\n' >"$zfs_state/recovery"
  make_targets
  [[ "$stderr" == *'warning: off-MDT0000 had clients when it stopped: '*'lctl --device off-MDT0000 abort_recovery '* ]]
  [ "$(grep -c warning: <<<"$stderr")" -eq 1 ]
}

@test "a target that gives no objects is not served, as one was recorded that was mounted and connected" {
  export FSXBENCH_FILE_SYSTEMS='none:off:1024 lz4:lz4:1024'
  fake lctl <<'FAKE'
case "$2" in
obdfilter*) replay recovery_status ;;
osp*) replay osp-prealloc_status ;;
esac
FAKE
  FSXBENCH_SERVER_SECONDS=1 make_targets 1
  [[ "$stderr" == *'not served yet: none-OST0000-osc-MDT0000 -11' ]]
}

# bats test_tags=all
@test "a target that gives no objects is mounted again, unless it had clients, and then waited for" {
  printf 'off -11\ngzip6 -11\n' >"$zfs_state/objects"
  echo 'gzip6-OST0000 COMPLETE' >"$zfs_state/recovery"
  fake umount <<<'sed -i "\| $1 |d" "$FSXBENCH_ROOT/proc/mounts"; : >"$zfs_state/objects"'
  FSXBENCH_SERVER_SECONDS=4 make_targets
  [ "$(grep '^umount' "$calls")" = "umount $FSXBENCH_ROOT/srv/lustre/fsxbench_ost-off-ost0" ]
  [ "$(count '^mount .*fsxbench_ost/off-ost0 ')" -eq 2 ]
}

# bats test_tags=all
@test "a server without MDTs cannot ask for objects, and one whose lctl says nothing serves nothing" {
  printf 'off -11\n' >"$zfs_state/objects"
  FSXBENCH_SERVER_INDEX=1 FSXBENCH_MGS=172.31.8.1 make_targets
  fake lctl <<<'if [[ "$1" == get_param ]]; then exit 2; fi'
  FSXBENCH_SERVER_SECONDS=0 FSXBENCH_FILE_SYSTEMS=off:off:1024 make_targets 1
  [[ "$stderr" == *'not served yet: off-* unknown, off-OST* unknown' ]]
}

@test "stop-targets unmounts OSTs, then MDTs, then the MGS, and nobody else's" {
  make_targets
  printf '%s ro 0 0\n' 'tank/ost0 /srv/other lustre' 'old_fsxbench_ost/ost0 /srv/old lustre' 'fsxbench_ost/rung-lz4 /srv/rung/lz4 zfs' >>"$FSXBENCH_ROOT/proc/mounts"
  bash "$server/stop-targets"
  [ "$(grep '^umount' "$calls" | sed 's|.*-||' | xargs)" = 'ost0 ost0 mdt0 mdt0 mgs' ]
}

# bats test_tags=all
@test "a target that does not unmount ends stop-targets before those that it needs" {
  make_targets
  fake umount <<<'if [[ "$1" == *gzip6-ost0 ]]; then exit 1; fi'
  run -1 --separate-stderr bash "$server/stop-targets"
  [[ "$stderr" == *'cannot unmount '*'/fsxbench_ost-gzip6-ost0: is a client still there?' ]]
  [ "$(count '^umount')" -eq 1 ]
}

@test "after a reboot the page's command has the server serve again, with no settings but those that it kept" {
  local page command
  page="$(readlink -f "$client/../../docs/lustre-zfs.md")"
  sed -i 's|^|/dev/|' "$zfs_state"/fsxbench_*
  (source "$server/boot" && keep_settings)
  unset FSXBENCH_FILE_SYSTEMS FSXBENCH_RAID_DISKS FSXBENCH_HOME
  command="$(sed -n '/^## After a reboot/,/^## H/{/^```bash/,/^```$/{/^```/d;p}}' "$page")"
  command="$(sed "s|^sudo ||; s|/etc/fsxbench|$FSXBENCH_ROOT&|; s|/opt/fsxbench|$client|g" <<<"$command")"
  run -0 --separate-stderr bash -c "$command"
  [[ "$stderr" == *'LNet is up at '*'fsxbench_ost is there already'*'fsxbench_ost/gzip6-ost0 is mounted' ]]
}

@test "LNet must come up with the address that clients come by" {
  run -0 bash "$server/setup-lnet"
  [[ "$(<"$FSXBENCH_ROOT/etc/modprobe.d/fsxbench-lustre.conf")" == 'options lnet networks=tcp(eth1)'$'\n''options mdt max_mod_rpcs_per_client=128' ]]
  fake ip <<<'echo "192.0.2.1 via 10.0.0.1 dev eth0 src 10.0.0.7 uid 0 "'
  run -1 --separate-stderr bash "$server/setup-lnet"
  [[ "$stderr" == *'LNet must have 10.0.0.7@tcp, but has: 172.31.8.15@tcp' ]]
}
