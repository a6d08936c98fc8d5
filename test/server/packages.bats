#!/usr/bin/env bats
# Packages that a server installs, from recorded metadata: a missing package, repository or address is refused as by a repository.

load helper

setup() {
  make_server
  fake sleep <<<''
  export FSXBENCH_REGION=us-east-1
}

install_packages() { bash "$server/install-packages"; }

# own_build PACKAGES: an archive whose program `install` leaves these packages, as JSON, and its address and sum in the environment.
own_build() {
  local folder="$BATS_TEST_TMPDIR/build"
  mkdir -p "$folder"
  printf '#!/bin/bash\npython3 - <<PYTHON\nimport json, os\nhad = json.load(open(os.environ["installed"]))\njson.dump(had + %s, open(os.environ["installed"], "w"))\nPYTHON\n' "$1" >"$folder/install"
  printf '#!/bin/bash\necho 0\n' >"$folder/counters"
  chmod +x "$folder"/*
  export own_archive="$BATS_TEST_TMPDIR/build.tar.gz"
  tar -czf "$own_archive" -C "$folder" .
  fake aws <<<'cp "$own_archive" "${!#}"'
  export FSXBENCH_OFFLOAD=own-build FSXBENCH_BUILD_URL=s3://b/k.tar.gz
  FSXBENCH_BUILD_SHA256="$(sha256sum "$own_archive" | cut -d ' ' -f 1)"
  export FSXBENCH_BUILD_SHA256
}

@test "Rocky Linux and RHEL get ZFS and Lustre as their repository has them, over HTTPS alone, and no patched kernel" {
  local image
  for image in rocky rhel; do
    linux "$image"
    run -0 install_packages
    [ "$(installed_are zfs-dkms zfs lustre-zfs-dkms lustre lustre-osd-zfs-mount kernel-devel kernel kmod-lustre dkms | xargs)" = \
      'zfs-dkms 2.2.7-1.el8 zfs 2.2.7-1.el8 lustre-zfs-dkms 2.15.7-1.el8 lustre 2.15.7-1.el8 lustre-osd-zfs-mount 2.15.7-1.el8 kernel-devel 4.18.0-553.el8_10 kernel - kmod-lustre - dkms 3.0.13-1.el8' ]
    run ! grep -rhE '^(baseurl|metalink)=http:' "$FSXBENCH_ROOT/etc/yum.repos.d"
  done
}

@test "a second run, and an image that has the modules, install nothing" {
  linux rocky
  run -0 install_packages
  : >"$calls"
  run -0 install_packages
  [ "$(count '^dnf')" -eq 0 ]
}

@test "every package of the table is in the recorded repository, in that very version" {
  linux rocky
  local name version
  while IFS=$'\t' read -r name version _; do
    python3 -c 'import json, sys; sys.exit(not any([p["name"], p.get("version")] == sys.argv[2:] for p in json.load(open(sys.argv[1]))["repositories"]["lustre"]))' \
      "$metadata" "$name" "$version" || { echo "$name $version"; false; }
  done < <(grep -v '^#' "$client/server/packages.tsv")
}

@test "a name that no package has, a version that is gone and a mirror that is not reached are refused" {
  linux rocky
  run -1 --separate-stderr dnf install -y lustre-dkms-2.15.7-1.el8
  [[ "$stderr" == *'a mirror by HTTP does not answer' ]]
  rm -f "$FSXBENCH_ROOT"/etc/yum.repos.d/*
  printf '[l]\nenabled=1\nbaseurl=https://downloads.whamcloud.com/public/lustre/lustre-2.15.7/el8.10/server/\n' >"$FSXBENCH_ROOT/etc/yum.repos.d/l.repo"
  local wrong
  for wrong in lustre-dkms-2.15.7-1.el8 zfs-dkms-2.2.8-1.el8; do
    run -1 --separate-stderr dnf install -y "$wrong"
    [ "$stderr" = "Error: Unable to find a match: $wrong" ]
  done
  run -1 --separate-stderr dnf install -y lustre-zfs-dkms
  [[ "$stderr" == 'Error: nothing provides dkms >= 2.2.0.3-28.git.7c3e7c5 needed by lustre-zfs-dkms-2.15.7-1.el8' ]]
}

# bats test_tags=all
@test "an own build keeps its ZFS: Lustre is built against it, and none of the repository comes beside it" {
  linux rocky
  own_build '[{"name": "zfs-dkms", "version": "2.2.99-1.el8", "provides": ["zfs-kmod = 2.2.99"]}, {"name": "zfs", "version": "2.2.99-1.el8"}, {"name": "libzfs5", "version": "2.2.99-1.el8", "provides": ["libzfs.so.4()(64bit)", "libnvpair.so.3()(64bit)", "libzpool.so.5()(64bit)"]}]'
  run -0 install_packages
  [ "$(installed_are zfs-dkms zfs libzfs5 libzpool5 lustre-zfs-dkms lustre | xargs)" = \
    'zfs-dkms 2.2.99-1.el8 zfs 2.2.99-1.el8 libzfs5 2.2.99-1.el8 libzpool5 - lustre-zfs-dkms 2.15.7-1.el8 lustre 2.15.7-1.el8' ]
}

# bats test_tags=all
@test "an own build that leaves no package of ZFS is refused with what it must leave" {
  linux rocky
  own_build '[]'
  fake modinfo <<<'[[ "$1" == zfs ]]'
  run -1 --separate-stderr install_packages
  [[ "$stderr" == *'must install packages of ZFS, zfs and zfs-dkms among them, as OpenZFS makes them (make rpm-utils rpm-dkms)' ]]
  [ "$(installed_are lustre)" = 'lustre -' ]
}

# bats test_tags=all
@test "an own build of a ZFS that Lustre's programs cannot load is refused by dnf, with the library" {
  linux rocky
  own_build '[{"name": "zfs-dkms", "version": "2.3.2-1.el8"}, {"name": "zfs", "version": "2.3.2-1.el8"}, {"name": "libzfs6", "version": "2.3.2-1.el8", "provides": ["libzfs.so.6()(64bit)"]}]'
  run -1 --separate-stderr install_packages
  [[ "$stderr" == *'nothing provides libzfs.so.4()(64bit) needed by lustre-osd-zfs-mount'* ]]
}

# bats test_tags=all
@test "an own build without its two programs, and one that makes no module, are refused before Lustre is installed" {
  linux rocky
  own_build '[]'
  tar -czf "$own_archive" -C "$BATS_TEST_TMPDIR/build" ./install
  FSXBENCH_BUILD_SHA256="$(sha256sum "$own_archive" | cut -d ' ' -f 1)" run -1 --separate-stderr install_packages
  [[ "$stderr" == *'s3://b/k.tar.gz must hold the programs install and counters' ]]
  own_build '[]'
  run -1 --separate-stderr install_packages
  [[ "$stderr" == *'install of the own build ended well, but there is no module zfs' ]]
  [ "$(installed_are lustre)" = 'lustre -' ]
}

# bats test_tags=all
@test "packages of which no modules come are refused with where the build failed" {
  linux rocky
  fake modinfo <<<'exit 1'
  run -1 --separate-stderr install_packages
  [[ "$stderr" == *"no modules lustre and osd_zfs were built for $(uname -r): see /var/lib/dkms/lustre-zfs" ]]
}

# bats test_tags=all
@test "QAT without its driver, and an own build with another checksum, are refused before ZFS is installed" {
  linux rocky
  FSXBENCH_OFFLOAD=qat run -1 --separate-stderr install_packages
  [[ "$stderr" == *"offloading with qat needs Intel's QAT driver with its sources in /opt/QAT: put it into the image, or set lustreZfsOffload=none" ]]
  own_build '[]'
  FSXBENCH_BUILD_SHA256=00 run -1 --separate-stderr install_packages
  [[ "$stderr" == *'s3://b/k.tar.gz must have the SHA-256 00, but has '* ]]
  [ "$(installed_are zfs-dkms)" = 'zfs-dkms -' ]
}

# bats test_tags=all
@test "an image whose kernel the repositories no longer have, or of another Linux, is refused with the next step" {
  linux rocky
  fake uname <<<'echo 4.18.0-477.el8_8.x86_64'
  run -1 --separate-stderr install_packages
  [[ "$stderr" == *'the repositories have no kernel-devel for 4.18.0-477.el8_8.x86_64, the kernel of the image: choose a newer image (docs/lustre-zfs.md)' ]]
  linux rocky
  rm "$FSXBENCH_ROOT/etc/yum.repos.d/Rocky-PowerTools.repo"
  run -1 --separate-stderr install_packages
  [[ "$stderr" == *'neither powertools nor codeready-builder can be enabled: the image must be of Rocky Linux or RHEL 8.10' ]]
}

@test "a step that takes too long ends with how long it was given" {
  linux rocky
  own_build '[]'
  fake aws <<<"$times_up"
  FSXBENCH_OFFLOAD=own-build run -1 --separate-stderr install_packages
  [[ "$stderr" == *'gave up after 300s: aws s3 cp '*'error: cannot fetch s3://b/k.tar.gz' ]]
  fake aws <<<'cp "$own_archive" "${!#}"'
  printf '#!/bin/bash\n%s\n' "$times_up" >"$BATS_TEST_TMPDIR/build/install"
  tar -czf "$own_archive" -C "$BATS_TEST_TMPDIR/build" .
  FSXBENCH_BUILD_SHA256="$(sha256sum "$own_archive" | cut -d ' ' -f 1)" FSXBENCH_PACKAGE_SECONDS="$hang_seconds" run -1 --separate-stderr install_packages
  [[ "$stderr" == *"gave up after ${hang_seconds}s: $FSXBENCH_ROOT/opt/fsxbench-build/install"*'error: install of the own build failed' ]]
  fake dnf <<<"$times_up"
  FSXBENCH_PACKAGE_SECONDS="$hang_seconds" run -1 --separate-stderr install_packages
  [[ "$stderr" == *"gave up after ${hang_seconds}s: dnf install "*'error: dnf could not install '* ]]
}
