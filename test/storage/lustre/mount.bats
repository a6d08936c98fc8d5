#!/usr/bin/env bats
# mount-arms: both arms mounted, now and after a reboot, striped, and every target handing out objects.

load ../../client/lib/helper
load ../../client/lib/lustre

setup() {
  make_machine
  fake_lustre
  fake_user
  fake systemctl <<<''
}


@test "mounts each arm with its options and remembers it for the next boot as Amazon Linux 2023 wants it" {
  run mount_arms
  [ "$status" -eq 0 ]
  grep -qx 'mount -t lustre -o noatime,flock fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com@tcp:/fsxvol /fsx/none' "$calls"
  [ "$(cat "$FSXBENCH_ROOT/etc/fstab")" = "fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com@tcp:/fsxvol /fsx/none lustre defaults,noatime,flock,_netdev,x-systemd.automount,x-systemd.requires=systemd-networkd-wait-online.service 0 0
fs-fedcba98765432100.fsx.us-east-1.amazonaws.com@tcp:/lz4vol /fsx/lz4 lustre defaults,noatime,flock,_netdev,x-systemd.automount,x-systemd.requires=systemd-networkd-wait-online.service 0 0" ]
  grep -qx 'lfs setstripe -c -1 /fsx/lz4' "$calls"
  grep -q "^chown fsxbench:fsxbench $FSXBENCH_ROOT/fsx/lz4" "$calls"
}

@test "a second run mounts nothing and adds no line" {
  mount_arms
  mounts_nothing_more
}

# bats test_tags=all
@test "keeps other lines of fstab and replaces an older one for the same mount point" {
  printf '%s\n' 'UUID=1 / xfs defaults 0 1' '# was at /fsx/none once' 'fs-old@tcp:/oldvol /fsx/none lustre defaults 0 0' 'UUID=2 /fsx/none2 xfs defaults 0 0' >"$FSXBENCH_ROOT/etc/fstab"
  mount_arms
  [ "$(grep -cxE 'UUID=1 / xfs defaults 0 1|# was at /fsx/none once|UUID=2 /fsx/none2 xfs defaults 0 0' "$FSXBENCH_ROOT/etc/fstab")" -eq 3 ]
  [ "$(grep -c '^[^#].* /fsx/none ' "$FSXBENCH_ROOT/etc/fstab")" -eq 1 ]
}

# bats test_tags=all
@test "waits for a name that does not resolve yet and for servers that do not answer yet" {
  mounts mount-unresolvable-host mount-unreachable-nid mount-ok
  run mount_arms
  [ "$status" -eq 0 ]
  [[ "$output" == *"Can't parse NID"* ]]
  [ "$(count '^mount .* /fsx/none$')" -eq 3 ]
}

# bats test_tags=all
@test "gives up with the arm, the address and what mount said" {
  mounts mount-wrong-fsname mount-wrong-fsname mount-wrong-fsname mount-wrong-fsname
  FSXBENCH_MOUNT_SECONDS=1 run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: could not mount fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com@tcp:/fsxvol at /fsx/none within 1s; mount said: mount.lustre: mount'*'No such file or directory Is the MGS specification correct?'* ]]
}

@test "tries every arm, also after one that gives no objects, and names in the end those that cannot be used" {
  FAKE_SHORT=none FSXBENCH_STRIPE_SECONDS=0 run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'targets of arm none'*'arm lz4: '*' is at /fsx/lz4'*'error: not every arm can be used, for the reasons above: none' ]]
  grep -q "^chown fsxbench:fsxbench $FSXBENCH_ROOT/fsx/lz4" "$calls"
}

@test "refuses a mount point where something else is" {
  refuses_other_mount none /fsx/none fsxvol '172.31.8.15@tcp:/fsxvol lustre' 172.31.8.15@tcp:/othervol
  # Another file system's folder of the same name, and a folder of this one.
  refuses_other_mount none /fsx/none fsxvol '172.31.8.15@tcp:/fsxvol lustre' 172.31.8.15@tcp:/othervol/fsxvol
  refuses_other_mount none /fsx/none fsxvol '172.31.8.15@tcp:/fsxvol lustre' 172.31.8.15@tcp:/fsxvol/sub
}

# bats test_tags=all
@test "mounts where systemd's automount waits since a reboot" {
  mounts_behind_automount /fsx/none
}

@test "waits until a file over all targets really gets all of them" {
  run mount_arms
  [ "$status" -eq 0 ]
  # 3 of 4 at first, as recorded.
  [ "$(count '^lfs getstripe -c .*/fsx/none/')" -eq 2 ]
  # Clients check at the same time, each with a separate file, and leave none.
  [ "$(count "^lfs setstripe -c -1 $FSXBENCH_ROOT/fsx/none/.fsxbench-stripes-$(uname -n)\$")" -eq 2 ]
  [ -z "$(ls -A "$FSXBENCH_ROOT/fsx/none")" ]
}

# bats test_tags=all
@test "a target that never hands out objects fails it within its time" {
  FAKE_STRIPES=3 FSXBENCH_STRIPE_SECONDS=2 run mount_arms
  [ "$status" -ne 0 ]
  [[ "$output" == *'error: gave up after 2s waiting for an object on each of the 4 targets of arm none'* ]]
}

@test "a layout that did not take fails it" {
  FSXBENCH_ARMS="${FSXBENCH_ARMS//-1/2}" run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: stripe count of /fsx/none must be 2, but is -1'* ]]
}

# bats test_tags=all
@test "a layout that is refused fails it" {
  fake lfs <<<'exit 22'
  run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: lfs setstripe -c -1 /fsx/none failed'* ]]
}

# bats test_tags=all
@test "a file system of which this client sees no target fails it at once" {
  fake lctl <<<''
  run mount_arms
  [ "$status" -eq 1 ]
  [[ "$output" == *'arm none: this client sees no object storage target of fsxvol'* ]]
}

# bats test_tags=all
@test "refuses an address, a name and a stripe count that no file system has" {
  FSXBENCH_ARMS="[$(arm none 0123456789abcdef0 fsxvol)]"
  refuses_source fs-0123456789abcdef0. 'a;reboot.' "'FSXBENCH_ARM_DNS_NAME' must match"
  refuses_source '"fsxvol"' '"fsxvol/../x"' "'FSXBENCH_ARM_MOUNT_NAME' must match"
  refuses_source '"stripeCount":-1' '"stripeCount":-2' "'FSXBENCH_ARM_STRIPE_COUNT' must match"
}

@test "the role mount writes nothing to the file system" {
  FSXBENCH_ROLE=mount run mount_arms
  [ "$status" -eq 0 ]
  [ "$(count '^(lfs|lctl) ')" -eq 0 ]
}

@test "with EFA, an arm whose data go over TCP is mounted, with a warning, and refused by runs until a boot proves it" {
  local doubt="$FSXBENCH_ROOT/var/lib/fsxbench/unproven/none"
  fake lnetctl <<<''
  FSXBENCH_EFA=true run mount_arms
  [ "$status" -eq 0 ]
  [[ "$output" == *'warning: arm none: LNet has no EFA interface: what is mounted goes over TCP; runs are refused'* ]]
  [ "$(<"$doubt")" = 'LNet has no EFA interface: what is mounted goes over TCP' ]
  fake lnetctl <<<'n=$(cat "$BATS_TEST_TMPDIR/n" 2>/dev/null || echo 0); echo $((n + 64)) >"$BATS_TEST_TMPDIR/n"; printf "nid: 1@efa\nsend_count: %s\n" "$n" | sed "s/^nid/- nid/"'
  fake dd <<<''
  FSXBENCH_EFA=true run mount_arms
  [ "$status" -eq 0 ]
  [ ! -e "$doubt" ]
}

# bats test_tags=all
@test "stripe count 0 leaves the file system's own layout" {
  FSXBENCH_ARMS="${FSXBENCH_ARMS//-1/0}" run mount_arms
  [ "$status" -eq 0 ]
  [ "$(count '^lfs setstripe -c .* /fsx/none$')" -eq 0 ]
}

@test "sees its targets on a kernel with five-level page tables, whose devices end with ff11…, and not those of a server" {
  FSXBENCH_ARMS="[$(arm none 0123456789abcdef0 none),$(arm lz4 fedcba98765432100 lz4)]"
  # The recording is of a node that also serves two targets in each file system.
  [ "$(grep -c ' osp none-OST.*-osc-MDT0000 ' "$recorded/la57-lctl-dl.out")" -eq 2 ]
  FAKE_DEVICES=la57-lctl-dl FAKE_STRIPES=2 run mount_arms
  [ "$status" -eq 0 ]
  [[ "$output" != *'sees no object storage target'* ]]
}
