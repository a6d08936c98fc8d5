import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT, textOf } from './pages';

const json = (...argv: readonly string[]) =>
  JSON.parse(
    execFileSync(process.execPath, [join(PROJECT, 'dist/fsxbench.js'), ...argv, '--json'], { encoding: 'utf8' }),
  );

/** Two significant digits: `2,900`. */
const about = (usd: number): string => Number(usd.toPrecision(2)).toLocaleString('en');

test.each(['CompressionBench', 'MetadataBench', 'ClusterBench', 'OffloadBench'])(
  'README has the prices of %s per hour and per run',
  (benchmark) => {
    const row =
      textOf('README.md')
        .split('\n')
        .find((line) => line.startsWith(`| [${benchmark}]`)) ?? '';
    const [, perHour, perRun] = /\| (\d+) USD per hour, about ([\d,]+) USD per run/.exec(row) ?? [];
    expect([perHour, perRun]).toEqual([
      Math.round(json('cost', benchmark).hourly).toString(),
      about(json('plan', benchmark).totals.costUsd),
    ]);
  },
);
