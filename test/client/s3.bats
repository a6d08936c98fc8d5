#!/usr/bin/env bats
# The S3 client, against a local S3 and a local metadata service.

load lib/helper

setup() {
  servers=()
  make_machine
  start_s3
  s3_tool="$client/bin/s3"
}

@test "what is put can be got again, byte for byte and with the same ETag" {
  head -c 300000 /dev/urandom >"$BATS_TEST_TMPDIR/body"
  etag="$("$s3_tool" put "$BATS_TEST_TMPDIR/body" 's3://bucket/runs/a b/(x)+y!.bin')"
  run "$s3_tool" get 's3://bucket/runs/a b/(x)+y!.bin' "$BATS_TEST_TMPDIR/back"
  [ "$output" = "$etag" ]
  cmp "$BATS_TEST_TMPDIR/body" "$BATS_TEST_TMPDIR/back"
}

@test "objects come whole from a server that closes each connection behind them" {
  # Node.js 24's fetch ended the process in a third of these.
  mkdir -p "$s3/objects/bucket"
  head -c 300000 /dev/urandom >"$s3/objects/bucket/key"
  python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$s3/objects" >"$BATS_TEST_TMPDIR/said" 2>/dev/null 3>&- &
  servers+=("$!")
  await 'the port of a server' grep -q port "$BATS_TEST_TMPDIR/said"
  AWS_ENDPOINT_URL="$(sed 's/.*(\(.*\)\/).*/\1/' "$BATS_TEST_TMPDIR/said")"
  for _ in {1..20}; do
    "$s3_tool" get s3://bucket/key "$BATS_TEST_TMPDIR/key"
    cmp "$s3/objects/bucket/key" "$BATS_TEST_TMPDIR/key"
  done
}

@test "a missing object is status 4 and leaves no file" {
  run "$s3_tool" get s3://bucket/none "$BATS_TEST_TMPDIR/none"
  [ "$status" -eq 4 ]
  [[ "$output" == *'GET s3://bucket/none answered 404 NoSuchKey'* ]]
  [ -z "$(ls "$BATS_TEST_TMPDIR" | grep none)" ]
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
  # On a busy first boot the service may be late, or throttle.
  touch "$imds/refuse-once"
  run "$s3_tool" get s3://bucket/key "$BATS_TEST_TMPDIR/file"
  [ "$status" -eq 0 ]
  [ ! -e "$imds/refuse-once" ]
}

@test "the address ends as the metadata service says, in every partition" {
  local imds="$BATS_TEST_TMPDIR/imds" suffix
  mkdir -p "$imds/latest/meta-data/services"
  start_server "$lib/fake-imds.mjs" "$imds" "$imds/port"
  unset AWS_EC2_METADATA_DISABLED
  export AWS_EC2_METADATA_SERVICE_ENDPOINT="http://127.0.0.1:$(<"$imds/port")"
  for suffix in amazonaws.eu amazonaws.com.cn c2s.ic.gov; do
    printf '%s' "$suffix" >"$imds/latest/meta-data/services/domain"
    AWS_ENDPOINT_URL='' run node --input-type=module -e "
      process.argv = ['node', 's3', 'get', 's3://bucket/key', '$BATS_TEST_TMPDIR/file'];
      (await import('node:https')).default.request = (url) => {
        console.log(url.host);
        process.exit(0);
      };
      await import('$client/lib/s3.mjs');"
    [ "$output" = "bucket.s3.$AWS_REGION.$suffix" ]
  done
}

@test "the signature is the one that AWS's own client makes" {
  # Made with botocore 1.44.5 for this request at this time.
  AWS_ENDPOINT_URL=http://127.0.0.1:9 run node --input-type=module -e "
    const real = Date; globalThis.Date = class extends real { constructor(...a) { super(...(a.length ? a : ['2026-11-21T08:13:04Z'])); } };
    process.argv = ['node', 's3', 'put', '$BATS_TEST_TMPDIR/data', 's3://bucket/runs/a b/(x)+y!.txt'];
    const { Readable } = await import('node:stream');
    (await import('node:http')).default.request = (url, { headers }, answer) => {
      process.stderr.write(headers.authorization);
      setImmediate(answer, Object.assign(Readable.from([]), { statusCode: 200, headers: { etag: 'x' } }));
      return { on() { return this; }, end() {} };
    };
    (await import('node:fs')).writeFileSync('$BATS_TEST_TMPDIR/data', 'data'.repeat(1000));
    await import('$client/lib/s3.mjs');
  "
  [[ "$output" == *"Signature=27fee5acf9d7d7816e3e8e263203d1e6779f5f3a0f82f805571ad653e1953777"* ]]
}

@test "words that are no request are answered with the usage" {
  for words in '' 'get' 'get s3://bucket/key' 'put a s3://bucket/key x' 'delete s3://bucket/key x'; do
    run "$s3_tool" $words
    [ "$status" -eq 1 ]
    [[ "$output" == *'usage: s3 get'* ]]
  done
  run "$s3_tool" get bucket/key "$BATS_TEST_TMPDIR/file"
  [[ "$output" == *"must look like s3://BUCKET/KEY, got 'bucket/key'"* ]]
}
