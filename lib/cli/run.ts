import type { Command } from 'commander';
import { BENCHMARK_NAMES } from '../benchmark/lookup';
import { requireLinux } from '../common/mounts';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, UsageError } from './context';
import { hasService, printOutcome } from './results/watch';

import { argumentsOf, operandsOf, type RunOptions } from './start/arguments';
import { isLocalRun, resumeLocal, startLocal } from './start/localRun';
import { DRIVEN_HERE, ranOnReserved } from './start/machines';
import { queuedOptions, submitRun } from './start/queued';
import { startOnFleet } from './start/runFleet';
import { refuseEarly, startOn } from './start/runOn';
import { withTools } from './start/tools';

const NO_DIRECTORY = `name a benchmark, one of ${BENCHMARK_NAMES.join(', ')}, or one mounted directory: npx fsxbench run --on /fsx`;

/** `fsxbench run BENCHMARK`, `fsxbench run --on DIRECTORY`: exit status 0 if every step has its values. */
export async function runCommand(context: CliContext, command: Command, asked: RunOptions): Promise<void> {
  const { name, options: typed } = argumentsOf(NO_DIRECTORY, operandsOf(command), asked);
  if (typed.local !== undefined) requireLinux('run --local');
  else if (name === null) requireLinux('run --on');
  const requested = queuedOptions(context, typed);
  const definition = name === null ? null : benchmarkNamed(name);
  if (requested.local && requested.resume)
    throw new UsageError('--resume cannot be combined with --local: the run already has its directories');
  if (definition === null && requested.resume === undefined) refuseEarly(requested);
  const options = await withTools(context, requested);
  const local =
    definition === null ||
    options.local !== undefined ||
    (options.resume !== undefined && isLocalRun(context, options.resume, options.results));
  if (local && options.detach) {
    if (definition !== null) throw new UsageError(DRIVEN_HERE);
    return submitRun(context, options);
  }
  if (await ranOnReserved(context, options)) return;
  const start = () => {
    if (local && options.resume !== undefined) return resumeLocal(context, options.resume, options.results);
    if (definition === null) return startOn(context, options);
    return (local ? startLocal : startOnFleet)(context, definition, options);
  };
  const started = await start();
  if (options.detach) {
    if (options.json) printJson(context, { schema: 'fsxbench.run/1', run: started.run, state: 'starting' });
    else context.out(`${started.run} is running. Follow it: npx fsxbench watch ${started.run}\n`);
    return;
  }
  const status = await started.follow();
  if (options.json) printJson(context, { ...status, schema: 'fsxbench.run/1' });
  const collects = hasService(started.manifest);
  await printOutcome(context, status, options.json ?? false, { collects, results: options.results, here: null });
}
