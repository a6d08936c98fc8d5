import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drive } from '../../lib/run/driver';
import { RunFolder } from '../../lib/store/folder';
import { fakeExecute, healthy, localClients, smallPlan, temporaryFolder } from '../run/bench';

/** Runs a script on a disk that has room for so many KiB in a file: a write across the bound is short, the next one fails. */
function onSmallDisk(kib: number, script: string): string[] {
  const command = `trap '' XFSZ; ulimit -f ${kib}; exec node -e "$1"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', command, 'small-disk', script], { encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.trim().split('\n');
}

/** The module under test as a process of its own can load it. */
const MODULE = `require('ts-node').register({ transpileOnly: true }); const { RunFolder } = require('${join(__dirname, '../../lib/store/folder.ts')}');`;
const SAMPLE = `const sample = (step) => ({ schema: 'fsxbench.sample/1', run: 'r', arm: 'none', step, phase: 'measure', repeat: 1, attempt: 1,
  target: null, operation: 'task', metric: 'seconds', value: 1, unit: 's', iteration: null, source: 'driver', tool: null, toolVersion: null,
  pattern: null, group: 'A', clients: 1, ranks: null, startedAt: '2026-11-20T00:00:00.000Z', endedAt: '2026-11-20T00:00:01.000Z', raw: null,
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
    try { folder.write('status.json', 'x'.repeat(6000)); console.log('kept'); } catch (error) { console.log(error.code); }`,
  );
  expect(answer).toBe('EFBIG');
  expect(readFileSync(join(folder, 'status.json'), 'utf8')).toBe('before');
});

const driveIn = (folder: string) =>
  drive({
    ...{ run: 'test-run', plan: smallPlan(), clients: localClients('/mnt'), folder: new RunFolder(folder) },
    execute: fakeExecute(healthy).execute,
    abort: new AbortController().signal,
    onChange: () => {},
    dataPresent: () => false,
  });

test.each([
  ['cut off', (line: string) => line.slice(0, line.length / 2)],
  ['cut off, with another behind it', (line: string) => `${line.slice(0, line.length / 2)}${line}\n`],
  ['full of zeros', (line: string) => '\0'.repeat(line.length)],
])('a last line that is %s does not stop a resume', async (_, damage) => {
  const folder = temporaryFolder();
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
