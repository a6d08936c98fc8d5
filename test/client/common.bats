#!/usr/bin/env bats
# The shared functions: bounded waiting, and files that change only when their text does.

load lib/helper

setup() {
  make_machine
  source "$client/lib/common.sh"
}

@test "wait_until fails with what it waited for once the deadline passes" {
  run wait_until 1 'a thing that never comes' false
  [ "$status" -eq 1 ]
  [[ "$output" == *'error: gave up after 1s waiting for a thing that never comes'* ]]
}

@test "letters and decimal signs are those of no language" {
  # In Turkish `i` is no letter of [a-z], and 'CompressionBench' had other characters than letters.
  LC_ALL=C.UTF-8 run bash -c "source '$client/lib/common.sh' && printf '%s %.1f' \"\$LC_ALL\" 1.5"
  [ "$output" = 'C 1.5' ]
}

@test "retry ends with the last status after as many attempts as it was given, each after twice the pause" {
  fake flaky <<<'exit 7'
  fake sleep <<<''
  run retry 4 5 flaky
  [ "$status" -eq 7 ]
  [ "$(xargs <"$calls")" = 'flaky sleep 5 flaky sleep 10 flaky sleep 20 flaky' ]
}

@test "retry stops at the first success" {
  fake flaky <<<'[[ $(grep -c "^flaky" "$calls") -ge 2 ]]'
  run retry 5 0 flaky
  [ "$status" -eq 0 ]
  [ "$(count '^flaky')" -eq 2 ]
}

@test "within hands on output and status, and says what took too long, with no word of bash's own" {
  fake said <<<'echo out; echo err >&2; exit 3'
  run --separate-stderr within 5 said
  [ "$status" -eq 3 ]
  [ "$output" = out ]
  [ "$stderr" = err ]
  fake sleeps <<<'exec sleep 3600'
  run --separate-stderr within 1 sleeps well
  [ "$status" -eq 124 ]
  [[ "$stderr" == *' gave up after 1s: sleeps well' ]]
  # One that was killed by others, and one that timeout itself must kill.
  fake dies <<<'kill -s KILL $$'
  run --separate-stderr within 60 dies
  [ "$status" -eq 137 ]
  [ "$stderr" = '' ]
  fake timeout <<<'exec /usr/bin/timeout --kill-after=0.1 "${@:2}"'
  fake deaf <<<'trap "" TERM; while :; do sleep 0.1; done'
  run --separate-stderr within 1 deaf
  [ "$status" -eq 124 ]
  [[ "$stderr" == *' gave up after 1s: deaf' && "$stderr" != *Killed* ]]
}

@test "give_up_after says what took too long" {
  fake sleeps <<<'exec sleep 3600'
  run --separate-stderr give_up_after 1 sleeps well
  [ "$status" -eq 124 ]
  [[ "$stderr" == *' gave up after 1s: sleeps well' ]]
}

@test "no script hides that a time limit was hit: what ends programs says so" {
  # Except limits that the caller sets: the whole boot, the lab's teardown, and a poll.
  local raw
  raw="$(cd "$client/.." && grep -rnE --include='*' '(^|[^-_[:alnum:]])timeout (-|[0-9]|"?\$)' . | grep -vE '^[^:]*\.py:|:[0-9]+: *#' | cut -d : -f 1,3- | sed 's/: */: /')"
  echo "$raw"
  [ "$(cut -d : -f 1 <<<"$raw" | sort | uniq -c | awk '{ print $2, $1 }')" = './client/lib/common.sh 1
./client/lib/processes.sh 1
./client/user-data.sh 2
./lab/model/down 1
./lab/model/server 1
./lab/nfs 1
./server/prelude.sh 1
./storage/moosefs/lab/stand-in 1' ]
}

@test "give_up_after hands on output and status of what ends in time" {
  fake said <<<'echo out; echo err >&2; exit 3'
  run --separate-stderr give_up_after 5 said
  [ "$status" -eq 3 ]
  [ "$output" = out ]
  [ "$stderr" = err ]
}

@test "give_up_after returns 124 in time though a process that it left behind holds its output open" {
  # In a separate session, which no signal to the group reaches: like a program that hangs in the kernel.
  fake hangs <<<'trap "" TERM; setsid sleep 3600 & echo $! >"$BATS_TEST_TMPDIR/left"; while :; do sleep 1; done'
  # On a busy machine it may have left nothing behind yet by then: again, with more time.
  for ((limit = 1; ; limit *= 2)); do
    status=0
    output="$(give_up_after "$limit" hangs)" || status=$?
    [ "$status" -eq 124 ]
    if [[ -s "$BATS_TEST_TMPDIR/left" ]]; then break; fi
  done
  # Nobody waited for it.
  run ! ended "$(<"$BATS_TEST_TMPDIR/left")"
  kill -KILL "$(<"$BATS_TEST_TMPDIR/left")"
}

@test "give_up_after leaves nothing in the log of what had to be killed, then or later" {
  fake deaf <<<'trap "" TERM; while :; do sleep 1; done'
  run --separate-stderr bash -c 'source "$FSXBENCH_HOME/lib/common.sh"; give_up_after 1 deaf'
  [ "$status" -eq 124 ]
  [ "${#stderr_lines[@]}" -eq 1 ]
  [[ "$stderr" == *' gave up after 1s: deaf' ]]
  # What hangs in the kernel outlives even timeout, and ends when its server answers.
  fake timeout <<<'echo $$ >"$BATS_TEST_TMPDIR/hangs"; exec sleep 3600'
  run --separate-stderr bash -c 'source "$FSXBENCH_HOME/lib/common.sh"
    give_up_after 0 stat; status=$?
    kill -s KILL "$(<"$BATS_TEST_TMPDIR/hangs")"
    while kill -s 0 "$(<"$BATS_TEST_TMPDIR/hangs")" 2>/dev/null; do sleep 0.05; done
    exit "$status"'
  [ "$status" -eq 124 ]
  [ "${#stderr_lines[@]}" -eq 1 ]
  [[ "$stderr" == *' gave up after 0s: stat' ]]
}

@test "write_file leaves a file alone whose text is the same, but for its mode" {
  local file="$BATS_TEST_TMPDIR/file" before
  printf 'text\n' | write_file "$file" 0600
  before="$(stat -c '%i %y' "$file")"
  printf 'text\n' | write_file "$file" 0644
  [ "$(stat -c '%i %y %a' "$file")" = "$before 644" ]
  printf 'other\n' | write_file "$file" 0640
  [ "$(<"$file")" = other ]
  [ "$(stat -c %a "$file")" = 640 ]
}

@test "mount_source knows a mount by its type, not by an automount that waits there" {
  source "$client/lib/storage.sh"
  printf 'systemd-1 /fsx/none autofs rw 0 0\n' >"$FSXBENCH_ROOT/proc/mounts"
  run mount_source lustre /fsx/none
  [ "$status" -ne 0 ]
  cat "$recorded/mount-proc.out" >>"$FSXBENCH_ROOT/proc/mounts"
  run mount_source lustre /fsx
  [ "$output" = 172.31.8.15@tcp:/fsxvol ]
  # The last mount on a point hides those before, of its type or not.
  printf '10.0.0.9@tcp:/fsxnew /fsx lustre rw 0 0\n' >>"$FSXBENCH_ROOT/proc/mounts"
  run mount_source lustre /fsx
  [ "$output" = 10.0.0.9@tcp:/fsxnew ]
  printf 'tmpfs /fsx tmpfs rw 0 0\n' >>"$FSXBENCH_ROOT/proc/mounts"
  run mount_source lustre /fsx
  [ "$status" -ne 0 ]
  [ "$(mounted_at /fsx)" = 'tmpfs tmpfs' ]
}

@test "arms refuses a value that could become a word of its own in a command" {
  FSXBENCH_ARMS='[{"name":"none","kind":"lustre","mountPoint":"/fsx/a b"}]'
  run arms
  [ "$status" -eq 1 ]
  [[ "$output" == *"'mountPoint' of an arm must match"*"got '/fsx/a b'"* ]]
  FSXBENCH_ARMS='[{"name":"none","kind":"lustre","mountPoint":"/fsx/a","dnsName":"fs-1\nFSXBENCH_HOME=/tmp"}]'
  run arms
  [[ "$output" == *"'dnsName' of an arm must match"* ]]
  FSXBENCH_ARMS='[{"name":"none","kind":"lustre","mountPoint":"/fsx/a","dns name":"fs-1"}]'
  run arms
  [[ "$output" == *"a field of an arm must have a name in camelCase, got 'dns name'"* ]]
  FSXBENCH_ARMS='[{"name":"none","mountPoint":"/fsx/none"}]'
  run arms
  [[ "$output" == *"'kind' of an arm must match"*"got ''"* ]]
  FSXBENCH_ARMS='' run arms
  [[ "$output" == *"'FSXBENCH_ARMS' must be a JSON array, got nothing"* ]]
}

@test "a storage of which no scripts are here is refused with those that there are" {
  FSXBENCH_ARMS='[{"name":"none","kind":"tape","mountPoint":"/fsx/none"}]'
  run storage_kinds
  [ "$status" -eq 1 ]
  [[ "$output" == *"no storage is called 'tape' here; there are: "*lustre* ]]
}

@test "the values of an arm reach the script of its storage by name, and those of no other arm" {
  FSXBENCH_ARMS='[{"name":"a","kind":"lustre","mountPoint":"/fsx/a","stripeCount":-1},{"name":"b","kind":"lustre","mountPoint":"/fsx/b","dnsName":"x y"}]'
  run with_arm b env
  [ "$(grep '^FSXBENCH_ARM_' <<<"$output" | sort)" = 'FSXBENCH_ARM_DNS_NAME=x y
FSXBENCH_ARM_KIND=lustre
FSXBENCH_ARM_MOUNT_POINT=/fsx/b
FSXBENCH_ARM_NAME=b' ]
}

@test "an arm that is like an earlier one has its values, but for those of its own; one that is like none is refused" {
  FSXBENCH_ARMS='[{"name":"a","kind":"lustre","mountPoint":"/fsx/a","dnsName":"x"},{"like":"a","name":"b","mountPoint":"/fsx/b"},{"like":"b","name":"c","dnsName":"y","mountPoint":"/fsx/c"}]'
  run -0 arms
  [ "$output" = "$(printf '%s\tlustre\t/fsx/%s\n' a a b b c c)" ]
  run -0 with_arm b env
  [ "$(grep '^FSXBENCH_ARM_' <<<"$output" | sort)" = 'FSXBENCH_ARM_DNS_NAME=x
FSXBENCH_ARM_KIND=lustre
FSXBENCH_ARM_MOUNT_POINT=/fsx/b
FSXBENCH_ARM_NAME=b' ]
  FSXBENCH_ARMS='[{"like":"z","name":"b","mountPoint":"/fsx/b"}]' run -1 arms
  [[ "$output" == *"'like' of an arm must name an earlier one, got 'z'"* ]]
}

# zombie: a process that ended, and whose parent asks for nobody; its number is in `zombie`, its parent's in `parent`.
make_zombie() {
  bash -c 'sleep 600 & echo $! >"$BATS_TEST_TMPDIR/zombie"; exec sleep 600' 3>&- &
  parent=$!
  await 'the process' test -s "$BATS_TEST_TMPDIR/zombie"
  zombie="$(<"$BATS_TEST_TMPDIR/zombie")"
  await 'its parent' executes sleep "$parent"
  kill -KILL "$zombie"
  await 'its end' ended "$zombie"
}

@test "a process that ended is dead although nobody has waited for it" {
  local zombie parent
  make_zombie
  kill -0 "$zombie"
  run is_running "$zombie"
  [ "$status" -ne 0 ]
  is_running "$parent"
  kill -KILL "$parent"
  run is_running 4194305
  [ "$status" -ne 0 ]
}

@test "a group runs while one of its processes does, and not for those that ended" {
  local zombie parent
  setsid --fork bash -c 'sleep 600 & echo $! >"$BATS_TEST_TMPDIR/member"; echo $$ >"$BATS_TEST_TMPDIR/leader"; exec sleep 600' 3>&-
  await 'the group' test -s "$BATS_TEST_TMPDIR/leader"
  local leader member
  leader="$(<"$BATS_TEST_TMPDIR/leader")" member="$(<"$BATS_TEST_TMPDIR/member")"
  group_is_running "$leader"
  kill -KILL "$leader"
  await 'its end' ended "$leader"
  group_is_running "$leader"
  kill -KILL "$member"
  await 'its end' ended "$member"
  run group_is_running "$leader"
  [ "$status" -ne 0 ]
}
