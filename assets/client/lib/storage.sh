# shellcheck shell=bash
# The scripts of storages share this. Sourced after common.sh, never run.

# Amazon Linux 2023 has systemd-networkd; `network.service` of the older lines never comes:
# https://docs.aws.amazon.com/fsx/latest/LustreGuide/mount-fs-auto-mount-onreboot.html.
fstab_options='_netdev,x-systemd.automount,x-systemd.requires=systemd-networkd-wait-online.service'

# arm_value FIELD PATTERN: prints FSXBENCH_ARM_<FIELD>, which must match as a whole.
arm_value() {
  local name="FSXBENCH_ARM_$1"
  [[ "${!name:-}" =~ ^($2)$ ]] || die "'$name' must match $2, got '${!name:-}'"
  printf '%s\n' "${!name}"
}

# mounted_at MOUNT_POINT: `SOURCE TYPE` of the last mount there, or nothing. systemd's automount, which waits for a mount, does not count. From the
# kernel's table: mountpoint(1) and stat(1) ask the server and can hang.
mounted_at() {
  awk -v point="$1" '$2 == point && $3 != "autofs" { found = $1 " " $3 } END { if (found) print found }' "$root/proc/mounts"
}

# mount_source TYPE MOUNT_POINT: what is mounted there with the type, such as 172.31.8.15@tcp:/fsxvol; fails when nothing is.
mount_source() {
  local found
  found="$(mounted_at "$2")"
  [[ "${found#* }" == "$1" ]] && printf '%s\n' "${found% *}"
}

# lustre_source SOURCE: file system, folder and servers of what mount_source prints, each on a line (storage/lustre/source.mjs).
lustre_source() {
  local scripts="$home/storage"
  # In a package there is no link to them: npm leaves links out.
  [[ -d "$scripts" ]] || scripts="$home/../storage"
  node "$scripts/lustre/source.mjs" "$1"
}

# refuse_other_mount ARM MOUNT_POINT WANTED IS_MOUNTED…: ends the script where something else is mounted than what IS_MOUNTED… finds. Mounted over it,
# the arm would hide files that somebody uses.
refuse_other_mount() {
  local arm="$1" point="$2" wanted="$3" found
  shift 3
  found="$(mounted_at "$point")"
  if [[ -z "$found" ]] || "$@"; then return 0; fi
  die "arm $arm: $point must be free or hold $wanted, but ${found% *} (${found#* }) is mounted there: unmount it with 'umount $point', then repeat this"
}

# mount_patiently ARM DEVICE MOUNT_POINT TYPE OPTIONS IS_MOUNTED…: mounts until IS_MOUNTED… succeeds, for FSXBENCH_MOUNT_SECONDS at most.
mount_patiently() {
  local arm="$1" device="$2" point="$3" type="$4" options="$5" seconds="${FSXBENCH_MOUNT_SECONDS:-600}" said found pause=1
  local deadline=$((SECONDS + seconds))
  shift 5
  mkdir -p "$root$point"
  until "$@"; do
    # One attempt may hang in the kernel for as long as a server is silent.
    if said="$(give_up_after 60 mount -t "$type" -o "$options" "$device" "$point" 2>&1)"; then
      if "$@"; then return 0; fi
      # Again and again at once, mounts would pile up on the mount point.
      found="$(mounted_at "$point")"
      said="that it succeeded, and the kernel has ${found:-nothing} there"
    fi
    # The name may not resolve yet, nor the servers answer, right after the file system was made.
    said="$(head -n 2 <<<"$said" | tr '\n' ' ')"
    ((SECONDS < deadline)) || die "arm $arm: could not mount $device at $point within ${seconds}s; mount said: $said"
    log "arm $arm: $said(again in ${pause}s)"
    sleep "$pause"
    pause=$((pause < 20 ? pause * 2 : 20))
  done
}

# remember_mount DEVICE MOUNT_POINT TYPE OPTIONS: for every later boot.
remember_mount() {
  local device="$1" point="$2" type="$3" options="$4" fstab="$root/etc/fstab"
  local line="$device $point $type defaults,$options,$fstab_options 0 0"
  if grep -qxF "$line" "$fstab" 2>/dev/null; then return 0; fi
  # Another line for this mount point is an older deployment's.
  {
    grep -v "^[^#[:space:]]*[[:space:]]${point}[[:space:]]" "$fstab" 2>/dev/null || true
    printf '%s\n' "$line"
  } |
    write_file "$fstab" 0644
  if systemd_running; then systemctl daemon-reload; fi
}
