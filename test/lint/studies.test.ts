import { type LintContext, lintCommand } from '../../lib/lint';

const GIB = 2 ** 30;
const ids = (command: string, context: LintContext): string[] =>
  lintCommand(command, context).map(({ severity, id }) => `${severity} ${id}`);

/** The commands as the studies printed them (the paths of the Cloud Pipeline comparison are its own placeholders). LANL's slides print none. */
test.each<[string, string, LintContext, string[]]>([
  [
    'the AWS compression blog',
    'lfs setstripe --stripe-count -1 /fsx && mpirun -np 576 ior --posix.odirect -t 1m -b 1m -s 12000 -g -v -w -i 1000 -F -k -D 0 -T 720 -o /fsx/ior.bin',
    {
      iorVersion: '3.3.0',
      clients: 4,
      cpus: 36,
      clientMemoryBytes: 96 * GIB,
      serverMemoryBytes: 127 * GIB,
      compresses: true,
    },
    [
      'warning oversubscribed',
      'warning ior-time-limit-without-stonewall',
      'warning ior-time-limit-cuts-repetitions',
      'note ior-pattern-depends-on-version',
    ],
  ],
  [
    'the AWS metadata blog',
    'mkdir /fsx/mdTestFiles; mpirun -np 800 --map-by node mdtest -F -v -n 4000 -i 3 -u -d /fsx/mdtestFiles',
    { clients: 200, cpus: 36, createsPerSecond: 384_000 },
    [
      'error path-differs-in-case',
      'warning mdtest-stat-cached',
      'warning phase-too-short',
      'note mdtest-read-opens-only',
    ],
  ],
  [
    'the Cloud Pipeline comparison, create the large file',
    'dd if=/dev/urandom of=/path-to-storage/large_100gb.txt iflag=fullblock bs=100M count=1024',
    { clientMemoryBytes: 16 * GIB },
    ['error random-source-cpu-bound', 'warning dd-missing-fsync'],
  ],
  [
    'the Cloud Pipeline comparison, create small files',
    'for j in {1..100000}; do\n  head -c 500kB </dev/urandom > /path-to-storage/small/randfile$j.txt\n',
    {},
    ['error shell-missing-done', 'error random-source-cpu-bound'],
  ],
  [
    'the Cloud Pipeline comparison, read the large file',
    'dd if=/path-to-storage/large_100gb.txt of=/dev/null conv=fdatasync',
    {},
    ['error dd-sync-of-null', 'warning dd-missing-block-size', 'warning dd-buffered-read'],
  ],
  [
    'the Cloud Pipeline comparison, read small files',
    'for file in /path-to-storage/small/* ; do\n    dd if=$file of=/dev/null\n',
    {},
    ['error shell-missing-done', 'warning dd-missing-block-size', 'warning dd-buffered-read'],
  ],
  [
    'the FSx + ParallelCluster + Dask blog',
    'mkdir -p /fsx/ior_tempdir; cd /fsx/ior_tempdir; srun -N 2 --ntasks-per-node 36 ior -t 1m -b 16m -s 4 -F -C -e',
    { clients: 2, cpus: 72, clientMemoryBytes: 192 * GIB },
    [
      'warning ior-pattern-depends-on-version',
      'warning data-fit-in-memory',
      'note ior-caches-not-dropped',
      'note few-repeats',
    ],
  ],
])('finds exactly what is known to be wrong with the commands of %s', (_, command, context, expected) => {
  expect(ids(command, context)).toEqual(expected);
});

test('the metadata blog needs longer at 192,000 IOPS than at 12,000 to be seen in one-minute metrics', () => {
  const command = 'mpirun -np 800 mdtest -F -n 4000 -i 3 -u -N 4 -e 1 -d /fsx/m';
  const message = (createsPerSecond: number) =>
    lintCommand(command, { createsPerSecond }).find(({ id }) => id === 'phase-too-short')?.message;
  expect(message(384_000)).toContain('take 8.3 s');
  expect(message(24_000)).toContain('take 130 s');
  expect(message(3000)).toBeUndefined();
});
