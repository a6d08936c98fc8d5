#!/usr/bin/env bats
# The S3 client, against a local S3 and a local metadata service.

load lib/helper

setup() {
  servers=()
  make_machine
  start_s3
  s3_tool="$client/bin/s3"
}

teardown() { stop_servers; }

@test "what is put can be got again, byte for byte and with the same ETag" {
  head -c 300000 /dev/urandom >"$BATS_TEST_TMPDIR/body"
  etag="$("$s3_tool" put "$BATS_TEST_TMPDIR/body" 's3://bucket/runs/a b/(x)+y!.bin')"
  run "$s3_tool" get 's3://bucket/runs/a b/(x)+y!.bin' "$BATS_TEST_TMPDIR/back"
  [ "$output" = "$etag" ]
  cmp "$BATS_TEST_TMPDIR/body" "$BATS_TEST_TMPDIR/back"
}

@test "a missing object is status 4 and leaves no file" {
  run "$s3_tool" get s3://bucket/none "$BATS_TEST_TMPDIR/none"
  [ "$status" -eq 4 ]
  [[ "$output" == *'GET s3://bucket/none answered 404 NoSuchKey'* ]]
  [ -z "$(ls "$BATS_TEST_TMPDIR" | grep none)" ]
}

@test "of two writers that want an absent object the second gets status 5" {
  echo a >"$BATS_TEST_TMPDIR/a"
  "$s3_tool" put "$BATS_TEST_TMPDIR/a" s3://bucket/lock --if-none-match
  run "$s3_tool" put "$BATS_TEST_TMPDIR/a" s3://bucket/lock --if-none-match
  [ "$status" -eq 5 ]
}

@test "a put under an old ETag is status 5" {
  echo a >"$BATS_TEST_TMPDIR/a"
  echo b >"$BATS_TEST_TMPDIR/b"
  old="$("$s3_tool" put "$BATS_TEST_TMPDIR/a" s3://bucket/lock)"
  "$s3_tool" put "$BATS_TEST_TMPDIR/b" s3://bucket/lock --if-match "$old"
  run "$s3_tool" put "$BATS_TEST_TMPDIR/a" s3://bucket/lock --if-match "$old"
  [ "$status" -eq 5 ]
}

@test "a server error is tried again" {
  echo text | object bucket/key
  echo 503 >"$s3/refuse-once"
  run "$s3_tool" get s3://bucket/key "$BATS_TEST_TMPDIR/file"
  [ "$status" -eq 0 ]
  [ "$(wc -l <"$s3/requests.log")" -ge 1 ]
  [ "$(<"$BATS_TEST_TMPDIR/file")" = text ]
}

@test "a refusal is not tried again and names the status" {
  echo 403 >"$s3/refuse"
  run "$s3_tool" get s3://bucket/key "$BATS_TEST_TMPDIR/file"
  [ "$status" -eq 1 ]
  [[ "$output" == *'GET s3://bucket/key answered 403 Refused'* ]]
}

@test "without keys in the environment it takes those of the instance's role" {
  local imds="$BATS_TEST_TMPDIR/imds"
  local role="$imds/latest/meta-data/iam/security-credentials"
  mkdir -p "$role" "$imds/latest/meta-data/placement"
  printf 'the-role' >"$role/names"
  printf '{"AccessKeyId":"ROLEKEY","SecretAccessKey":"s","Token":"t"}' >"$role/the-role"
  printf 'eu-west-1' >"$imds/latest/meta-data/placement/region"
  start_server "$lib/fake-imds.mjs" "$imds" "$imds/port"
  unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION AWS_EC2_METADATA_DISABLED
  export AWS_EC2_METADATA_SERVICE_ENDPOINT="http://127.0.0.1:$(<"$imds/port")"
  echo text | object bucket/key
  run "$s3_tool" get s3://bucket/key "$BATS_TEST_TMPDIR/file"
  [ "$status" -eq 0 ]
  grep -q 'ROLEKEY/[0-9]*/eu-west-1/s3/aws4_request' "$s3/authorizations.log"
}

@test "the signature is the one that AWS's own client makes" {
  # Made with botocore 1.43.11 for this request at this time.
  AWS_ENDPOINT_URL=http://127.0.0.1:9 run node --input-type=module -e "
    const real = Date; globalThis.Date = class extends real { constructor(...a) { super(...(a.length ? a : ['2026-11-21T08:13:04Z'])); } };
    process.argv = ['node', 's3', 'put', '$BATS_TEST_TMPDIR/data', 's3://bucket/runs/a b/(x)+y!.txt', '--if-none-match'];
    globalThis.fetch = async (url, { headers }) => { process.stderr.write(headers.authorization); return new Response('', { headers: { etag: 'x' } }); };
    (await import('node:fs')).writeFileSync('$BATS_TEST_TMPDIR/data', 'data'.repeat(1000));
    await import('$client/lib/s3.mjs');
  "
  [[ "$output" == *"Signature=acfaa2400a049c7e8a98e30998307d9f25624564ea10afee1c29e0864803876c"* ]]
}

@test "words that are no request are answered with the usage" {
  for words in '' 'get' 'get s3://bucket/key' 'put a s3://bucket/key --if-match' 'delete s3://bucket/key x'; do
    run "$s3_tool" $words
    [ "$status" -eq 1 ]
    [[ "$output" == *'usage: s3 get'* ]]
  done
  run "$s3_tool" get bucket/key "$BATS_TEST_TMPDIR/file"
  [[ "$output" == *"must look like s3://BUCKET/KEY, got 'bucket/key'"* ]]
}
