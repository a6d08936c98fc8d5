#!/usr/bin/env bats
# Settings of the Lustre client: by instance size, in the right order, read back; a refusal is on record, not a failure.

load ../../client/lib/helper
load ../../client/lib/lustre

setup() {
  make_machine
  export_replay
  fake getconf <<<'echo "${FAKE_CPUS:-96}"'
  fake systemctl <<<''
  # Answers as the parameters of FAKE_VALUES say, one NAME=VALUE a line; what is set is kept there, but for what is refused.
  export FAKE_VALUES="$BATS_TEST_TMPDIR/values"
  : >"$FAKE_VALUES"
  fake lctl <<'BODY'
name="${2%%=*}" wanted="${2#*=}"
case "$1" in
  set_param)
    if [[ "$name" == "${FAKE_REFUSED:-}" ]]; then
      # Recorded with 1000: the server allows a client fewer.
      replay set_param-mdc-mod-rpcs-out-of-range 2> >(sed "s/=1000/=$wanted/" >&2)
      exit
    fi
    grep -vF "$name=" "$FAKE_VALUES" >"$FAKE_VALUES.new"
    echo "$name=$wanted" >>"$FAKE_VALUES.new"
    mv "$FAKE_VALUES.new" "$FAKE_VALUES"
    ;;
  get_param)
    if [[ "$name" == "${FAKE_REFUSED:-}" ]]; then replay get_param-mdc-max_mod_rpcs_in_flight; exit; fi
    value="$(grep -F "$name=" "$FAKE_VALUES" | cut -d = -f 2)"
    if [[ -z "$value" ]]; then replay get_param-not-mounted; exit; fi
    printf 'a.target-%s.x=%s\n' 0 "$value" 1 "$value"
    ;;
esac
BODY
}

tune() { "$client/bin/tune-client"; }
report() { node -p 'JSON.stringify(eval(`(${require("fs").readFileSync(process.argv[1])})${process.argv[2]}`))' "$FSXBENCH_ROOT/var/lib/fsxbench/tuning.json" "$1"; }

@test "a client with more than 64 vCPUs and 64 GiB gets what AWS advises, max_rpcs_in_flight before max_mod_rpcs_in_flight" {
  mkdir -p "$FSXBENCH_ROOT"/sys/module/{ptlrpc,ksocklnd}/parameters
  echo 32 >"$FSXBENCH_ROOT/sys/module/ptlrpc/parameters/ptlrpcd_per_cpt_max"
  echo 2560 >"$FSXBENCH_ROOT/sys/module/ksocklnd/parameters/credits"
  run tune
  [ "$status" -eq 0 ]
  [ "$(grep '^lctl set_param' "$calls")" = 'lctl set_param osc.*OST*.max_rpcs_in_flight=32
lctl set_param mdc.*.max_rpcs_in_flight=64
lctl set_param mdc.*.max_mod_rpcs_in_flight=50
lctl set_param llite.*.statahead_max=512
lctl set_param llite.*.statahead_agl=1
lctl set_param llite.*.statahead_xattr=1
lctl set_param ldlm.namespaces.*.lru_max_age=600000
lctl set_param ldlm.namespaces.*.lru_size=9600' ]
  [ "$(report .warnings)" = '[]' ]
  [ "$(report '.settings.every((one) => one.applied)')" = true ]
  [ "$(report '.settings[8].name')" = '"module ptlrpc ptlrpcd_per_cpt_max"' ]
}

@test "a c5n.9xlarge, 36 vCPUs and 96 GiB, gets only statahead and what its memory asks for" {
  FAKE_CPUS=36 run tune
  [ "$(grep -c '^lctl set_param' "$calls")" -eq 5 ]
  grep -q 'lru_size=3600' "$calls"
}

# bats test_tags=all
@test "64 vCPUs are not yet large, and 64 GiB of memory are" {
  printf 'MemTotal: 67108864 kB\n' >"$FSXBENCH_ROOT/proc/meminfo"
  FAKE_CPUS=64 run tune
  [ "$(grep '^lctl set_param ldlm' "$calls")" = 'lctl set_param ldlm.namespaces.*.lru_max_age=600000
lctl set_param ldlm.namespaces.*.lru_size=6400' ]
  [ "$(report '.settings.length')" = 5 ]
  : >"$calls"
  printf 'MemTotal: 67108863 kB\n' >"$FSXBENCH_ROOT/proc/meminfo"
  FAKE_CPUS=65 run tune
  [ "$(count 'lru_')" -eq 0 ]
  [ "$(count '^lctl set_param')" -eq 6 ]
}

# bats test_tags=all
@test "an lctl that hangs keeps no client from its work" {
  fake lctl <<<"$times_up"
  FAKE_CPUS=36 run tune
  [ "$status" -eq 0 ]
  [[ "$output" == *'warning: ldlm.namespaces.*.lru_size: wanted 3600, nothing answers to the name ('*'gave up after 60s: lctl set_param'* ]]
}

@test "the metadata study's four settings are made on its c5.9xlarge, 36 vCPUs and 72 GiB, too, and read back" {
  printf 'MemTotal: 73728000 kB\n' >"$FSXBENCH_ROOT/proc/meminfo"
  FAKE_CPUS=36 FSXBENCH_TUNING=published-metadata run tune
  [ "$status" -eq 0 ]
  [ "$(grep '^lctl set_param' "$calls" | head -n 4)" = 'lctl set_param osc.*OST*.max_rpcs_in_flight=32
lctl set_param mdc.*.max_rpcs_in_flight=64
lctl set_param mdc.*.max_mod_rpcs_in_flight=50
lctl set_param osc.*.max_dirty_mb=64' ]
  [ "$(report '.settings.every((one) => one.applied)')" = true ]
  [ "$(count statahead)" -eq 0 ]
  # No module option: those are for clients with more than 64 vCPUs.
  [ "$(report '.settings.some((one) => one.name.startsWith("module"))')" = false ]
}

# bats test_tags=all
@test "without the metadata study's tuning nothing limits dirty pages" {
  run tune
  [ "$(count 'max_dirty_mb')" -eq 0 ]
}

# bats test_tags=all
@test "a tuning that nobody knows is refused with those that there are" {
  FSXBENCH_TUNING=fast run tune
  [ "$status" -eq 1 ]
  [[ "$output" == *"'FSXBENCH_TUNING' must be advised or published-metadata, got fast"* ]]
  [ "$(count '^lctl')" -eq 0 ]
}

@test "a small client gets statahead, and nothing else" {
  printf 'MemTotal: 64000000 kB\n' >"$FSXBENCH_ROOT/proc/meminfo"
  FAKE_CPUS=16 run tune
  [ "$status" -eq 0 ]
  [ "$(count '^lctl set_param llite')" -eq 3 ]
  [ "$(count '^lctl set_param')" -eq 3 ]
}

@test "a value that the server refuses is a warning with wanted and effective value and the server's words" {
  mkdir -p "$FSXBENCH_ROOT"/sys/module/{ptlrpc,ksocklnd}/parameters
  FAKE_REFUSED='mdc.*.max_mod_rpcs_in_flight' run tune
  [ "$status" -eq 0 ]
  local words='error: set_param: setting /sys/fs/lustre/mdc/fsxvol-MDT0000-mdc-ffff8cdbe50e0000/max_mod_rpcs_in_flight=50: Numerical result out of range'
  [[ "$output" == *"warning: mdc.*.max_mod_rpcs_in_flight: wanted 50, in effect is 7 ($words)"* ]]
  [ "$(report '.settings[2]')" = "{\"name\":\"mdc.*.max_mod_rpcs_in_flight\",\"wanted\":\"50\",\"effective\":[\"7\"],\"applied\":false,\"message\":\"$words\"}" ]
  # The others are set all the same.
  grep -q 'lru_size=9600' "$calls"
}

# bats test_tags=all
@test "a module that was loaded with another option is a warning" {
  mkdir -p "$FSXBENCH_ROOT"/sys/module/{ptlrpc,ksocklnd}/parameters
  echo 8 >"$FSXBENCH_ROOT/sys/module/ptlrpc/parameters/ptlrpcd_per_cpt_max"
  run tune
  [[ "$output" == *'warning: module ptlrpc ptlrpcd_per_cpt_max: wanted 32, in effect is 8'* ]]
  [[ "$output" == *'warning: module ksocklnd credits: wanted 2560, nothing answers to the name'* ]]
}

# bats test_tags=all
@test "values that are not what was set, or differ between targets, are not taken as applied" {
  printf 'x y\t32\t32 64\t\n' >"$BATS_TEST_TMPDIR/lines"
  run --separate-stderr node "$client/lib/tuning-report.mjs" 96 1000 <"$BATS_TEST_TMPDIR/lines"
  [[ "$output" == *'"applied": false'* ]]
  [[ "$stderr" == *'x y: wanted 32, in effect is 32 and 64'* ]]
}

@test "module options are written before modules are loaded, for large clients only" {
  FAKE_CPUS=64 run "$client/bin/prepare-storage"
  [ "$status" -eq 0 ]
  [ ! -e "$FSXBENCH_ROOT/etc/modprobe.d" ]
  FAKE_CPUS=65 run "$client/bin/prepare-storage"
  [ "$status" -eq 0 ]
  [ "$(<"$FSXBENCH_ROOT/etc/modprobe.d/fsxbench-lustre.conf")" = 'options ptlrpc ptlrpcd_per_cpt_max=32
options ksocklnd credits=2560' ]
}

# bats test_tags=all
@test "modules that are loaded without the options are taken out, unless they are in use" {
  fake lustre_rmmod <<<''
  mkdir -p "$FSXBENCH_ROOT/sys/module/ksocklnd/parameters"
  echo 256 >"$FSXBENCH_ROOT/sys/module/ksocklnd/parameters/credits"
  run "$client/bin/prepare-storage"
  [ "$(count '^lustre_rmmod')" -eq 1 ]
  cat "$recorded/mount-proc.out" >"$FSXBENCH_ROOT/proc/mounts"
  run "$client/bin/prepare-storage"
  [ "$status" -eq 0 ]
  [ "$(count '^lustre_rmmod')" -eq 1 ]
  [[ "$output" == *'they take effect after a reboot'* ]]
}

@test "systemd runs tune-client again after each boot and each mount, and accepts the unit" {
  command -v systemd-escape >/dev/null || skip 'systemd-escape is not here'
  run "$client/bin/install-units"
  [ "$status" -eq 0 ]
  local unit="$FSXBENCH_ROOT/etc/systemd/system/fsxbench-tuning.service"
  grep -qx "ExecStart=$client/bin/tune-client" "$unit"
  grep -qx 'After=fsx-none.mount fsx-lz4.mount' "$unit"
  grep -qx 'WantedBy=multi-user.target fsx-none.mount fsx-lz4.mount' "$unit"
  grep -qx 'systemctl enable --quiet fsxbench-tuning.service' "$calls"
  command -v systemd-analyze >/dev/null || skip 'systemd-analyze is not here'
  run systemd-analyze verify --man=no "$unit"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
}

# bats test_tags=all
@test "an arm with a hyphen in its name is tuned after each mount, too, by the name that systemd has for it" {
  command -v systemd-escape >/dev/null || skip 'systemd-escape is not here'
  FSXBENCH_ARMS="[$(arm p1000-12000 0123456789abcdef0 fsxvol),$(arm lz4 fedcba98765432100 lz4vol)]" run "$client/bin/install-units"
  [ "$status" -eq 0 ]
  grep -qxF 'WantedBy=multi-user.target fsx-p1000\x2d12000.mount fsx-lz4.mount' "$FSXBENCH_ROOT/etc/systemd/system/fsxbench-tuning.service"
}

# bats test_tags=all
@test "after a reboot and after each mount the unit tunes as the stack asked" {
  command -v systemd-escape >/dev/null || skip 'systemd-escape is not here'
  FSXBENCH_TUNING=published-metadata run "$client/bin/install-units"
  local unit="$FSXBENCH_ROOT/etc/systemd/system/fsxbench-tuning.service"
  grep -qx 'Environment=FSXBENCH_TUNING=published-metadata' "$unit"
  # Its command with its environment, as systemd would run it.
  FAKE_CPUS=36 run env "$(sed -n 's/^Environment=//p' "$unit")" "$(sed -n 's/^ExecStart=//p' "$unit")"
  [ "$status" -eq 0 ]
  [ "$(count 'max_dirty_mb=64')" -eq 1 ]
  command -v systemd-analyze >/dev/null || skip 'systemd-analyze is not here'
  run systemd-analyze verify --man=no "$unit"
  [ -z "$output" ]
}

# bats test_tags=all
@test "after a reboot, when all values are the kernel's own again, the unit's command sets them again" {
  tune
  : >"$FAKE_VALUES"
  : >"$calls"
  run tune
  [ "$(grep -c '^lctl set_param' "$calls")" -eq 8 ]
  grep -qF 'lru_size=9600' "$FAKE_VALUES"
}
