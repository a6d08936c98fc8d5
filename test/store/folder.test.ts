import { spawn, spawnSync } from 'node:child_process';
import fs, { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { RunFolder } from '../../lib/store/folder';
import { healthy, memoryFolder, temporaryFolder } from '../run/bench';
import { driveWith } from '../run/driver/driveWith';

/** Runs a script on a disk that has room for so many KiB in a file: a write across the bound is short, the next one fails. */
function onSmallDisk(kib: number, script: string): string[] {
  const command = `trap '' XFSZ; ulimit -f ${kib}; exec node -e "$1"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', command, 'small-disk', script], { encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.trim().split('\n');
}

/** The module under test, for another process to load. */
const MODULE = `require('ts-node').register({ transpileOnly: true }); const { RunFolder } = require('${join(__dirname, '../../lib/store/folder.ts')}');`;
const SAMPLE = `const sample = (step) => ({ schema: 'fsxbench.sample/1', run: 'r', arm: 'none', step, phase: 'measure', repeat: 1, attempt: 1,
  compressibility: null, operation: 'task', metric: 'seconds', value: 1, unit: 's', iteration: null, source: 'driver', tool: null, toolVersion: null,
  pattern: null, group: 'A', clients: 1, ranks: null, plannedRanks: null, nodes: null, startedAt: '2026-11-20T00:00:00.000Z', endedAt: '2026-11-20T00:00:01.000Z', raw: null,
  problems: [], cautions: [] });`;

test('on a disk that fills up a sample is written wholly, or refused and not there', () => {
  const folder = temporaryFolder();
  const script = `${MODULE} ${SAMPLE}
    const folder = new RunFolder(${JSON.stringify(folder)});
    for (let step = 0; step < 20; step++) {
      try { folder.append([sample('s' + step)]); console.log('kept'); } catch (error) { console.log(error.code); }
    }`;
  const answers = onSmallDisk(4, script);
  const kept = answers.filter((answer) => answer === 'kept').length;
  expect(kept).toBeGreaterThan(5);
  expect(new Set(answers.slice(kept))).toEqual(new Set(['EFBIG']));
  const text = readFileSync(join(folder, 'samples.jsonl'), 'utf8');
  expect(text.endsWith('}\n')).toBe(true);
  expect(new RunFolder(folder).samples()).toHaveLength(kept);
});

test('a status that the disk has no room for leaves the one before it', () => {
  const folder = temporaryFolder();
  const [answer] = onSmallDisk(
    4,
    `${MODULE} const folder = new RunFolder(${JSON.stringify(folder)});
    folder.write('status.json', 'before');
    try { folder.write('status.json', 'x'.repeat(6000)); console.log('kept'); } catch (error) { console.log(error.code, error.message); }`,
  );
  expect(answer).toBe(
    `EFBIG '${join(folder, 'status.json')}' cannot be written: EFBIG: file too large, write; make room there, then repeat the command`,
  );
  expect(readdirSync(folder)).toEqual(['status.json']);
  expect(readFileSync(join(folder, 'status.json'), 'utf8')).toBe('before');
});

test('two processes that write the same file neither fail nor show half of it', async () => {
  const folder = memoryFolder();
  const [low, high] = ['a', 'b'].map((letter) => letter.repeat(300_000));
  const writer = (letter: string) => {
    const write = `new RunFolder(${JSON.stringify(folder)}).write('status.json', '${letter}'.repeat(300_000))`;
    const script = `${MODULE} for (const end = Date.now() + 1000; Date.now() < end; ) ${write};`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
    return Promise.all([textOf(child.stderr), new Promise((resolve) => child.once('close', resolve))]);
  };
  const file = join(folder, 'status.json');
  writeFileSync(file, low as string);
  const [writers, torn] = [Promise.all([writer('a'), writer('b')]), [] as string[]];
  let ended = false;
  void writers.then(() => {
    ended = true;
  });
  while (!ended) {
    const found = readFileSync(file, 'utf8');
    if (found !== low && found !== high) torn.push(`${found.length} bytes`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await writers).toEqual([
    ['', 0],
    ['', 0],
  ]);
  expect(torn).toEqual([]);
  expect(readdirSync(folder)).toEqual(['status.json']);
});

/** Calls to the disk, in their order. */
function asked(act: () => void): string[] {
  const calls: string[] = [];
  const spies = (['writeFileSync', 'fsyncSync', 'closeSync', 'renameSync'] as const).map((name) => {
    const real = fs[name] as (...args: unknown[]) => unknown;
    return jest.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
      calls.push(name);
      return real(...args);
    });
  });
  act();
  for (const spy of spies) spy.mockRestore();
  return calls;
}

test('samples are on the disk when append returns, and a document is before it takes its name', async () => {
  const first = memoryFolder();
  await driveIn(first);
  const samples = new RunFolder(first).samples();
  const folder = new RunFolder(temporaryFolder());
  expect(asked(() => folder.append(samples))).toEqual(['writeFileSync', 'fsyncSync', 'closeSync']);
  expect(asked(() => folder.write('plan.json', '{}'))).toEqual([
    'writeFileSync',
    'fsyncSync',
    'closeSync',
    'renameSync',
  ]);
  expect(folder.samples()).toEqual(samples);
});

const driveIn = async (folder: string) => (await driveWith(healthy, { folder })).status;

test.each([
  ['cut off', (line: string) => line.slice(0, line.length / 2)],
  ['cut off, with another behind it', (line: string) => `${line.slice(0, line.length / 2)}${line}\n`],
  ['full of zeros', (line: string) => '\0'.repeat(line.length)],
])('a last line that is %s does not stop a resume', async (_, damage) => {
  const folder = memoryFolder();
  await driveIn(folder);
  const file = join(folder, 'samples.jsonl');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(
    file,
    lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  );
  appendFileSync(file, damage(lines.at(-1) as string));
  expect((await driveIn(folder)).state).toBe('done');
});

test('what a killed driver left without an end goes with the next sample, however long it is, and nothing before it', async () => {
  const first = memoryFolder();
  await driveIn(first);
  const [sample] = new RunFolder(first).samples();
  if (sample === undefined) throw new Error('nothing was measured');
  const path = memoryFolder();
  const file = join(path, 'samples.jsonl');
  // About the bytes that are read at a time from the end.
  const length = fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 131_072, 200_000);
  fc.assert(
    fc.property(fc.array(length, { maxLength: 3 }), length, (lines, torn) => {
      const whole = lines.map((bytes) => `${'x'.repeat(bytes)}\n`).join('');
      writeFileSync(file, whole + 'y'.repeat(torn));
      const folder = new RunFolder(path);
      folder.append([sample]);
      folder.append([sample]);
      const line = `${JSON.stringify(sample)}\n`;
      // Compared first: the difference of such texts takes minutes to print.
      expect(readFileSync(file, 'utf8') === whole + line + line).toBe(true);
    }),
    { numRuns: 40 },
  );
});

describe('samples of earlier sessions that cannot be used', () => {
  const fileIn = (folder: string) => join(folder, 'samples.jsonl');

  const resumed = async (folder: string) => {
    const { status, statuses, commands } = await driveWith(healthy, { folder });
    return { state: status.state, messages: statuses.map(({ message }) => message), commands };
  };

  test('are named by file and line, left out, and measured again', async () => {
    const folder = memoryFolder();
    await driveIn(folder);
    const lines = readFileSync(fileIn(folder), 'utf8').trimEnd().split('\n');
    const foreign = lines.map((line) => line.replace('"run":"test-run"', '"run":"other-run"'));
    const damaged = ['{"torn', 'null', (lines[2] as string).slice(9), ...foreign.slice(3)];
    writeFileSync(fileIn(folder), [...lines.slice(0, 1), ...damaged].map((line) => `${line}\n`).join(''));
    const { state, messages, commands } = await resumed(folder);
    expect(state).toBe('done');
    expect(messages).toContain(
      `${fileIn(folder)}: lines 2, 4 are not samples and are left out; steps without values are repeated`,
    );
    expect(
      messages.some((message) => /samples\.jsonl: lines 5, 6, 7.* of another run and are left out/.test(message)),
    ).toBe(true);
    expect(commands.some(([program]) => program === 'fio')).toBe(true);
    expect(readFileSync(fileIn(folder), 'utf8')).toContain('other-run');
  });

  test('are not taken for this run if all are of another', async () => {
    const folder = memoryFolder();
    await driveIn(folder);
    writeFileSync(
      fileIn(folder),
      readFileSync(fileIn(folder), 'utf8').replaceAll('"run":"test-run"', '"run":"other-run"'),
    );
    await expect(resumed(folder)).rejects.toThrow(
      `the samples '${fileIn(folder)}' are of other-run, none is of test-run: restore it from the results bucket, or remove it to measure everything again`,
    );
  });

  test('stop a resume with the path and the next step if the file cannot be read', async () => {
    const folder = memoryFolder();
    mkdirSync(fileIn(folder));
    await expect(resumed(folder)).rejects.toThrow(
      `cannot read the run's samples '${fileIn(folder)}' (it cannot be read (EISDIR)): restore it from the results bucket`,
    );
  });
});
