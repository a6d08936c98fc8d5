# shellcheck shell=bash
# Measures the rate of a throttled disk.
#
# Environment, in addition to that of common.sh:
#   MODEL_DISK_READ_BPS, MODEL_DISK_WRITE_BPS
#                               limits of the disk, bytes/s
#   MODEL_CALIBRATION_SECONDS   length of each measurement (default 3)

# The throttle grants bytes in slices of 0.1 s, the first at once, so the beginning does not count.
readonly settling=0.4

# disk_rates DEVICE MOUNT: what the device of a file system moves in a second while that is written, and while it is read.
disk_rates() {
  local device="$1" file="$2/calibration" count written read
  count="$(blocks "$((MODEL_DISK_WRITE_BPS > MODEL_DISK_READ_BPS ? MODEL_DISK_WRITE_BPS : MODEL_DISK_READ_BPS))")"
  # With fsync, as data are written; random, since the file system may compress.
  written="$(disk_rate "$device" 6 in_throttle dd if=/dev/urandom of="$file" bs=256K count="$count" conv=fsync status=none)"
  forget "$file"
  read="$(disk_rate "$device" 2 in_throttle dd if="$file" of=/dev/null bs=256K count="$count" status=none)"
  rm "$file"
  echo "$written $read"
}

# disk_rate DEVICE FIELD COMMAND…: what the device moves in a second while a command works, as the slope of what it has counted: the slices
# make steps, and a difference of two readings would be off by one of them. Field 2 of its statistics is what it read, 6 what it wrote,
# in sectors of 512 bytes (Linux, Documentation/block/stat).
disk_rate() {
  local statistics="/sys/block/$1/stat" field="$2" job
  shift 2
  "$@" &
  job=$!
  sleep "$settling"
  while is_running "$job"; do
    read -r -a counted <"$statistics"
    echo "$EPOCHREALTIME ${counted[field]}"
    sleep 0.02
  done | slope
  wait "$job" || die 'the calibration could not use the disk'
}

# Bytes a second from lines of `seconds sectors`, by least squares; 0 for fewer than ten.
slope() {
  awk 'NR == 1 { t0 = $1; s0 = $2 }
    { t = $1 - t0; s = ($2 - s0) * 512; n++; st += t; ss += s; stt += t * t; sts += t * s }
    END { if (n < 10) print 0; else printf "%.0f\n", (n * sts - st * ss) / (n * stt - st * st) }'
}

# blocks BYTES_A_SECOND: of 256 KiB, for the time of a calibration.
blocks() { awk -v rate="$1" -v seconds="${MODEL_CALIBRATION_SECONDS:-3}" 'BEGIN { printf "%d\n", rate * seconds / 262144 + 1 }'; }

forget() { dd of="$1" oflag=nocache conv=notrunc,fdatasync count=0 status=none; }
