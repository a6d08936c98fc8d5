import { join } from 'node:path';
import { DEFAULT_BENCHMARK } from '../benchmark/lookup';
import { labDown } from '../lab/lab';
import { requeueHalfway } from '../lab/slurm';
import { keptIn } from '../store/kept';
import { benchmarkNamed } from './benchmarks';
import { collectCommand } from './collect';
import { type CliContext, Unsuccessful } from './context';
import { interruptible } from './interrupt';
import { type LabBenchmark, labWithStacks } from './lab';
import { reportCommand } from './report';
import { startOnFleet } from './runFleet';

/** Options of `fsxbench lab quickstart`. */
export interface QuickstartOptions extends LabBenchmark {
  readonly set: readonly string[];
  readonly keep?: boolean;
  readonly results: string;
}

/**
 * The whole workflow on this machine, from deployment to report, through the same paths as on AWS: the CDK CLI, an SSM document that starts
 * the driver, the results bucket, CloudWatch. The lab is stopped afterwards, even after a failure or Ctrl-C.
 */
export async function quickstartCommand(context: CliContext, options: QuickstartOptions): Promise<void> {
  await interruptible(
    (signal) => work(context, options, signal),
    async (interrupted) => {
      if (options.keep && !interrupted) return;
      context.err('lab: stopping\n');
      await labDown(context.root);
    },
  );
}

async function work(context: CliContext, options: QuickstartOptions, signal: AbortSignal): Promise<void> {
  const { results, set, benchmark, arms, model, scale, launcher } = options;
  const definition = benchmark === undefined ? DEFAULT_BENCHMARK : benchmarkNamed(benchmark);
  context.err(`quick start: ${definition.name}: ${definition.lab.headline}\n`);
  const lab = await labWithStacks(context, {
    benchmark: definition.name,
    ...(arms ? { arms } : {}),
    ...(model ? { model } : {}),
    ...(scale ? { scale } : {}),
    ...(launcher ? { launcher } : {}),
    signal,
  });
  signal.throwIfAborted();
  const { set: own = [], requeued = false, followedBy = [] } = definition.lab;
  const runs: string[] = [];
  for (const part of [{ set: [...own, ...set] }, ...followedBy]) {
    const started = await startOnFleet(context, definition, { ...part, results });
    const requeue =
      requeued && runs.length === 0 ? requeueHalfway(lab.paths, started.run, signal) : Promise.resolve(false);
    const [status, again] = await Promise.all([started.follow(), requeue]);
    if (again) context.err('the driver’s job was put back into the queue halfway, and the run went on where it was\n');
    signal.throwIfAborted();
    await collectCommand(context, started.run, { results, wait: true });
    runs.push(started.run);
    if (status.state === 'done') continue;
    await reportCommand(context, runs, { results, upload: true });
    throw new Unsuccessful(`${started.run} ${status.state}: ${status.message}`);
  }
  context.err('report:\n');
  await reportCommand(context, runs, { results, upload: true });
  const folder = join(results, 'runs', definition.name, runs[0] as string);
  const { findings: [headline] = [], validity } = keptIn(folder) ?? {};
  if (headline !== undefined) context.out(`${validity === 'INVALID' ? 'INVALID: ' : ''}${headline}\n`);
  context.out(`done. Open ${join(folder, 'report', 'index.html')} in a browser; repeat with npm run quickstart\n`);
}
