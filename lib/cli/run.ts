import { BENCHMARK_NAMES } from '../benchmark/lookup';
import { MOUNT_BENCHMARK } from '../benchmark/registry';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';
import { hasService, printOutcome } from './results/watch';
import type { RunOptions } from './start/startedRun';

/** `fsxbench run BENCHMARK`, `fsxbench run --on DIRECTORY`: exit status 0 if every step has its values. */
export async function runCommand(context: CliContext, first: string | undefined, asked: RunOptions): Promise<void> {
  const { queuedOptions, submitRun } = await import('./start/queued');
  const { name, options: given } = argumentsOf(first, asked);
  const options = queuedOptions(context, given);
  const definition = name === null ? null : benchmarkNamed(name);
  if (options.local && options.resume) {
    throw new UsageError('--resume cannot be combined with --local: the run already has its directories');
  }
  const { startLocal, resumeLocal, isLocalRun } = await import('./start/runLocal');
  const local =
    definition === null ||
    options.local !== undefined ||
    (options.resume !== undefined && isLocalRun(context, options.resume, options.results));
  const { DRIVEN_HERE, handOver, reservation } = await import('./start/machines');
  if (local && options.detach) {
    if (definition !== null) throw new UsageError(DRIVEN_HERE);
    if (options.resume === undefined) (await import('./start/runOn')).refuseEarly(options);
    return submitRun(context, options);
  }
  const reserve = reservation(context, options);
  if (reserve !== null) {
    if (options.resume === undefined) (await import('./start/runOn')).refuseEarly(options);
    const status = await handOver(reserve);
    if (status !== 0) throw new Unsuccessful('', status === 2 ? 2 : 1);
    return;
  }
  const started =
    definition === null
      ? options.resume === undefined
        ? await (await import('./start/runOn')).startOn(context, options)
        : await resumeLocal(context, options.resume, options.results)
      : local
        ? await startLocal(context, definition, options)
        : await (await import('./start/runFleet')).startOnFleet(context, definition, options);
  if (options.detach) {
    if (options.json) printJson(context, { schema: 'fsxbench.run/1', run: started.run, state: 'starting' });
    else context.out(`${started.run} is running. Follow it: npx fsxbench watch ${started.run}\n`);
    return;
  }
  const status = await started.follow();
  if (options.json) printJson(context, { ...status, schema: 'fsxbench.run/1' });
  const collects = hasService(started.manifest);
  await printOutcome(context, status, options.json ?? false, { collects, results: options.results });
}

/**
 * With --on there is no benchmark to name, so that the first word is the user's program.
 *
 * @returns `name`: `null` for a run on one directory
 */
function argumentsOf(first: string | undefined, options: RunOptions): { name: string | null; options: RunOptions } {
  const { on, resume, program = [] } = options;
  const ofMount = first === undefined || first === MOUNT_BENCHMARK.name;
  if (on === undefined) {
    for (const key of ['as', 'instance', 'nodes', 'hosts', 'ranks', 'like', 'recorded', 'shared'] as const)
      if (options[key] !== undefined) throw new UsageError(`--${key} describes the directory of --on: name that, too`);
    if (!ofMount) return { name: first, options };
    if (resume !== undefined) return { name: null, options };
    throw new UsageError(
      `name a benchmark, one of ${BENCHMARK_NAMES.join(', ')}, or one mounted directory: npx fsxbench run --on /fsx`,
    );
  }
  if (resume !== undefined) throw new UsageError('--resume cannot be combined with --on: the run has its directory');
  if (ofMount) return { name: null, options };
  if (BENCHMARK_NAMES.includes(first))
    throw new UsageError(`${first} compares file systems, and --on measures one: leave out one of them`);
  return { name: null, options: { ...options, program: [first, ...program] } };
}
