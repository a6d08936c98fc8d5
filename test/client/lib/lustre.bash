# shellcheck shell=bash
# A Lustre client made of recorded output: mount, lfs and lctl as 2.15.8 answered.

# mounts ANSWER…: what mount(8) says, one recorded name for each call in turn; `mount-ok` mounts.
mounts() { printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/mount-answers"; }

# FAKE_DEVICES names another recording of `lctl dl`, with the devices of all arms, one of which is the eleventh; FAKE_SHORT an arm that has a target without objects.
fake_lustre() {
  export_replay
  fake mount <<'BODY'
answers="$BATS_TEST_TMPDIR/mount-answers"
answer="$(head -n 1 "$answers" 2>/dev/null)"
sed -i 1d "$answers" 2>/dev/null
device="$5" point="$6"
if [[ "${answer:-mount-ok}" == mount-ok ]]; then
  # As the kernel's table shows it: a server's address in place of the name.
  sed -e "s|/fsxvol /fsx |:/${device##*:/} $point |" -e 's|:/*:/|:/|' -e 's|@tcp::/|@tcp:/|' "$recorded/mount-proc.out" >>"$FSXBENCH_ROOT/proc/mounts"
fi
replay "${answer:-mount-ok}"
BODY
  # The first file that is made over all targets got 3 of 4 when it was recorded: one target had no objects yet.
  fake lfs <<'BODY'
case "$1 $2" in
  'setstripe -c')
    # It makes a file that is not there, and fails for one that is.
    if [[ "$4" == */.fsxbench-stripes-* ]]; then (set -o noclobber && : >"$4") || exit 17; fi
    replay setstripe-all
    ;;
  'getstripe -d') replay getstripe-dir-all ;;
  'getstripe -c') if [[ "$3" == */"${FAKE_SHORT:-none such}"/* ]]; then echo 3; elif [[ $(grep -c '^lfs getstripe -c' "$calls") -eq 1 ]]; then replay getstripe-c-file; else echo "${FAKE_STRIPES:-4}"; fi ;;
esac
BODY
  fake lctl <<'BODY'
if [[ "$1" == dl && -n "${FAKE_DEVICES:-}" ]]; then replay "$FAKE_DEVICES" | sed 's/OST0001/OST000a/'; exit; fi
if [[ "$1" == dl ]]; then replay lctl-dl; sed 's/fsxvol/lz4vol/' "$recorded/lctl-dl.out"; fi
BODY
}
