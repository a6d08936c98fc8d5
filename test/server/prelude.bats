#!/usr/bin/env bats
# The first minutes of a server on RHEL 8 or a relative of it: nothing of AWS is there, and whatever fails is signalled at once, with its reason in the log group.

load helper

setup() {
  servers=()
  make_machine
  linux rocky
  fake sleep <<<''
  export FSXBENCH_SIGNAL_RESOURCE=Server0 FSXBENCH_BUNDLE_URL=s3://assets/bundle.zip FSXBENCH_BOOT=boot
  export FSXBENCH_HOME="$BATS_TEST_TMPDIR/opt/fsxbench"
  mkdir -p "$FSXBENCH_ROOT"/{usr/libexec,usr/bin,var/lib/cloud/data}
  echo i-0abc >"$FSXBENCH_ROOT/var/lib/cloud/data/instance-id"
  printf '#!/bin/bash\nexec python3 "$@"\n' >"$FSXBENCH_ROOT/usr/libexec/platform-python"
  chmod +x "$FSXBENCH_ROOT/usr/libexec/platform-python"
  real_curl="$(command -v curl)"
  export real_curl
  start_aws
  fake_downloads
  # As on the servers (lib/constructs/storage/lustre-zfs.ts), without comments (lib/deploy/machine/userData.ts).
  cat <(echo '#!/bin/bash') "$client/server/prelude.sh" "$client/user-data.sh" | sed -E '/^[[:space:]]*#([^!]|$)/d' >"$BATS_TEST_TMPDIR/user-data"
  # A machine that has none of the programs that it is to be brought, whatever the one has that runs the tests.
  PATH="$FAKES:$FSXBENCH_ROOT/usr/bin:$(path_without aws cfn-signal)"
}

# path_without PROGRAM…: a folder with links to all programs of PATH but these, and those that are faked.
path_without() {
  local folder="$BATS_TEST_TMPDIR/path" name
  mkdir -p "$folder"
  find -L /usr/local/bin /usr/bin /bin /usr/sbin /sbin -maxdepth 1 -type f -executable -exec ln -sf -t "$folder" {} + 2>/dev/null || true
  ln -sf "$(command -v node)" "$folder/node"
  for name in "$@"; do rm -f "$folder/$name"; done
  echo "$folder"
}

# start_aws: a metadata service, and a CloudFormation that keeps what it is asked in $requests.
start_aws() {
  local imds="$BATS_TEST_TMPDIR/imds"
  mkdir -p "$imds"/latest/{meta-data/services,dynamic/instance-identity}
  echo -n amazonaws.com >"$imds/latest/meta-data/services/domain"
  echo -n i-0abc >"$imds/latest/meta-data/instance-id"
  echo -n '{"instanceId" : "i-0abc"}' >"$imds/latest/dynamic/instance-identity/document"
  printf 'c2ln\nbmF0dXJl\n' >"$imds/latest/dynamic/instance-identity/signature"
  start_server "$lib/fake-imds.mjs" "$imds" "$imds/port"
  export requests="$BATS_TEST_TMPDIR/requests"
  : >"$requests"
  start_server "$lib/../../server/fake-cloudformation.mjs" "$requests" "$BATS_TEST_TMPDIR/cloudformation.port"
  AWS_EC2_METADATA_SERVICE_ENDPOINT="http://127.0.0.1:$(<"$imds/port")"
  AWS_ENDPOINT_URL_CLOUDFORMATION="http://127.0.0.1:$(<"$BATS_TEST_TMPDIR/cloudformation.port")"
  export AWS_EC2_METADATA_SERVICE_ENDPOINT AWS_ENDPOINT_URL_CLOUDFORMATION
}

# fake_downloads: the AWS CLI's archive, whose program logs what it is asked and has a bundle whose `boot` is what the test wants.
fake_downloads() {
  export cli="$BATS_TEST_TMPDIR/cli" bundle="$BATS_TEST_TMPDIR/bundle.zip"
  mkdir -p "$cli/aws" "$BATS_TEST_TMPDIR/bundle"
  printf '#!/bin/bash\ncp "%s/aws.sh" "$2/aws"\n' "$cli" >"$cli/aws/install"
  cat >"$cli/aws.sh" <<'AWS'
#!/bin/bash
printf 'aws %s\n' "$*" >>"$calls"
if [[ -e "$cli/refused" ]]; then exit 254; fi
if [[ "$1" == s3 ]]; then cp "$bundle" "${!#}"; fi
AWS
  chmod +x "$cli/aws/install" "$cli/aws.sh"
  (cd "$cli" && python3 -m zipfile -c aws.zip aws)
  boots <<<'exit 0'
  fake curl <<'CURL'
if [[ "${!#}" == https://awscli.amazonaws.com/* ]]; then
  if [[ -e "$cli/offline" ]]; then echo 'curl: (6) Could not resolve host: awscli.amazonaws.com' >&2; exit 6; fi
  for ((i = 1; i <= $#; i++)); do if [[ "${!i}" == --output ]]; then i=$((i + 1)); cp "$cli/aws.zip" "${!i}"; fi; done
else
  exec "$real_curl" "$@"
fi
CURL
  fake systemctl <<<''
}

# boots <BODY: the bundle's script is this one.
boots() {
  {
    echo '#!/bin/bash'
    cat
  } >"$BATS_TEST_TMPDIR/bundle/boot"
  (cd "$BATS_TEST_TMPDIR/bundle" && python3 -m zipfile -c "$bundle" boot)
}

user_data() { bash "$BATS_TEST_TMPDIR/user-data"; }

@test "brings the AWS CLI and both agents before anything else, and signals success through the CLI" {
  boots <<<'command -v aws'
  run -0 user_data
  grep -q '^systemctl enable --now --quiet amazon-ssm-agent$' "$calls"
  [ "$(installed_are amazon-ssm-agent amazon-cloudwatch-agent python3 | xargs)" = 'amazon-ssm-agent amazon-cloudwatch-agent python3 -' ]
  [ "$(grep '^aws cloudformation' "$calls")" = \
    'aws cloudformation signal-resource --region us-east-1 --stack-name CompressionBench --logical-resource-id Server0 --unique-id i-0abc --status SUCCESS' ]
  [ "$(count '^aws logs')" -eq 0 ]
  [ ! -s "$requests" ]
}

@test "a step that fails is signalled at once, and its reason is in the log group" {
  boots <<<'echo "boot: error: install-packages failed" >&2; exit 1'
  run -1 user_data
  [[ "$(grep '^aws cloudformation' "$calls")" == *'--status FAILURE' ]]
  grep -q '^aws logs create-log-stream --region us-east-1 --log-group-name /fsxbench/CompressionBench --log-stream-name i-0abc/boot-failed$' "$calls"
  [[ "$(grep '^aws logs put-log-events' "$calls")" == *'server: boot failed with status 1. '*'boot: error: install-packages failed'* ]]
  # The reason first: the machine is gone soon after the signal.
  [ "$(grep -n '^aws ' "$calls" | tail -n 1)" = "$(grep -n '^aws cloudformation' "$calls")" ]
}

@test "the wait condition gets the reason without the AWS CLI and without a role" {
  FSXBENCH_SIGNAL_URL="$AWS_ENDPOINT_URL_CLOUDFORMATION/arn%3Aaws%3Acloudformation?Expires=1&Signature=a%2Bb"
  export FSXBENCH_SIGNAL_URL
  touch "$cli/offline"
  run -6 user_data
  [ "$(head -n 1 "$requests")" = "PUT /arn%3Aaws%3Acloudformation?Expires=1&Signature=a%2Bb undefined" ]
  [ "$(node -p 'JSON.stringify(JSON.parse(require("fs").readFileSync(process.argv[1])))' "$requests.body")" = \
    '{"Status":"FAILURE","Reason":"user-data: curl: (6) Could not resolve host: awscli.amazonaws.com","UniqueId":"i-0abc","Data":""}' ]
}

@test "without the AWS CLI, which is the first thing that can fail, the signal is signed with the instance's identity" {
  touch "$cli/offline"
  run -6 user_data
  [[ "$output" == *'Could not resolve host: awscli.amazonaws.com'* ]]
  [ "$(<"$requests")" = "GET /?Action=SignalResource&Version=2010-05-15&StackName=CompressionBench&LogicalResourceId=Server0&UniqueId=i-0abc&Status=FAILURE CFN_V1 $(echo -n '{"instanceId" : "i-0abc"}' | base64 --wrap=0):c2lnbmF0dXJl" ]
}

# bats test_tags=all
@test "a CLI that may not signal is no obstacle, either" {
  boots <<<'touch "$cli/refused"'
  run -0 user_data
  [[ "$(<"$requests")" == *'&Status=SUCCESS CFN_V1 '* ]]
}

# bats test_tags=all
@test "a server without agents boots, and says what is missing" {
  fake dnf <<<'echo "Curl error (6)" >&2; exit 1'
  run -0 user_data
  [[ "$output" == *'warning: the agents of Systems Manager and CloudWatch could not be installed'* ]]
}

@test "what the CLI or the archive lacks ends the boot, and is signalled" {
  printf 'exit 3\n' >"$cli/aws/install"
  (cd "$cli" && python3 -m zipfile -c aws.zip aws)
  run -3 user_data
  [[ "$(<"$requests")" == *'&Status=FAILURE CFN_V1 '* ]]
}

# bats test_tags=all
@test "signals with a bash that has no SRANDOM, as that of RHEL 8" {
  # Without its special meaning once it was unset (bash manual, Shell Variables).
  sed -i '1a unset SRANDOM' "$BATS_TEST_TMPDIR/user-data"
  FSXBENCH_CLIENTS=20 run -0 user_data
  [[ "$(grep '^aws cloudformation' "$calls")" == *'--status SUCCESS' ]]
}

# bats test_tags=all
@test "the time that the prelude took is not left to the boot" {
  boots <<<'sleep 3600'
  fake sleep <<<'exec /bin/sleep "$1"'
  sed -i '1a SECONDS=100' "$BATS_TEST_TMPDIR/user-data"
  FSXBENCH_BOOT_SECONDS=101 run -124 user_data
  [[ "$(grep '^aws logs put-log-events' "$calls")" == *'boot failed with status 124.'* ]]
}
