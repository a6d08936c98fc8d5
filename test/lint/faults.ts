import { type LintContext, type LintFinding, lintCommand } from '../../lib/lint';

const GIB = 2 ** 30;

/** The finding of a rule on a command, if it has one. */
export const has = (command: string, id: string, context?: LintContext): LintFinding | undefined =>
  lintCommand(command, context).find((finding) => finding.id === id);

/** Surroundings of the faulty command, and of the sound one where they are the difference. */
type Case = readonly [id: string, faulty: string, sound: string, context?: LintContext, otherContext?: LintContext];

const CURABLE: readonly Case[] = [
  ['typographic-dash', 'mpirun -np 8 ior -e \u2013F \u2013w -o /fsx/x', 'mpirun -np 8 ior -e -F -w -o /fsx/x'],
  ['typographic-dash', 'fio \u2013\u2013name=a \u2014rw=read', 'fio --name=a --rw=read'],
  ['fio-unknown-option', 'fio --name=a --rw=read --iodpeth=1', 'fio --name=a --rw=read --iodepth=1'],
  ['fio-unknown-option', 'fio -name=a -rwq=read -blocksize=4k', 'fio -name=a -rw=read -blocksize=4k'],
  ['dd-zeros-compress-away', 'dd if=/dev/zero of=/fsx/a bs=1M count=9', 'dd if=/dev/zero of=/dev/null bs=1M count=9'],
  ['random-source-cpu-bound', 'dd if=/dev/urandom of=/fsx/a bs=1M', 'dd if=/tmp/data of=/fsx/a bs=1M'],
  ['dd-missing-block-size', 'dd if=/fsx/a of=/dev/null', 'dd if=/fsx/a of=/dev/null bs=1M'],
  ['dd-missing-block-size', 'time dd if=/fsx/a of=/dev/null 2>log', 'dd if=/fsx/a of=/dev/null ibs=1M'],
  ['dd-sync-of-null', 'dd if=/fsx/a of=/dev/null bs=1M conv=fsync conv=noerror', 'dd if=a of=/fsx/b bs=1M conv=fsync'],
  ['dd-missing-fsync', 'dd if=a of=/fsx/b bs=1M conv=notrunc', 'dd if=a of=/fsx/b bs=1M conv=fsync conv=notrunc'],
  ['dd-partial-reads', 'dd if=/dev/urandom of=/fsx/a bs=64M count=9', 'dd if=/dev/urandom of=/fsx/a bs=1M count=9'],
  [
    'data-fit-in-memory',
    'dd if=/fsx/a of=/dev/null bs=1M count=1000',
    'dd if=/fsx/a of=/dev/null bs=1M count=99999',
    { clientMemoryBytes: 8 * GIB },
  ],
  ['ior-incompressible-compresses', 'ior -w -e -l incompressible', 'ior -w -e -l random', { iorVersion: '4.0.0' }],
  ['ior-incompressible-compresses', 'ior -w -e -l incompressible', 'ior -w -e', {}],
  [
    'ior-incompressible-compresses',
    'ior -w -t 4k -l incompressible',
    'ior -w -t 1m -l incompressible',
    { iorVersion: '3.3.0' },
  ],
  ['ior-unknown-pattern', 'ior -w -l random', 'ior -w -l incompressible', { iorVersion: '3.3.0' }],
  ['ior-random-without-seed', 'ior -w -l random', 'ior -w -l random -G 7', { iorVersion: '4.0.0' }],
  ['ior-small-transfer-repeats', 'ior -w -t4k -b 1m', 'ior -w -t 1m -b 1m'],
  ['ior-missing-fsync', 'mpirun -np 4 ior -w -F', 'mpirun -np 4 ior -w -F --posix.odirect'],
  ['ior-missing-fsync', 'ior -t 1m -b 1g', 'ior -t 1m -b 1g -r'],
  ['ior-missing-reorder', 'mpirun -np 4 ior -w -r -e', 'mpirun -np 4 ior -w -e'],
  ['ior-shared-file', 'mpirun -np 4 ior -w -e', 'mpirun -np 4 ior -w -e', {}, { compresses: false }],
  ['ior-time-limit-without-stonewall', 'ior -w -D 0 -T 720', 'ior -w -D 0'],
  ['ior-time-limit-without-stonewall', 'ior -w -D0 -T720', 'ior -w -D 60 -T 720'],
  ['ior-prints-environment', 'ior -w -v -v -v', 'ior -w -vvv', { iorVersion: '3.3.0' }],
  ['ior-prints-environment', 'ior -w -vvv', 'ior -w -vv', { iorVersion: '4.0.0' }],
  ['ior-vv-counts-once', 'ior -w -vv', 'ior -w -v -v', { iorVersion: '3.3.0' }],
  ['ior-old-odirect', 'ior -w -B', 'ior -w -B', {}, { iorVersion: '3.2.1' }],
  ['ior-block-not-multiple', 'ior -w -t 3m -b 4m', 'ior -w -t 2m -b 4m'],
  ['ior-size-fraction', 'ior -w -t 1m -b 1.5g', 'ior -w -t 1m -b 1536m'],
  [
    'ior-csv-without-data',
    'ior -w -O summaryFormat=CSV',
    'ior -w -O summaryFormat=CSV',
    { iorVersion: '3.3.0' },
    { iorVersion: '4.0.0' },
  ],
  ['ior-json-with-verbose', 'ior -w -v -O summaryFormat=JSON', 'ior -w -O summaryFormat=JSON'],
  // The corpus has both files: that of 4.0.0 is no JSON.
  [
    'ior-json-with-verbose',
    'ior -w -v -O summaryFormat=JSON -O summaryFile=f',
    'ior -w -v -O summaryFormat=JSON -O summaryFile=f',
    { iorVersion: '4.0.0' },
    { iorVersion: '3.3.0' },
  ],
  ['ior-status-file-without-keep', 'ior -w -D 9 -O stoneWallingStatusFile=s', 'ior -w -k -O stoneWallingStatusFile=s'],
  [
    'ior-status-file-without-wear-out',
    'ior -w -k -D 300 -O stoneWallingStatusFile=s',
    'ior -w -k -D 300 -O stoneWallingWearOut=1,stoneWallingStatusFile=s',
  ],
  [
    'ior-status-file-without-wear-out',
    'ior -w -k -D300 -O stoneWallingStatusFile=s -O stoneWallingWearOut=0',
    'ior -w -k -O stoneWallingStatusFile=s',
  ],
  ['few-repeats', 'ior -w -i2', 'ior -w -i 5'],
  ['few-repeats', 'mdtest -u -i 1', 'mdtest -u -i 3'],
  ['dummy-api', 'ior -a DUMMY -w', 'ior -a POSIX -w'],
  [
    'data-fit-in-memory',
    'mpirun -np 2 ior -r -b 1g',
    'mpirun -np 2 ior -r -b 100g',
    { clientMemoryBytes: 8 * GIB, clients: 2 },
  ],
  ['data-fit-in-memory', 'mpirun -np 2 ior -r -b 1g', 'mpirun -np 2 ior -r -b 9g'],
  // O_DIRECT passes the clients' memory by.
  [
    'data-fit-in-memory',
    'mpirun -np 2 ior -r -b 50g',
    'mpirun -np 2 ior -r -b 50g --posix.odirect',
    { clientMemoryBytes: 96 * GIB, serverMemoryBytes: 64 * GIB, clients: 2 },
  ],
  [
    'data-fit-in-memory',
    'fio --name=a --rw=read --size=1g',
    'fio --name=a --rw=read --size=99g',
    { serverMemoryBytes: 8 * GIB },
  ],
  ['mdtest-missing-unique-directory', 'mpirun -np 4 mdtest -n 10', 'mpirun -np 4 mdtest -n 10 -u'],
  ['mdtest-crowded-directory', 'mpirun -np 64 mdtest -n 4000', 'mpirun -np 16 mdtest -n 4000'],
  // With -n mdtest 3.3.0 refuses -I: "only specify the number of items or the number of items per directory".
  ['mdtest-crowded-directory', 'mdtest -u -n 200000 -i 3', 'mdtest -u -n 200000 -z 1 -b 4 -i 3'],
  ['mdtest-crowded-directory', 'mpirun -np 8 mdtest -n 200000', 'mpirun -np 8 mdtest -z 1 -b 30 -n 200000'],
  ['mdtest-stat-cached', 'mpirun -npernode 4 mdtest -u -n 10', 'mpirun -np 4 mdtest -u -n 10 -C'],
  ['mdtest-read-opens-only', 'mdtest -u -n 10', 'mdtest -u -n 10 -D'],
  [
    'phase-too-short',
    'mpirun -np 8 mdtest -n 4000 -u',
    'mpirun -np 8 mdtest -n 4000 -u',
    { createsPerSecond: 24_000 },
    { createsPerSecond: 2 },
  ],
  ['fio-missing-fsync', 'fio --name=a --rw=write --size=9g', 'fio --name=a --rw=read --size=9g'],
  ['fio-missing-refill-buffers', 'fio --name=a --rw=write --buffer_compress_percentage=50', 'fio --name=a --rw=write'],
  ['fio-missing-compress-chunk', 'fio --name=a --rw=write --buffer_compress_percentage=50', 'fio --name=a --rw=write'],
  ['fio-constant-data', 'fio --name=a --rw=randwrite --zero_buffers', 'fio --name=a --rw=randread --zero_buffers'],
  [
    'fio-time-based-goes-round',
    'fio --name=a --rw=read --time_based --runtime=60 --size=1g',
    'fio --name=a --rw=read --runtime=60 --size=1g',
  ],
  [
    'fio-iodepth-without-effect',
    'fio --name=a --rw=read --iodepth 32 --ioengine=psync',
    'fio --name=a --rw=read --iodepth 32 --ioengine=libaio',
  ],
  [
    'data-fit-in-memory',
    'fio --name=a --rw=read --size=1g --numjobs=4',
    'fio --name=a --rw=read --size=9g --numjobs=4',
    { clientMemoryBytes: 8 * GIB },
  ],
  ['dd-buffered-read', 'dd if=/fsx/x of=/dev/null bs=1M', 'dd if=/fsx/x of=/dev/null bs=1M iflag=direct'],
  ['dd-buffered-read', 'dd if=/fsx/x of=/dev/null bs=64M iflag=fullblock count=2', 'dd if=/dev/nvme1n1 of=/dev/null'],
  [
    'data-fit-in-memory',
    'dd if=/tmp/a of=/fsx/x bs=1M count=9000 conv=fsync',
    'dd if=/tmp/a of=/fsx/x bs=1M count=9000 oflag=direct',
    { clientMemoryBytes: 64 * GIB },
  ],
  [
    'data-fit-in-memory',
    'fio --name=a --rw=read --size=1g --direct=1',
    'fio --name=a --rw=read --size=1g --direct=1',
    { clientMemoryBytes: 8 * GIB, serverMemoryBytes: 8 * GIB },
    { clientMemoryBytes: 8 * GIB },
  ],
  [
    'fio-libaio-buffered',
    'fio --name=a --rw=randread --ioengine=libaio --direct=0 --iodepth=64',
    'fio --name=a --rw=randread --ioengine=libaio --direct=1 --iodepth=64',
  ],
  ['fio-libaio-buffered', 'fio --name=a --rw=read --ioengine=libaio', 'fio --name=a --rw=read --ioengine=psync'],
  ['mdtest-few-items', 'mpirun -np 16 mdtest -C -u -n 10', 'mpirun -np 16 mdtest -C -u -n 2000'],
  [
    'mdtest-few-items',
    'mpirun -np 2 mdtest -C -u -I10 -z 1 -b 9',
    'mpirun -np 2 mdtest -C -u -I10',
    {},
    { repeated: true },
  ],
  ['elbencho-missing-sync', 'elbencho -w -s 9g -b 1m /fsx/x', 'elbencho -w -s 9g -b 1m --direct /fsx/x'],
  ['elbencho-repeats-blocks', 'elbencho -w --sync -s 9g /fsx/x', 'elbencho -w --sync -d -s 4k -N 9000 /fsx'],
  ['elbencho-reads-cached', 'elbencho --write --read --size 9g /fsx/x', 'elbencho -r -s 9g /fsx/x'],
  ['io500-short-stonewall', 'io500 config --debug.stonewall-time=30', 'io500 config --debug.stonewall-time=300'],
  ['mpirun-as-root', 'sudo mpirun -np 4 ior -r', 'mpirun -np 4 ior -r'],
  ['mpirun-as-root', 'mpirun --allow-run-as-root -np 4 ior -r', 'sudo srun -n 4 ior -r'],
  ['oversubscribed', 'mpirun -np 100 ior -r', 'mpirun -np 72 ior -r', { clients: 2, cpus: 36 }],
  ['oversubscribed', 'srun -N 2 --ntasks-per-node=72 ior -r', 'srun -N 2 --ntasks-per-node=36 ior -r', { cpus: 36 }],
  [
    'mpi-interface-by-name',
    'mpirun --mca btl_tcp_if_include eth0 -np 2 ior -r',
    'mpirun --mca btl_tcp_if_include 10.0.0.0/16 -np 2 ior -r',
  ],
  ['shell-missing-done', 'for i in 1 2; do ior -r', 'for i in 1 2; do ior -r; done'],
  [
    'path-differs-in-case',
    'mkdir -p /fsx/Data && ior -r -o /fsx/data/file',
    'mkdir -p /fsx/Data && ior -r -o /fsx/Data/file',
  ],
  ['path-differs-in-case', 'lfs setstripe -c 1 /fsx/Md; mdtest -u -d /fsx/md', 'mkdir /fsx/a /fsx/A; mdtest -d /fsx/a'],
];

const MISPLACED: readonly Case[] = [
  [
    'path-not-the-one-made',
    'lfs setstripe -c -1 /fsx/ior && mpirun -np 2 ior -r -o /fsx/iortest/file',
    'lfs setstripe -c -1 /fsx/ior && mpirun -np 2 ior -r -o /fsx/ior/file',
  ],
  [
    'read-path-not-written',
    'ior -w -k -e -F -o /fsx/a/x && ior -R -F -o /fsx/b/x',
    'ior -w -k -e -F -o /fsx/a/x && ior -w -k -e -F -o /fsx/b/x && ior -r -F -o /fsx/a/x',
  ],
  [
    'read-path-not-written',
    'dd if=/data/a of=/fsx/a bs=1M conv=fsync; dd if=/fsx/b of=/dev/null bs=1M',
    'dd if=/data/a of=/fsx/a bs=1M conv=fsync; dd if=/fsx/a of=/fsx/b bs=1M conv=fsync; dd if=/fsx/b of=/dev/null bs=1M',
  ],
  [
    'read-path-not-written',
    'fio --name=a --rw=write --directory=/fsx/a; fio --name=a --rw=read --directory=/fsx/b/',
    'fio --name=a --rw=write --directory=/fsx/a; fio --name=a --rw=read --directory=/fsx/a/',
  ],
  [
    'read-path-not-written',
    'mdtest -C -F -u -n 1000 -d /fsx/a; mdtest -T -F -u -n 1000 -d/fsx/b',
    'mdtest -T -F -u -n 1000 -d /fsx/b; mdtest -C -F -u -n 1000 -d /fsx/a',
  ],
  ['path-not-the-one-made', 'mkdir /fsx/md1; mdtest -u -d /fsx/md2', 'mkdir /fsx/md1; mdtest -u -d /tmp/md2'],
  [
    'path-not-the-one-made',
    'mkdir -p /fsx/a; fio --name=a --rw=write --directory=/fsx/b',
    'mkdir -p /fsx/a; fio --name=a --rw=write --directory=/fsx/b >/fsx/a/log',
  ],
];

/** All fields present: jest would take a missing argument for a callback and wait for it. */
export const CASES = [...CURABLE, ...MISPLACED].map(([id, faulty, sound, context = {}, otherContext = context]) => ({
  id,
  faulty,
  sound,
  context,
  otherContext,
}));

/** Faults whose cure is not a change of the command. */
export const OTHERS: readonly [id: string, faulty: string, sound: string, iorVersion: string | undefined][] = [
  ['ior-pattern-depends-on-version', 'ior -w', 'ior -w -l random', undefined],
  ['ior-caches-not-dropped', 'ior -w -r', 'ior -r', undefined],
  ['ior-time-limit-cuts-repetitions', 'ior -w -i 9 -T 60', 'ior -w -i 1 -T 60', undefined],
  ['few-repeats', 'ior -w', 'ior -w -i 3', undefined],
  ['mdtest-broken-option', 'mdtest -f 1 -l 4 -s 1', 'mdtest -n 4', '3.3.0'],
  ['mdtest-stack-overflow', 'mpirun -np 800 mdtest -i 200', 'mpirun -np 800 mdtest -i 131', '3.3.0'],
  ['mdtest-crowded-directory', 'mdtest -u -I 200000 -z 1 -b 9', 'mdtest -u -I 2000 -z 1 -b 9', undefined],
  ['mdtest-crowded-directory', 'mdtest -u -n 900000 -z 1 -b 4', 'mdtest -u -n 900000 -z 2 -b 4', undefined],
  ['fio-job-file', 'fio job.fio', 'fio --name=a --rw=read', undefined],
  ['ior-script-file', 'ior -f script', 'ior -w -o /fsx/x', undefined],
  ['io500-configuration', 'io500 my.ini', 'io500 --list', undefined],
  ['shell-syntax', 'ior -w "', 'ior -w', undefined],
  ['random-source-cpu-bound', 'cat /dev/urandom > /fsx/a', 'cat /dev/urandom > /dev/null', undefined],
  ['zeros-compress-away', 'head -c 1G /dev/zero > /fsx/a', 'head -c 1G /dev/zero', undefined],
  [
    'xdd-constant-data',
    'xdd -op write -targets 1 /fsx/a -datapattern random',
    'xdd -op read -targets 1 /fsx/a',
    undefined,
  ],
];

/** A command that fails on a storage without such files, and one that works; on POSIX both are sound. */
export const NEEDS: readonly [id: string, faulty: string, sound: string][] = [
  ['fio-needs-rewriting', 'fio --name=a --rw=randwrite --size=9g', 'fio --name=a --rw=randread --size=9g'],
  ['fio-needs-rewriting', 'fio --name=a --rw=rw --size=9g', 'fio --name=a --rw=write --create_on_open=1'],
  ['fio-needs-rewriting', 'fio --name=a --rw=write --size=9g', 'fio --name=a --rw=write --create_on_open=1 --size=9g'],
  [
    'fio-needs-rewriting',
    'fio --name=a --rw=write --create_on_open=1 --filename=/fsx/a --numjobs=2',
    'fio --name=a --rw=write --create_on_open=1 --directory=/fsx --numjobs=2',
  ],
  ['ior-needs-rewriting', 'mpirun -np 4 ior -w -e', 'mpirun -np 4 ior -w -e -F'],
  ['ior-needs-rewriting', 'mpirun -np 4 ior -w -e -F -z', 'mpirun -np 4 ior -r'],
  ['mdtest-needs-lasting-directories', 'mdtest -F -u -n 10', 'mdtest -F -u -n 10 -C -T'],
  ['elbencho-needs-rewriting', 'elbencho -w --rand -s 9g /fsx/a', 'elbencho -r --rand -s 9g /fsx/a'],
  ['elbencho-needs-lasting-directories', 'elbencho -F -D -n 9 /fsx', 'elbencho -F -n 9 /fsx'],
  ['dd-needs-rewriting', 'dd if=a of=/fsx/b bs=1M conv=notrunc', 'dd if=a of=/fsx/b bs=1M'],
  ['dd-needs-rewriting', 'dd if=a of=/fsx/b bs=1M seek=9', 'dd if=/fsx/b of=/dev/null bs=1M skip=9'],
];
