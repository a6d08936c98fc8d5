import type { Benchmark } from '../benchmark/benchmark';
import { modelledIn } from '../benchmark/lab';
import { DEFAULT_BENCHMARK } from '../benchmark/lookup';
import { singleLine } from '../common/format/text';
import { inWords, needsOfScript, type Unmet, type Uses, unmetOf } from '../lab/needs';
import { toolsOf } from '../run/driver/session';
import { storageOf } from '../storage/lookup';
import { workloadNamed } from '../workload/lookup';
import { ENVIRONMENTS } from '../workload/registry';
import type { Workload } from '../workload/workload';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, Unsuccessful, usage } from './context';
import { interruptible, silencedBy } from './input/interrupt';
import { chosenArms, labArms, modelledConfigurations, slurmFor } from './input/labRequest';
import { type LabBenchmark, labWithStacks, stopLab } from './lab';
import { chosenPlan, documentedPlan, type PlanOptions } from './plan';
import { printAnswer } from './render/answer';
import { withProgress } from './render/progressLog';
import { collectCommand } from './results/collect';
import { reportCommand } from './results/report';
import { refuseErrors } from './start/localRun';
import { startOnFleet } from './start/runFleet';

export interface QuickstartOptions extends LabBenchmark {
  readonly set: readonly string[];
  readonly keep?: boolean;
  readonly needs?: boolean;
  readonly results: string;
}

/** The whole workflow here, by the paths of AWS: CDK CLI, SSM document, bucket, CloudWatch. The lab is stopped at the end, even after a failure or Ctrl-C. */
export async function quickstartCommand(context: CliContext, options: QuickstartOptions): Promise<void> {
  const { benchmark, set } = options;
  const definition = benchmark === undefined ? DEFAULT_BENCHMARK : benchmarkNamed(benchmark);
  // Refused now, and not when everything is up.
  refuseErrors(documentedPlan(definition, { scale: 'lab', set }));
  const unmet = await unmetNeeds(context, definition, options);
  if (options.needs) {
    const environments = workloadsOf(definition, options.set).flatMap(({ id }) => ENVIRONMENTS[id] ?? []);
    printJson(context, { schema: 'fsxbench.needs/1', unmet, environments });
    return;
  }
  context.err(`quick start: ${definition.name}: ${definition.question}\n`);
  const needed = unmet.filter(({ without }) => without === null);
  if (needed.length > 0) throw new Unsuccessful(needed.map(inWords).join('\n'));
  for (const one of unmet) context.err(`${inWords(one)}\n`);
  await interruptible(
    (signal) => work(silencedBy(signal, context), definition, options, signal),
    async (interrupted, settled) => {
      if (options.keep && !interrupted) return;
      await stopLab(context, options.results, settled);
    },
  );
}

async function work(context: CliContext, definition: Benchmark, options: QuickstartOptions, signal: AbortSignal) {
  const { results, set } = options;
  const say = (line: string): void => context.err(`${line}\n`);
  await labWithStacks(context, options, signal);
  signal.throwIfAborted();
  const runs: string[] = [];
  for (const part of partsOf(definition, set)) {
    const started = await startOnFleet(context, definition, { ...part, results });
    const status = await started.follow(signal);
    signal.throwIfAborted();
    say('collecting what the service counted');
    await collectCommand(context, started.run, { results });
    runs.push(started.run);
    if (status.state === 'done') continue;
    await reportCommand(context, runs, { results, upload: true });
    throw new Unsuccessful(`${started.run} ${status.state}: ${singleLine(status.message)}`);
  }
  const [written] = await withProgress(say, 'writing the report', () =>
    reportCommand({ ...context, out: () => {} }, runs, { results, upload: true }),
  );
  const cost = `npx fsxbench cost ${definition.name} -c scale=smoke`;
  if (written !== undefined)
    await printAnswer(context, written, [['what the smallest deployment of it on AWS costs', cost]]);
}

/** The plans that a quick start carries out, one after the other. */
const partsOf = ({ lab: { followedBy = [] } }: Benchmark, set: readonly string[]) => [{ set }, ...followedBy];

/** Returns programs that a benchmark's quick start needs, this computer lacks and packages have. @throws UsageError if it cannot start here at all */
async function unmetNeeds({ root }: CliContext, definition: Benchmark, request: QuickstartOptions): Promise<Unmet[]> {
  const isRoot = process.getuid?.() === 0;
  const needs: Uses[] = workloadsOf(definition, request.set).flatMap(({ label: of, installed }) =>
    installed === undefined ? [] : { of, uses: installed.uses, without: installed.without },
  );
  if (slurmFor(definition, request.launcher) !== undefined)
    needs.push({ of: 'Slurm', uses: await needsOfScript(root, 'lab/slurm/cluster'), without: null });
  // Only root may mount or limit anything, whatever is installed.
  if (isRoot) needs.push(...(await needsOfStorages(root, definition, request)));
  return unmetOf(root, needs);
}

/** The tools of all its plans, and those that could take their place. */
function workloadsOf(definition: Benchmark, set: readonly string[]): Workload[] {
  const ids = partsOf(definition, set).flatMap((part: PlanOptions) => {
    const { preferred, substitutes = [] } = chosenPlan(definition, part).tools ?? {};
    const used = toolsOf(documentedPlan(definition, { ...part, scale: 'lab' }));
    return [...used, ...[preferred, ...substitutes].flatMap((workload) => workload?.id ?? [])];
  });
  return [...new Set(ids)].map(workloadNamed);
}

async function needsOfStorages(root: string, definition: Benchmark, { arms, model }: LabBenchmark): Promise<Uses[]> {
  const chosen = chosenArms(definition, arms);
  const { arms: modelled } = usage(() => modelledConfigurations(definition, chosen, model));
  if (modelled.length > 0 && modelledIn(definition) === 'servers') {
    const limits = 'nothing limits disks and links, and the figures are those of this computer';
    const alone = 'disk and link below the file system are not measured alone';
    const server = await needsOfScript(root, 'lab/model/server', { MODEL_NAME: 'needs', MODEL_FOLDER: 'needs' });
    return [
      { of: 'the scale model', uses: await needsOfScript(root, 'lab/model/check'), without: limits },
      { of: 'a program on its servers', uses: server, without: alone },
    ];
  }
  const needs: Uses[] = [];
  for (const { name, storage } of labArms(definition, chosen)) {
    const [substitute] = storageOf(storage).substitutes(storage, definition.about);
    if (substitute?.program == null) continue;
    const { path, variables } = substitute.program;
    const without = 'something else stands in for it, or nothing';
    needs.push({ of: name, uses: await needsOfScript(root, path, variables), without });
  }
  return needs;
}
