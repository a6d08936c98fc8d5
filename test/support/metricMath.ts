import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import type { CollectedSeries } from '../../lib/schema/metrics';

const PYTHON = join(__dirname, '../../.lab/venv/bin/python');

type Published = Pick<CollectedSeries, 'namespace' | 'metric' | 'dimensions' | 'statistic'> & {
  /** In milliseconds since the epoch. */
  readonly points: readonly (readonly [number, number])[];
};

/** A series as GetMetricData answers it: an expression may have several. */
interface Answer {
  readonly id: string;
  readonly label: string;
  readonly points: ReadonlyMap<number, number>;
}

/** The emulator's interpreter of metric math, which is started once for a suite and answers while the test waits. */
class Interpreter {
  private readonly folder = mkdtempSync(join(tmpdir(), 'fsxbench-metric-math-'));
  private readonly requests: number;
  private readonly answers: number;

  constructor() {
    const [requests, answers] = ['requests', 'answers'].map((name) => join(this.folder, name)) as [string, string];
    execFileSync('mkfifo', [requests, answers]);
    const script = `exec "$0" "$1" <"$2" >"$3"`;
    const argv = ['-c', script, PYTHON, join(__dirname, 'metric_math.py'), requests, answers];
    spawn('sh', argv, { stdio: ['ignore', 'ignore', 'inherit'] }).unref();
    this.requests = openSync(requests, 'w');
    this.answers = openSync(answers, 'r');
  }

  ask(request: unknown): unknown {
    writeSync(this.requests, `${JSON.stringify(request)}\n`);
    const chunks: Buffer[] = [];
    do {
      const chunk = Buffer.alloc(1 << 16);
      const length = readSync(this.answers, chunk);
      if (length === 0) throw new Error('the interpreter of metric math has ended');
      chunks.push(chunk.subarray(0, length));
    } while (chunks.at(-1)?.at(-1) !== 10);
    return JSON.parse(Buffer.concat(chunks).toString());
  }

  close(): void {
    closeSync(this.requests);
    closeSync(this.answers);
    rmSync(this.folder, { recursive: true });
  }
}

let interpreter: Interpreter | undefined;
afterAll(() => interpreter?.close());

/** The time series that GetMetricData answers with. @throws Error for an expression that the emulator does not support */
export function metricData(
  series: readonly Published[],
  window: { readonly from: number; readonly to: number },
  queries: readonly MetricDataQuery[],
): readonly Answer[] {
  interpreter ??= new Interpreter();
  const seconds = series.map((one) => ({ ...one, points: one.points.map(([at, value]) => [at / 1000, value]) }));
  const request = { series: seconds, from: window.from / 1000, to: window.to / 1000, queries };
  const found = interpreter.ask(request) as
    | { error: string }
    | { id: string; label: string; points: [number, number][] }[];
  if ('error' in found) throw new Error(found.error);
  return found.map(({ points, ...one }) => ({
    ...one,
    points: new Map(points.map(([at, value]) => [at * 1000, value])),
  }));
}
