import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, failureOf } from '../../lib/run/clients/process';
import type { Commands, Readout, Workplace } from '../../lib/storage/filesystem';
import { filesystemNamed } from '../../lib/storage/filesystems';

const RECORDED = join(__dirname, '../fixtures/lustre');
const recorded = (name: string): string => readFileSync(join(RECORDED, `${name}.out`), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-filesystems-'));
});

type Answer = (argv: readonly string[]) => { readonly text?: string; readonly failure?: string };

/** Commands that write to a file, one after the other until one fails. */
function commandsOf(
  name: string,
  run: (output: string) => Commands['run'],
  again: (name: string) => Commands,
): Commands {
  const output = join(folder, `${name}.out`);
  writeFileSync(output, '', { flag: 'a' });
  const runOne = run(output);
  return {
    output,
    get text() {
      return readFileSync(output, 'utf8');
    },
    run: runOne,
    async each(commands, timeoutSeconds) {
      for (const argv of commands) {
        const failure = await runOne(argv, timeoutSeconds);
        if (failure !== null) return `${argv[0]}: ${failure}`;
      }
      return null;
    },
    named: (suffix) => again(`${name}.${suffix}`),
  };
}

/** Commands that are answered as they were somewhere else. */
const answered = (answer: Answer, ran: string[] = [], name = 'raw'): Commands =>
  commandsOf(
    name,
    (output) => async (argv) => {
      ran.push(argv.join(' '));
      const { text = '', failure = null } = answer(argv);
      writeFileSync(output, text, { flag: 'a' });
      return failure;
    },
    (next) => answered(answer, ran, next),
  );

/** Commands that are carried out. */
const real = (name = 'real'): Commands =>
  commandsOf(
    name,
    (outputFile) => async (argv, timeoutSeconds) =>
      failureOf(await execute({ argv, outputFile, timeoutSeconds }, new AbortController().signal)),
    real,
  );

const at = (commands: Commands, mountPoint = '/fsx'): Workplace => ({
  mountPoint,
  directory: join(mountPoint, 'data'),
  commands,
  seconds: 60,
  owned: (path) => [['chown', 'fsxbench', path]],
  removal: (paths) => ['rm', ...paths],
});

const values = ({ measured }: Readout): Record<string, number | null> =>
  Object.fromEntries(measured.map(({ metric, value }) => [metric, value]));

test('a file system that nobody knows is read as POSIX has it, and goes on at once', () => {
  const other = filesystemNamed('exfat');
  expect(other).toBe(filesystemNamed('other'));
  expect(other).toMatchObject({ space: { source: 'du' }, capacity: { source: 'statfs' } });
  expect(other.spread ?? other.layout ?? other.settles).toBeUndefined();
});

describe('Lustre', () => {
  const lustre = filesystemNamed('lustre');

  test('has no capacity where lfs df hung before its summary, although its lines are there', async () => {
    const commands = answered(() => ({ text: recorded('ost-unmounted-lfs-df'), failure: 'timed out' }));
    const readout = await lustre.capacity.read(at(commands));
    expect(readout.failure).toBe('lfs df: timed out');
    expect(values(readout)).toEqual({ size_bytes: null, used_bytes: null, free_bytes: null });
  });

  test('says that there is no summary where lfs df ends with 0 and prints none', async () => {
    const commands = answered(() => ({ text: recorded('ost-unmounted-lfs-df') }));
    const { measured, failure } = await lustre.capacity.read(at(commands));
    expect(failure).toBeNull();
    expect(measured[1]).toMatchObject({ value: null, reason: 'lfs df printed no summary' });
  });

  test('reads size, used and free bytes from the last lfs df only', async () => {
    const commands = answered(() => ({ text: recorded('lfs-df') }));
    writeFileSync(commands.output, 'filesystem_summary: 1 1 1 1% /fsx\n');
    const readout = await lustre.capacity.read(at(commands));
    expect(values(readout)).toEqual({
      size_bytes: 10_924_032 * 1024,
      used_bytes: 10_240 * 1024,
      free_bytes: 10_905_600 * 1024,
    });
  });

  const TWO_TARGETS = recorded('two-mdts-lfs-df-i');
  const onTargets: Answer = (argv) => {
    if (argv[1] === 'df') return { text: TWO_TARGETS };
    return argv[1] === 'getdirstripe' ? { text: `${argv.at(-1)?.slice(-1)}\n` } : {};
  };

  test('makes a directory on each metadata target, owned by the user, and verifies it', async () => {
    const ran: string[] = [];
    const readout = await lustre.spread?.make(at(answered(onTargets, ran)));
    expect(readout).toEqual({
      measured: [{ operation: 'metadata_targets', metric: 'count', value: 2, unit: '1' }],
      failure: null,
    });
    expect(ran).toEqual([
      'lfs df /fsx',
      ...[0, 1].flatMap((index) => [
        `lfs mkdir -i ${index} -c 1 /fsx/data/mdt${index}`,
        `lfs setdirstripe -D -i ${index} -c 1 --max-inherit -1 /fsx/data/mdt${index}`,
        `chown fsxbench /fsx/data/mdt${index}`,
        `lfs getdirstripe -m /fsx/data/mdt${index}`,
      ]),
    ]);
  });

  test.each<[string, Answer, string]>([
    [
      'that does not exist',
      (argv) =>
        argv[1] === 'mkdir' ? { text: recorded('two-mdts-mkdir-i2'), failure: 'exit status 19' } : onTargets(argv),
      'lfs: exit status 19',
    ],
    [
      'on which the directory is not',
      (argv) => (argv[1] === 'getdirstripe' ? { text: '1\n' } : onTargets(argv)),
      'mdt0: the directory is on metadata target 1',
    ],
    [
      'of which lfs df says nothing',
      (argv) => (argv[1] === 'df' ? {} : onTargets(argv)),
      'lfs df named no metadata target',
    ],
  ])('refuses a metadata target %s', async (_, answer, failure) => {
    expect(await lustre.spread?.make(at(answered(answer)))).toEqual({ measured: [], failure });
  });

  test('counts directories on metadata targets as a real lfs getdirstripe names them', async () => {
    const commands = answered(() => ({ text: recorded('two-mdts-getdirstripe-recursive') }));
    const readout = await lustre.spread?.verify(at(commands), ['mdt1', 'mdt0', 'other']);
    expect(values(readout as Readout)).toEqual({ MDT0000: 2, MDT0001: 2, evenness: 1 });
  });

  // Targets in the order of their numbers, the tenth in hexadecimal; the share of the fullest that the emptiest has.
  test.each([
    ['10\n9\n10\n9\n9\n', ['mdt10', 'mdt9'], { MDT0009: 3, MDT000a: 2, evenness: 2 / 3 }],
    ['0\n0\n', ['mdt0', 'mdt1'], { MDT0000: 2, MDT0001: 0, evenness: 0 }],
    ['2\n', ['mdt0'], { MDT0000: 0, MDT0002: 1, evenness: 0 }],
    ['', ['mdt0'], { MDT0000: 0, evenness: null }],
  ])('of %j with %j the directories are %j', async (text, names, counts) => {
    const { measured = [] } = (await lustre.spread?.verify(at(answered(() => ({ text }))), names)) ?? {};
    expect(measured.map(({ metric, value }) => [metric, value])).toEqual(Object.entries(counts));
    expect(lustre.spread?.directories(['mdt10', 'mdt9', 'other', 'mdt1x'])).toEqual(['mdt9', 'mdt10']);
  });
});

describe('Btrfs', () => {
  const btrfs = filesystemNamed('btrfs');
  const root = process.getuid?.() === 0;

  const run = ([program = '', ...argv]: readonly string[]) => execFileSync(program, argv);

  (root ? test : test.skip)('reads back what compression saved, of files that du cannot tell', async () => {
    const image = join(folder, 'image');
    const mountPoint = join(folder, 'mount');
    mkdirSync(mountPoint);
    run(['truncate', '-s', '256M', image]);
    run(['mkfs.btrfs', '--quiet', image]);
    run(['mount', '-o', 'loop,compress-force=lzo', image, mountPoint]);
    try {
      const place = at(real(), mountPoint);
      mkdirSync(place.directory);
      writeFileSync(join(place.directory, 'zeros'), Buffer.alloc(8 * 2 ** 20));
      const space = await btrfs.space.read(place);
      expect(space.failure).toBeNull();
      const { apparent_bytes, compression_ratio } = values(space);
      expect(apparent_bytes).toBe(8 * 2 ** 20);
      expect(compression_ratio).toBeGreaterThan(20);
      const byDu = await filesystemNamed('other').space.read(place);
      expect(values(byDu).compression_ratio).toBe(1);

      const { size_bytes, used_bytes, free_bytes } = values(await btrfs.capacity.read(place));
      expect(size_bytes).toBe(256 * 2 ** 20);
      expect(used_bytes).toBeLessThan(8 * 2 ** 20);
      expect(free_bytes).toBeGreaterThan(64 * 2 ** 20);
    } finally {
      run(['umount', mountPoint]);
    }
  });

  const HEAD = 'Type Perc Disk Usage Uncompressed Referenced\n';

  test.each([
    ['the total', 'none 100% 30 30 30\nTOTAL 25% 50 200 300\nlzo 12% 20 170 270\n'],
    ['the only kind', 'lzo 25% 50 200 300\n'],
  ])('counts %s before compression, whatever refers to it', async (_, rows) => {
    const commands = answered((argv) => (argv[0] === 'compsize' ? { text: `${HEAD}${rows}` } : {}));
    const counted = { apparent_bytes: 200, allocated_bytes: 50, compression_ratio: 4 };
    expect(values(await btrfs.space.read(at(commands)))).toEqual(counted);
  });

  test('has no ratio where compsize fails', async () => {
    const commands = answered((argv) =>
      argv[0] === 'compsize' ? { text: 'No files.\n', failure: 'exit status 1' } : {},
    );
    const readout = await btrfs.space.read(at(commands));
    expect(readout.failure).toBe('compsize: exit status 1');
    expect(values(readout)).toEqual({ apparent_bytes: null, allocated_bytes: null, compression_ratio: null });
  });
});
