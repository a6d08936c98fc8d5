#!/usr/bin/env bats
# setup-ssh and create-user: passwordless inside the fleet, and nowhere else.

load lib/helper

setup() {
  make_machine
  fake_user
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$BATS_TEST_TMPDIR/key"
  export FAKE_KEY="$BATS_TEST_TMPDIR/key"
  fake aws <<<'[[ "$1 $2" == "ssm get-parameter" ]] && cat "$FAKE_KEY"'
  fake hostname <<<'echo 10.0.1.7'
  fake ssh <<<''
  folder="$FSXBENCH_ROOT/home/fsxbench/.ssh"
}

setup_ssh() { "$client/bin/setup-ssh"; }

@test "the key of the fleet opens the user's account from the fleet's network only" {
  run setup_ssh
  [ "$status" -eq 0 ]
  [ "$(<"$folder/authorized_keys")" = "restrict,from=\"10.0.0.0/16\" $(cut -d ' ' -f 1,2 "$FAKE_KEY.pub") fsxbench" ]
  [ "$(stat -c %a "$folder/id_fsxbench" "$folder/authorized_keys" "$folder" | xargs)" = '600 600 700' ]
  grep -qx 'ssh -o BatchMode=yes -o ConnectTimeout=10 10.0.1.7 true' "$calls"
}

@test "host keys go unasked for addresses of the network, and for no other" {
  setup_ssh
  grep -qx 'Host 10.0.\*' "$folder/config"
  # The real ssh decides: -G prints the settings for a host.
  rm "$FAKES/ssh"
  [ "$(ssh -G -F "$folder/config" 10.0.3.9 | grep -i '^stricthostkeychecking')" = 'stricthostkeychecking false' ]
  [ "$(ssh -G -F "$folder/config" 10.1.3.9 | grep -i '^stricthostkeychecking')" = 'stricthostkeychecking ask' ]
  [ "$(ssh -G -F "$folder/config" github.com | grep -i '^stricthostkeychecking')" = 'stricthostkeychecking ask' ]
}

@test "a network becomes exactly its addresses" {
  source "$client/bin/setup-ssh"
  [ "$(ssh_patterns 10.0.0.0/8)" = '10.* ' ]
  [ "$(ssh_patterns 10.0.32.0/20 | wc -w)" -eq 16 ]
  [[ "$(ssh_patterns 10.0.32.0/20)" == '10.0.32.* '*' 10.0.47.* ' ]]
  [ "$(ssh_patterns 10.0.1.0/24)" = '10.0.1.* ' ]
  [ "$(ssh_patterns 10.0.1.64/30)" = '10.0.1.64 10.0.1.65 10.0.1.66 10.0.1.67 ' ]
  [ "$(ssh_patterns 10.0.1.64/32)" = '10.0.1.64 ' ]
  run ssh_patterns 0.0.0.0/0
  [ "$status" -eq 1 ]
  [[ "$output" == *"must be an IPv4 network from /8 to /32, got '0.0.0.0/0'"* ]]
}

@test "the private key is in no output and on no command line" {
  run setup_ssh
  local secret
  secret="$(sed -n 2p "$FAKE_KEY")"
  [[ "$output" != *"$secret"* ]]
  run ! grep -qF "$secret" "$calls"
}

@test "a key that cannot be read fails it with the next step" {
  fake sleep <<<''
  fake aws <<<'echo "An error occurred (AccessDeniedException)" >&2; exit 254'
  run setup_ssh
  [ "$status" -eq 1 ]
  [[ "$output" == *'cannot read the fleet'*'/ec2/keypair/key-0123: may the instance role read it?'* ]]
}

@test "a parameter that is no key fails it" {
  fake aws <<<'echo nothing'
  run setup_ssh
  [ "$status" -ne 0 ]
  [[ "$output" == *'/ec2/keypair/key-0123 holds no private key'* ]]
}

@test "an ssh that does not work between clients fails it" {
  fake ssh <<<'exit 255'
  run setup_ssh
  [ "$status" -eq 1 ]
  [[ "$output" == *"ssh of fsxbench to this client's own address fails"* ]]
}

@test "a second run writes nothing" {
  setup_ssh
  run setup_ssh
  [ "$status" -eq 0 ]
  [[ "$output" != *wrote* ]]
}

@test "the user has the same number everywhere and may run drop-caches as root, without arguments, and nothing else" {
  fake id <<<'exit 1'
  fake useradd <<<''
  fake visudo <<<''
  run "$client/bin/create-user"
  [ "$status" -eq 0 ]
  grep -q -- '^useradd .*--uid 5200 .* fsxbench$' "$calls"
  [ "$(<"$FSXBENCH_ROOT/etc/sudoers.d/fsxbench")" = "fsxbench ALL=(root) NOPASSWD: $client/bin/drop-caches \"\", $client/bin/describe-node \"\"" ]
  [ "$(stat -c %a "$FSXBENCH_ROOT/etc/sudoers.d/fsxbench")" = 440 ]
}

@test "a rule that sudo would choke on is never installed" {
  fake id <<<'echo 5200'
  fake visudo <<<'exit 1'
  run "$client/bin/create-user"
  [ "$status" -eq 1 ]
  [[ "$output" == *'visudo refuses the sudo rule'* ]]
  [ ! -e "$FSXBENCH_ROOT/etc/sudoers.d/fsxbench" ]
}

@test "a user with another number is refused" {
  fake id <<<'echo 1001'
  run "$client/bin/create-user"
  [ "$status" -eq 1 ]
  [[ "$output" == *'must have the number 5200, got 1001'* ]]
}
