#!/usr/bin/env bats
# mount-arms with a Mountpoint for Amazon S3 arm: its bucket, with the owner that cannot be set later, now and after a reboot.

load ../../client/lib/helper

setup() {
  make_machine
  fake_user
  fake systemctl <<<''
  FSXBENCH_ARMS='[{"name":"s3","kind":"mountpoint-s3","bucket":"bench-storages3bucket-1x2y","partBytes":16777216,"mountPoint":"/fsx/s3"}]'
  export FSXBENCH_ARMS FSXBENCH_ARM_MOUNT_POINT=/fsx/s3
  options='nosuid,nodev,allow-other,allow-delete,uid=5200,gid=5200,write-part-size=16777216'
  fake mount <<'BODY'
printf 'mountpoint-s3 %s fuse rw,nosuid,nodev,noatime,allow_other 0 0\n' "$6" >>"$FSXBENCH_ROOT/proc/mounts"
BODY
}

@test "refuses what is no name of a bucket" {
  refuses_source bench-storages3bucket-1x2y Bucket "'FSXBENCH_ARM_BUCKET' must match"
  [[ "$output" == *"got 'Bucket'"* ]]
}

@test "refuses a mount point where something else is, or another bucket" {
  local source=s3://bench-storages3bucket-1x2y/
  echo "$source /fsx/s3 mount-s3 defaults 0 0" >"$FSXBENCH_ROOT/etc/fstab"
  refuses_other_mount s3 /fsx/s3 "$source" 'mountpoint-s3 fuse' rclone
  echo 's3://older/ /fsx/s3 mount-s3 defaults 0 0' >"$FSXBENCH_ROOT/etc/fstab"
  refuses_other_mount s3 /fsx/s3 "$source" 'mountpoint-s3 fuse' mountpoint-s3
}

@test "mounts where systemd's automount waits since a reboot" {
  mounts_behind_automount /fsx/s3
}

@test "mounts the bucket for the user of the benchmarks, remembers it, and does neither twice" {
  run mount_arms
  [ "$status" -eq 0 ]
  grep -qx "mount -t mount-s3 -o $options s3://bench-storages3bucket-1x2y/ /fsx/s3" "$calls"
  [[ "$(cat "$FSXBENCH_ROOT/etc/fstab")" == "s3://bench-storages3bucket-1x2y/ /fsx/s3 mount-s3 defaults,$options,_netdev,"* ]]
  mounts_nothing_more
}

@test "the check fails without a mount, and with one of another file system" {
  check_says 1 mountpoint-s3 'no FUSE file system is mounted at /fsx/s3'
  check_says 1 mountpoint-s3 '/fsx/s3 is mounted from rclone, which is no Mountpoint for Amazon S3' 'rclone /fsx/s3 fuse rw 0 0'
  fake mount-s3 <<<'echo "mount-s3 1.24.0+1.amzn2023"'
  check_says 0 mountpoint-s3 'Mountpoint for Amazon S3, mount-s3 1.24.0+1.amzn2023' 'mountpoint-s3 /fsx/s3 fuse rw 0 0'
}
