# shellcheck shell=bash
# A server made of recorded output: lsblk, zpool, zfs and mkfs.lustre as a Lustre 2.15.8 on ZFS 2.1.11 answered. What EC2 says of its disks is put into
# the recording: nobody has recorded lsblk there.

load ../client/lib/helper

server="$client/server/bin"

make_server() {
  make_machine
  export_replay
  export FSXBENCH_FILE_SYSTEMS='off:off:1024 gzip6:gzip-6:128' FSXBENCH_RAID_DISKS=9 zfs_state="$BATS_TEST_TMPDIR/zfs"
  mkdir -p "$zfs_state" "$FSXBENCH_ROOT/dev"
  disks_are "$(nvme 1 12)"
  # Prints only the requested columns. Inserted disks appear from the second call on.
  fake lsblk <<'FAKE'
while [[ "$1" != --output ]]; do shift; done
python3 - "$BATS_TEST_TMPDIR/lsblk.json" "${2,,}" <<'PYTHON'
import json, sys
path, columns = sys.argv[1], sys.argv[2].split(",")
def asked(device):
    said = {name: device.get(name) for name in columns}
    return {**said, "children": [asked(child) for child in device["children"]]} if "children" in device else said
print(json.dumps({"blockdevices": [asked(device) for device in json.load(open(path))["blockdevices"]]}))
PYTHON
if [[ -e "$BATS_TEST_TMPDIR/lsblk-later.json" ]]; then mv "$BATS_TEST_TMPDIR"/lsblk{-later,}.json; fi
FAKE
  fake wipefs <<<'if [[ "$1" == --no-act ]]; then cat "$BATS_TEST_TMPDIR/signatures-${3##*/}" 2>/dev/null || true; fi'
  fake blkdiscard <<<''
  fake zfs <<<'if [[ -e "$zfs_state/unlisted" ]]; then exit 1; else echo "${!#}"; if [[ "$*" == *" -r "* ]]; then cat "$zfs_state/datasets" 2>/dev/null || true; fi; fi'
  fake zpool <<'FAKE'
case "$1" in
create)
  # zpool create -O canmount=off -o ashift=12 -o cachefile=none NAME LAYOUT DISK…
  shift
  while [[ "$1" == -* ]]; do shift 2; done
  if [[ -e "$zfs_state/in-use" ]]; then replay zpool-create-in-use; exit; fi
  printf '%s\n' "${@:3}" >"$zfs_state/$1"
  if [[ -e "$zfs_state/slow" ]]; then exec sleep 3600; fi
  ;;
list) [[ -e "$zfs_state/${!#}" ]] && echo "${!#}" ;;
status) sed -n '1,6p' "$recorded/zpool-status-raidz1.out"; sed 's|^\(.*\)$|\t    \1  ONLINE       0     0     0|' "$zfs_state/${!#}" ;;
destroy) if [[ -e "$zfs_state/busy" ]]; then replay zpool-destroy-busy; exit; fi; rm "$zfs_state/$2" ;;
import)
  # zpool import -N NAME
  if [[ ! -e "$zfs_state/exported-$3" ]]; then exit 1; fi
  if [[ -e "$zfs_state/slow" ]]; then exec sleep 3600; fi
  mv "$zfs_state/exported-$3" "$zfs_state/$3"
  ;;
esac
FAKE
}

# nvme FIRST LAST: names of instance stores, a line each.
nvme() { local number; for ((number = $1; number <= $2; number++)); do echo "nvme${number}n1"; done; }

# disks_are NAMES [PYTHON]: the recorded root disk, which is of EBS, and these as instance stores, after a change to them (`disks` by name).
disks_are() {
  python3 - "$1" "${2:-}" "$recorded/lsblk-json.out" >"$BATS_TEST_TMPDIR/lsblk.json" <<'PYTHON'
import copy, json, sys
names, change, recorded = sys.argv[1:]
own = {disk["name"]: disk for disk in json.load(open(recorded))["blockdevices"]}
root, member = own["vda"], own["vdb"]
disks = {"nvme0n1": {**copy.deepcopy(root), "name": "nvme0n1", "model": "Amazon Elastic Block Store"}}
for name in names.split():
    disks[name] = {**copy.deepcopy(root), "name": name, "model": "Amazon EC2 NVMe Instance Storage", "mountpoint": None, "fstype": None, "size": 7500000000000}
exec(change)
json.dump({"blockdevices": list(disks.values())}, sys.stdout)
PYTHON
}

# fake_targets: mkfs.lustre, zfs, mount and lctl, which keep their arguments in $zfs_state. Lines there of recovery (`off-OST0000 RECOVERING`) and
# objects (`off -11`) set the state of targets; others are well.
fake_targets() {
  mkdir -p "$zfs_state"/{targets,properties}
  fake ip <<<'echo "192.0.2.1 via 172.31.0.1 dev eth1 src 172.31.8.15 uid 0 "'
  fake mkfs.lustre <<'FAKE'
if [[ -s "$zfs_state/mkfs-says" ]]; then replay "$(<"$zfs_state/mkfs-says")"; exit; fi
if [[ ! -e "$zfs_state/mkfs-makes-nothing" ]]; then mkdir -p "$zfs_state/targets/$(dirname "${!#}")"; touch "$zfs_state/targets/${!#}"; fi
replay mkfs-lustre-ost-zfs
FAKE
  fake zfs <<'FAKE'
dataset="${!#}"
case "$1" in
get)
  property="${*: -2:1}"
  if [[ "$property" == lustre:svname ]]; then
    [[ -e "$zfs_state/targets/$dataset" ]] || { replay zfs-no-such; exit; }
    awk '$2 == "lustre:svname" { print $3 }' "$recorded/zfs-get-lustre-properties.out"
  else
    cat "$zfs_state/properties/${dataset//\//-}.$property"
  fi
  ;;
set)
  value="${2#*=}"
  if [[ "$value" == gzip-6 ]]; then value=gzip; fi
  if [[ "$value" == *K ]]; then value=$((${value%K} * 1024)); fi
  if [[ ! -e "$zfs_state/deaf" ]]; then echo "$value" >"$zfs_state/properties/${dataset//\//-}.${2%=*}"; else echo off >"$zfs_state/properties/${dataset//\//-}.${2%=*}"; fi
  ;;
create)
  # zfs create -o canmount=on -o mountpoint=POINT NAME
  mkdir -p "${5#mountpoint=}" "$zfs_state/targets/${dataset%/*}"
  touch "$zfs_state/targets/$dataset"
  ;;
list) ls "$zfs_state/targets/$dataset" ;;
esac
FAKE
  fake mount <<<'echo "$3 $4 lustre ro 0 0" >>"$FSXBENCH_ROOT/proc/mounts"'
  fake umount <<<'sed -i "\| $1 |d" "$FSXBENCH_ROOT/proc/mounts"'
  fake modprobe <<<''
  touch "$zfs_state"/{recovery,objects}
  fake lctl <<'FAKE'
targets() { sed -nE 's#^[^ ]*/([a-z0-9_]+)-(ost|mdt)([0-9]) .*#\1 \2 000\3#p' "$FSXBENCH_ROOT/proc/mounts"; }
said() { awk -v key="$2" -v word="$3" '$1 == key { word = $2 } END { print word }' "$zfs_state/$1"; }
case "$*" in
list_nids) replay lctl-list_nids ;;
'get_param obdfilter.*.recovery_status mdt.*.recovery_status')
  targets | while read -r name kind index; do
    if [[ "$kind" == ost ]]; then parameter=obdfilter; else parameter=mdt; fi
    echo "$parameter.$name-${kind^^}$index.recovery_status=status: $(said recovery "$name-${kind^^}$index" INACTIVE)"
  done
  ;;
'get_param osp.*-OST*.prealloc_status')
  targets | while read -r name kind index; do
    if [[ "$kind" == ost ]]; then echo "osp.$name-OST$index-osc-MDT0000.prealloc_status=$(said objects "$name" 0)"; fi
  done
  ;;
esac
FAKE
}

# linux IMAGE: a machine of that image, rocky or rhel, whose dnf, rpm and modules answer from recorded metadata (dnf.py).
linux() {
  export metadata="$lib/../../fixtures/el8/metadata.json" dnf="$lib/../../server/dnf.py" installed="$BATS_TEST_TMPDIR/installed.json"
  rm -rf "$FSXBENCH_ROOT/etc/yum.repos.d"
  mkdir -p "$FSXBENCH_ROOT/etc/yum.repos.d"
  python3 - "$1" "$metadata" <<'PYTHON'
import json, os, sys
image, path = sys.argv[1:]
metadata = json.load(open(path))
for name, text in metadata["images"][image].items():
    open(os.path.join(os.environ["FSXBENCH_ROOT"], "etc/yum.repos.d", name), "w").write(text)
json.dump(metadata["installed"], open(os.environ["installed"], "w"))
PYTHON
  fake uname <<<'if [[ "$1" == -r ]]; then echo 4.18.0-553.el8_10.x86_64; else echo server; fi'
  fake dnf <<<'exec python3 "$dnf" "$metadata" "$@"'
  fake rpm <<<'exec python3 "$dnf" "$metadata" has "${!#}"'
  # DKMS builds modules when their package is installed: Lustre's against its own ZFS (lustre-dkms_pre-build.sh).
  fake modinfo <<'FAKE'
has() { python3 "$dnf" "$metadata" has "$1"; }
case "$1" in
zfs) has zfs-dkms ;;
lustre) has kmod-lustre ;;
osd_zfs) has kmod-lustre-osd-zfs && has zfs-dkms ;;
esac
FAKE
}

# installed_are NAME…: versions of packages, a line each, `-` for one that is not there.
installed_are() {
  python3 - "$@" <<'PYTHON'
import json, os, sys
versions = {package["name"]: package.get("version", "") for package in json.load(open(os.environ["installed"]))}
for name in sys.argv[1:]:
    print(name, versions.get(name, "-"))
PYTHON
}
