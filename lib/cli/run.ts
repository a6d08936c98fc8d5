import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, UsageError } from './context';
import type { RunOptions } from './startedRun';
import { sayEnd } from './watch';

/** `fsxbench run BENCHMARK`: exit status 0 if every step has its values. */
export async function runCommand(context: CliContext, name: string, options: RunOptions): Promise<void> {
  const definition = benchmarkNamed(name);
  if (options.local && options.resume) {
    throw new UsageError('--resume cannot be combined with --local: the run already has its directories');
  }
  const { startLocal, isLocalRun } = await import('./runLocal');
  const local =
    options.local !== undefined ||
    (options.resume !== undefined && isLocalRun(context, options.resume, options.results));
  if (local && options.detach)
    throw new UsageError('a local run is driven by this command: leave out --detach, or start it with nohup');
  const started = local
    ? await startLocal(context, definition, options)
    : await (await import('./runFleet')).startOnFleet(context, definition, options);
  if (options.detach) {
    if (options.json) printJson(context, { schema: 'fsxbench.run/1', run: started.run, state: 'starting' });
    else context.out(`${started.run} is running. Follow it: npx fsxbench watch ${started.run}\n`);
    return;
  }
  const status = await started.follow();
  if (options.json) printJson(context, { ...status, schema: 'fsxbench.run/1' });
  sayEnd(context, status, options.json ?? false, { local, results: options.results });
}
