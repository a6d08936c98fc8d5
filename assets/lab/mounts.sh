# shellcheck shell=bash
# Mounts of this machine as the kernel lists them, which asks no file system: one whose server is gone would hang.

# is_mounted POINT [TYPE…]: by one of these types, if any is named. proc(5), mounts: blanks of a path are written as \040.
is_mounted() {
  local point type
  while read -r _ point type _; do
    printf -v point '%b' "${point//\\/\\0}"
    if [[ "$point" == "$1" && ($# -eq 1 || " ${*:2} " == *" $type "*) ]]; then return 0; fi
  done </proc/self/mounts
  return 1
}
