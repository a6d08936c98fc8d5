import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { soundRun } from '../analysis/runs';
import { temporaryFolder } from '../run/bench';

test('samples are read in less memory than their file has bytes, and a torn line is taken away before the next', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'samples.jsonl');
  const [sample] = soundRun({ repeats: 1, compressibilities: [1] }).samples;
  const file = openSync(path, 'w');
  const count = 120_000;
  for (let first = 0; first < count; first += 1000)
    writeSync(
      file,
      Array.from({ length: 1000 }, (_, at) => `${JSON.stringify({ ...sample, iteration: first + at })}\n`).join(''),
    );
  closeSync(file);
  const { size } = statSync(path);
  expect(size).toBeGreaterThan(60e6);
  appendFileSync(path, `{"schema":"${'torn'.repeat(100_000)}`);
  const script = `require('ts-node').register({ transpileOnly: true });
    const { RunFolder } = require('${join(__dirname, '../../lib/store/folder.ts')}');
    const folder = new RunFolder(${JSON.stringify(folder)});
    const samples = folder.samples('${sample?.run}');
    console.log(samples.length, samples.at(-1).iteration);
    folder.append([samples[0]]);`;
  const done = spawnSync(process.execPath, ['--max-old-space-size=128', '-e', script], { encoding: 'utf8' });
  expect([done.stderr, done.stdout.trim()]).toEqual(['', `${count} ${count - 1}`]);
  expect(statSync(path).size).toBe(size + JSON.stringify({ ...sample, iteration: 0 }).length + 1);
});
