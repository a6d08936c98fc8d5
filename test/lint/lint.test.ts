import fc from 'fast-check';
import { compressionBench } from '../../lib/benchmark/compression';
import { isCommand, type LintContext, lintCommand, lintDocument } from '../../lib/lint';
import { ranksOf, unwrap } from '../../lib/lint/launch';
import { parseShell } from '../../lib/lint/shell';
import { makePlan } from '../../lib/plan/plan';
import type { ShellCommand } from '../../lib/workload/common/lint/shell';
import { cpuMs } from '../support/patience';

const has = (command: string | readonly string[], id: string) =>
  lintCommand(command).some((finding) => finding.id === id);

test('looks into loops, pipes, substitutions and shells that are given a script', () => {
  for (const line of [
    'for i in 1 2; do dd if=/dev/zero of=/fsx/$i bs=1M; done',
    'time (dd if=/dev/zero of=/fsx/a bs=1M | tee log)',
    'echo $(dd if=/dev/zero of=/fsx/a bs=1M)',
    'echo `dd if=/dev/zero of=/fsx/a bs=1M`',
    'sudo bash -c "dd if=/dev/zero of=/fsx/a bs=1M"',
    'OMP_NUM_THREADS=1 LC_ALL=C dd if=/dev/zero of=/fsx/a bs=1M',
    'env -i PATH=/bin dd if=/dev/zero of=/fsx/a bs=1M',
    'timeout -- 60 dd if=/dev/zero of=/fsx/a bs=1M',
    "ssh node1 'mkdir -p /fsx; dd if=/dev/zero of=/fsx/a bs=1M'",
    'pdsh -w node[1-4] "dd if=/dev/zero of=/fsx/a bs=1M"',
    'dd "if=/dev/zero" of="/fsx/a" bs=1M',
    'dd if=/fsx/b of=/fsx/a bs=1M if=/dev/zero',
    "dd 'if=/dev/zero' of=/fsx/a\\ b bs=1M",
    'cd /fsx && dd if=/dev/zero of=a bs=1M || exit 1',
    'if true; then nohup timeout 60 /usr/bin/dd if=/dev/zero of=/fsx/a bs=1M & fi',
  ])
    expect([line, has(line, 'dd-zeros-compress-away')]).toEqual([line, true]);
});

test('takes arguments, a quoted line, and a list whose separators were quoted', () => {
  const wrong = 'path-differs-in-case';
  expect(has(['mkdir /fsx/A; mdtest -d /fsx/a'], wrong)).toBe(true);
  expect(has(['mkdir', '/fsx/A', '&&', 'mdtest', '-d', '/fsx/a'], wrong)).toBe(true);
  expect(has(['mkdir', '/fsx/A;', 'mdtest', '-d', '/fsx/a'], wrong)).toBe(true);
});

test('an argument with a blank stays one word', () => {
  const { command } = lintDocument(['dd', 'if=/dev/zero', 'of=/fsx/a b', 'bs=1M']);
  expect(command).toBe("dd if=/dev/zero 'of=/fsx/a b' bs=1M");
  expect(has(['echo', 'dd if=/dev/zero of=/fsx/a bs=1M'], 'dd-zeros-compress-away')).toBe(false);
});

test('words in quotes and comments are no commands', () => {
  const found = lintCommand('echo "dd if=/dev/zero of=/fsx/a bs=1M" # dd if=/dev/zero of=/fsx/a');
  expect(found.map(({ id }) => id)).toEqual(['no-known-tool']);
});

test.each(['', ' ', '\n', '#', ';', '"'])('nothing is said about `%s`, but for what no shell would take', (line) => {
  expect(lintCommand(line).filter(({ id }) => id !== 'shell-syntax')).toEqual([]);
  expect(lintCommand([line]).filter(({ id }) => id !== 'shell-syntax')).toEqual([]);
});

test.each(['ls -la /fsx', 'my-benchmark --write 10 --random', 'mpirun -np 4 simulate; sync'])(
  'of `%s` it says that it knows nothing, which is no praise',
  (line) => {
    expect(lintCommand(line).map(({ id, severity }) => [id, severity])).toEqual([['no-known-tool', 'note']]);
  },
);

test('a tool is known by the names that sites give what they build, and its version by them', () => {
  const line = (program: string, context = {}) =>
    lintCommand(`mpirun -np 4 ${program} -t 1m -b 1m -w -o /fsx/x`, context).map(({ id }) => id);
  expect(line('ior').length).toBeGreaterThan(1);
  expect(line('IOR')).toEqual(line('ior'));
  for (const program of ['/opt/bin/ior_3.3.0', '/sw/ior-3.3.0/bin/ior', 'ior-v3.3.0'])
    expect(line(program)).toEqual(line('ior', { iorVersion: '3.3.0' }));
  expect(line('ior', { iorVersion: '3.3.0' })).not.toEqual(line('ior'));
  expect(line('prior-4')).toEqual(['no-known-tool']);
});

test('no arguments are no command', () => {
  expect(lintCommand([])).toEqual([]);
});

test.each([
  ['once', 'P=ior\n$P', 'ior'],
  ['twice', 'P=ior\nP=fio\n$P', '$P'],
  ['by a loop', 'P=ior\nfor P in fio; do echo; done\n$P', '$P'],
])('a variable that is set %s is a constant or is left as it is', (_, script, word) => {
  const last = parseShell(script).commands.at(-1);
  expect(last?.words.map(({ value }) => value)).toEqual([word]);
});

test('a value that is a variable is not taken for a number', () => {
  const context = { clients: 1, cpus: 1, createsPerSecond: 24_000 };
  expect(lintCommand('mpirun -np $NP mdtest -C -u -n $N -i 5', context)).toEqual([]);
});

test('the worst findings come first', () => {
  const severities = lintCommand('mpirun -np 4 ior -l incompressible -vvv').map(({ severity }) => severity);
  const order = ['error', 'warning', 'note'];
  expect(severities).toEqual([...severities].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
  expect(new Set(severities)).toEqual(new Set(order));
});

test('the paired plan runs no command that the linter has a warning about', () => {
  const plan = makePlan({
    benchmark: compressionBench,
    plan: 'paired',
    scale: 'published',
    arms: ['none', 'lz4'].map((name) => ({ name, description: name })),
    fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 18 },
    hourlyUsd: null,
  });
  const actions = plan.steps.flatMap(({ tasks }) => tasks.map(({ action }) => action));
  const commands = actions.flatMap((action) => (action.kind === 'workload' ? [action.command] : []));
  const context = { iorVersion: '3.3.0', repeated: true, cpus: 36 };
  const findings = commands.flatMap((command) => lintCommand(command, context));
  expect(commands.length).toBeGreaterThan(10);
  expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
});

const PIECES = [
  ...'ior mdtest fio dd xdd mpirun srun sudo lfs setstripe mkdir for do done if fi -w -r -np -l -O -D'.split(' '),
  ...'-T -vvv -c -1 0 1m incompressible if=/dev/zero of=/fsx/a bs= --rw=write --size --map-by ppr:4:node'.split(' '),
  ...'; && | > < ( ) { } ` $( " <<E # $ ${ ! bash -c /fsx/A /fsx/a -d -o 999999999999 é'.split(' '),
  ...["'", '\\', '\n', '\u0000'],
];

test('no line and no arguments make it throw, and every finding is whole', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(' ')),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(fc.oneof(line, fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string()))), (command) => {
      for (const context of [
        {},
        { iorVersion: '4.0.0', clients: 3, cpus: 2, clientMemoryBytes: 1e9, createsPerSecond: 12_000 },
      ])
        for (const { id, message, suggestion } of lintCommand(command, context)) {
          expect(id).toMatch(/^[a-z0-9-]+$/);
          expect(message).not.toMatch(/undefined|NaN(?!,)|\[object/);
          expect(suggestion).not.toBe('');
        }
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['deep nesting', '$('.repeat(10_000)],
  ['many parentheses', '('.repeat(50_000)],
  ['backticks', '`'.repeat(50_001)],
  ['one long word', 'a'.repeat(99_999)],
  ['a line that is too long', 'ior -w;'.repeat(20_000)],
  ['many commands', 'dd if=a of=/fsx/b;'.repeat(5000)],
])('%s is answered within seconds', async (_, line) => {
  expect(await cpuMs(() => lintCommand(line))).toBeLessThan(10_000);
});

test('what stands in quotes has no line of the script, and no better line is made of its place', () => {
  const nested = "true\nbash -c 'true\nsudo mpirun -np 4 ior'";
  const [found] = lintCommand(nested);
  expect(found?.id).toBe('mpirun-as-root');
  expect(found).not.toHaveProperty('line');
  expect(lintDocument(nested).better).toBeNull();
  expect(lintDocument('true\nsudo mpirun -np 4 ior')).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ id: 'mpirun-as-root', line: 2 })]),
    better: expect.stringMatching(/^true\nmpirun -np 4 ior/),
  });
});

test.each([
  ['ior -w', true],
  ['ior -w; ior -r', false],
  ["ior -w '", false],
  ['run it as an unprivileged user', false],
])('`%s` is one command of a known tool: %s', (suggestion, is) => expect(isCommand(suggestion)).toBe(is));

test('of a line that is too long only that is said', () =>
  expect(lintCommand(`sudo mpirun ior ${'x'.repeat(100_000)}`).map(({ id }) => id)).toEqual(['command-too-long']));

test.each<[string, number | undefined, number | null]>([
  ['ior -w', 8, 1],
  ['mpirun -np 4 ior', 8, 4],
  ['mpirun -n4 ior', undefined, 4],
  // A letter takes a number that follows it at once, and no other word that begins with it.
  ['mpirun -nolocal -np 4 ior', 8, 4],
  ['mpirun -npernode 4 ior', 3, 12],
  ['mpirun --nooversubscribe --np=4 ior', 8, 4],
  ['srun -N2 --nodelist=n1,n2 -n7 ior', 5, 7],
  ['mpirun -N 2 ior', 3, 6],
  ['mpirun --map-by ppr:2:node ior', 5, 10],
  ['mpirun --map-by ppr:2:node ior', undefined, null],
  // The command’s own number of nodes is surer than that of the clients.
  ['srun -N 2 --ntasks-per-node=3 ior', 5, 6],
  ['srun --ntasks 7 -N 2 ior', 5, 7],
  // Without an option the script decides; a variable is not known.
  ['#SBATCH --ntasks=16\nsrun ior', undefined, 16],
  ['#SBATCH -N 4\n#SBATCH --ntasks-per-node=8\nmpirun ior', undefined, 32],
  ['#SBATCH -N 4\nsrun ior', undefined, null],
  ['#SBATCH --ntasks-per-node=8\nsrun ior', undefined, null],
  ['#SBATCH -n 16\nmpirun -N 4 ior', undefined, null],
  ['#SBATCH -n 16\nsrun -n "$RANKS" ior', undefined, null],
  ['#SBATCH -n 16\nior', undefined, 1],
])('`%s` on %s clients starts %s processes', (line, clients, ranks) => {
  const [command] = parseShell(line).commands;
  expect(ranksOf(unwrap(command as ShellCommand), clients)).toBe(ranks);
});

test('doas makes root of a user as sudo does, and a launcher that lets root work is no error', () => {
  expect(has('doas mpirun -np 2 ior', 'mpirun-as-root')).toBe(true);
  const [found] = lintCommand('sudo mpirun --allow-run-as-root -np 2 ls');
  expect(found).toMatchObject({ severity: 'warning', suggestion: 'mpirun -np 2 ls' });
});

test('what ssh runs is one command, also if its last word is the name of a tool', () => {
  const line = 'ior -w -t 1m -b 1g -o /fsx/ior';
  expect(lintCommand(`ssh node1 ${line}`).map(({ id }) => id)).toEqual(lintCommand(line).map(({ id }) => id));
});

test.each([
  ['for i in 1 2; do sync', '; done'],
  ['for i in 1 2; do sync\n', '; done'],
  ['for i in 1 2; do sync; ', ' done'],
  ['for i in 1 2; do sync &', ' done'],
])('%j is ended by `%s`', (line, end) => expect(lintCommand(line)[0]?.suggestion).toBe(line.trimEnd() + end));

test('says of a line that no shell takes each thing that is wrong, once', () => {
  const errors = lintCommand('if true; then (sync "').filter(({ id }) => id === 'shell-syntax');
  expect(errors.map(({ message }) => /(double quote|subshell|'if')/.exec(message)?.[1])).toEqual([
    'double quote',
    'subshell',
    "'if'",
  ]);
});

test.each<[string, string, LintContext, boolean]>([
  ['mpirun -np 2 ior', 'mpirun-as-root', {}, false],
  // Three on one of them.
  ['mpirun -np 5 ior', 'oversubscribed', { cpus: 2, clients: 2 }, true],
  ['mpirun -np 4 ior', 'oversubscribed', { cpus: 2, clients: 2 }, false],
  ['mpirun --map-by node:oversubscribe -np 2 ior', 'oversubscribed', {}, true],
  ['mpirun --map-by node -np 2 ior', 'oversubscribed', {}, false],
  ['mpirun --mca btl_tcp_if_include ens5 -np 2 ior', 'mpi-interface-by-name', {}, true],
  ['mpirun --mca btl_tcp_if_include enp0s3 -np 2 ior', 'mpi-interface-by-name', {}, true],
  ['bash -c "ior -i 1"', 'few-repeats', {}, true],
  ['for i in 1 2; do bash -c "ior -i 1"; done', 'few-repeats', {}, false],
  ['cat /dev/zero >/fsx/a', 'zeros-compress-away', {}, true],
  ['cat /dev/zero >/fsx/a', 'zeros-compress-away', { compresses: false }, false],
  ['fio --name=a --rw=write --size=1g --end_fsync=no', 'fio-missing-fsync', {}, true],
  ['fio --name=a --rw=write --size=1g --end_fsync=false --sync=1', 'fio-missing-fsync', {}, false],
  ['fio --name=a --rw=read --size=1g', 'fio-missing-fsync', {}, false],
  ['mkdir /fsx/one; mdtest -d /fsx/two', 'path-not-the-one-made', {}, true],
  ['mkdir /fsx/One/; mdtest -d /fsx/one', 'path-differs-in-case', {}, true],
  // The default buffer repeats itself in small transfers; only what is written to a compressing file system matters.
  ['ior -w -e -t 32k -b 1g', 'ior-small-transfer-repeats', {}, true],
  ['ior -w -e -t 63k -b 63m', 'ior-small-transfer-repeats', {}, true],
  ['ior -w -e -t 64k -b 1g', 'ior-small-transfer-repeats', {}, false],
  // Of an option that is given twice, the tool takes the last.
  ['ior -w -e -t 64k -b 1g -t 32k', 'ior-small-transfer-repeats', {}, true],
  ['ior -w -e -t 32k -b 1g -t64k', 'ior-small-transfer-repeats', {}, false],
  ['dd if=/dev/zero of=/fsx/a bs=1M conv=fsync if=/tmp/a', 'dd-zeros-compress-away', {}, false],
  ['dd if=/tmp/a of=/fsx/a bs=1M conv=fsync if=/dev/zero', 'dd-zeros-compress-away', {}, true],
  ['ior -r -e -t 32k -b 1g', 'ior-small-transfer-repeats', {}, false],
  ['ior -w -e -t 32k -b 1g -l random', 'ior-small-transfer-repeats', {}, false],
  ['ior -w -e -t 32k -b 1g', 'ior-small-transfer-repeats', { compresses: false }, false],
  ['ior -w -e -t 1m -b 1g', 'ior-pattern-depends-on-version', {}, true],
  ['ior -r -e -t 1m -b 1g', 'ior-pattern-depends-on-version', {}, false],
  ['ior -w -e -t 1m -b 1g', 'ior-pattern-depends-on-version', { compresses: false }, false],
  ['mkdir /fsx/One/; cd /fsx/one; mdtest -n 9', 'path-differs-in-case', {}, true],
  ['mkdir /fsx/One/; cd /fsx/One; mdtest -n 9', 'path-differs-in-case', {}, false],
  ['mkdir /fsx/One/; echo /fsx/one; mdtest -d /fsx/One', 'path-differs-in-case', {}, false],
  ['mkdir /fsx/all/one /fsx/two; mdtest -d /fsx/all', 'path-not-the-one-made', {}, false],
  ['mkdir /fsx/one; dd if=/fsx/two of=/tmp/a', 'path-not-the-one-made', {}, false],
  // Data of another tool need not be read by this one.
  ['dd if=/tmp/a of=/fsx/a; ior -r -o /fsx/b', 'read-path-not-written', {}, false],
])('`%s`: %s with %j is %s', (line, id, context, found) =>
  expect(lintCommand(line, context).some((finding) => finding.id === id)).toBe(found),
);

test('of several files that were written, the last is the one to read', () => {
  const found = lintCommand('ior -w -o /fsx/a; ior -w -o /fsx/b; ior -r -o /fsx/c');
  expect(found.find(({ id }) => id === 'read-path-not-written')?.message).toContain("'/fsx/b' is written");
});

// Amounts are those of all processes on all clients; memory is to be exceeded twice.
const MEMORY = { clients: 2, clientMemoryBytes: 2 ** 36 };
test.each<[string, string, LintContext, string | undefined]>([
  ['data-fit-in-memory', 'fio --rw=write --size=1g --numjobs=4 --name=a', MEMORY, '--size=32g '],
  ['data-fit-in-memory', 'mpirun -np 4 fio --rw=write --size=1g --name=a', MEMORY, '--size=64g '],
  ['mdtest-crowded-directory', 'mpirun -np 8 mdtest -n 200000', {}, 'mdtest -u -z 1 -b 4 '],
  ['mdtest-crowded-directory', 'mdtest -u -n 200000 -z 1 -b 4 -L', {}, undefined],
  ['mdtest-crowded-directory', 'mdtest -u -n 450000 -z 1 -b 4 -L', {}, 'use fewer items '],
  ['mdtest-stat-cached', 'mpirun -np 8 -npernode 4 mdtest -u -n 10', { clients: 4 }, 'mdtest -N 4 '],
  ['mdtest-few-items', 'mpirun -np 16 mdtest -C -u -n 10 -z 1 -b 4', {}, '-n 1875 '],
  ['ior-time-limit-cuts-repetitions', 'ior -i 5 -T 0', {}, undefined],
  ['oversubscribed', 'mpirun -np 9 ior', { cpus: 2, clients: 2 }, '-np 4 '],
])('%s: `%s` with %j leads to %s', (id, command, context, better) => {
  const found = lintCommand(command, context).find((one) => one.id === id)?.suggestion;
  expect(better === undefined ? found : `${found} `).toEqual(better && expect.stringContaining(better));
});
