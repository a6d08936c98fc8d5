import { cpSync, existsSync } from 'node:fs';
import { relative } from 'node:path';
import { labDeploymentOf, modelledIn } from '../benchmark/lab';
import { DEFAULT_BENCHMARK } from '../benchmark/lookup';
import { BENCHMARKS } from '../benchmark/registry';
import { commandLine } from '../common/format/text';
import { bootstrap, deploy } from '../lab/deploy';
import { labDown, labStatus } from '../lab/down';
import { emulatorEnvironment } from '../lab/emulator';
import type { OnProgress } from '../lab/error';
import { type Lab, labUp } from '../lab/lab';
import { startMetrics } from '../lab/metrics/service';
import { modelScale } from '../lab/model/figures';
import { labPaths } from '../lab/paths';
import { inLab } from '../run/deployed';
import { readManifest } from '../store/documents';
import { folderOf } from '../store/library';
import { isPrivate } from '../store/upload';
import { benchmarkNamed } from './benchmarks';
import { type CliContext, printJson, requireClone, Unsuccessful, usage } from './context';
import { interruptible, silencedBy } from './input/interrupt';
import { chosenArms, heldBy, labArms, modelledConfigurations, slurmFor } from './input/labRequest';
import { RESULTS } from './input/options';

import { progressLog, withProgress } from './render/progressLog';

type AsJson = { readonly json?: boolean };

/** The benchmark that the lab deploys, and the arms that get a file system. */
export interface LabBenchmark {
  /** @default the first */
  readonly benchmark?: string;
  /** @default - those that the benchmark names for the lab */
  readonly arms?: readonly string[];
  /** The configuration to model, `TYPE:MB/s per TiB,CAPACITY`; `true`: the benchmark's own; `none`: no limits. @default - its own, if any */
  readonly model?: string | true;
  /** `1:100` */
  readonly scale?: string;
  /** Launcher of the processes: `local` or `slurm`. @default - the benchmark's own */
  readonly launcher?: string;
}

/** Starts the lab and deploys into it. Every AWS client of this process then uses the emulator, so later commands are the same as on AWS. */
export async function labWithStacks(context: CliContext, request: LabBenchmark, signal: AbortSignal): Promise<Lab> {
  requireClone(context, 'cdk.json', 'the lab');
  const { say, stop } = progressLog((line) => context.err(`lab: ${line}\n`), undefined, 'starting the emulator');
  try {
    return await upWithStacks(context, request, signal, say);
  } finally {
    stop();
  }
}

async function upWithStacks(
  context: CliContext,
  { benchmark = DEFAULT_BENCHMARK.name, arms, model, scale, launcher }: LabBenchmark,
  signal: AbortSignal,
  say: OnProgress,
): Promise<Lab> {
  const definition = benchmarkNamed(benchmark);
  const { name, lab: own, about } = definition;
  const slurm = slurmFor(definition, launcher);
  const divisor = usage(() => modelScale(scale, own.scale));
  // Other benchmarks' arms alone: one of this benchmark's that was left out must not get the storage of another.
  const aliases = BENCHMARKS.filter((other) => other !== definition).map((other) => chosenArms(other));
  const chosen = chosenArms(definition, arms);
  const { arms: modelled, settings: ofModel } = usage(() => modelledConfigurations(definition, chosen, model));
  const lab = await labUp({
    root: context.root,
    onProgress: say,
    aliases,
    arms: modelled.length > 0 ? modelled : labArms(definition, chosen),
    about,
    slurm,
    ...(modelled.length > 0 && {
      model: { scale: divisor, holds: modelledIn(definition), arms: modelled, ...heldBy(definition, slurm) },
    }),
    insists: model !== undefined || scale !== undefined,
    meanwhile: (emulator) => bootstrap({ lab: emulator, onProgress: say, signal }),
    signal,
  });
  enter({ ...lab.environment, FSXBENCH_CLIENT_CONFIG: lab.paths.clientConfig });
  const settings = [
    // It costs nothing, and a lab that was left up yesterday is wanted today.
    'expiresAfterHours=never',
    ...Object.entries(labDeploymentOf(definition, chosen).settings).map(([key, value]) => `${key}=${value}`),
    ...ofModel,
  ];
  await deploy({ lab, stacks: ['BenchResults', name], context: settings, onProgress: say, signal });
  await startMetrics(lab, name);
  return lab;
}

/** Sets this process's environment. Empty variables are deleted, since the SDK takes an empty AWS_PROFILE for a profile. */
function enter(environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value) process.env[name] = value;
    else delete process.env[name];
  }
}

const printStatus = async (context: CliContext): Promise<void> =>
  printJson(context, { schema: 'fsxbench.lab-status/1', ...(await labStatus(context.root)) });

export async function labUpCommand(context: CliContext, { json, ...options }: LabBenchmark & AsJson): Promise<void> {
  const { state } = await labStatus(context.root);
  await interruptible(
    async (signal) => void (await labWithStacks(silencedBy(signal, context), options, signal)),
    async (interrupted, settled) => {
      // One that was up before is not this command's to stop.
      if (!interrupted || state === 'up') return;
      await stopLab(context, RESULTS.defaultValue, settled);
    },
  );
  if (json) return printStatus(context);
  context.out('the lab is up. Point a shell at it: eval "$(npx fsxbench lab env)"; stop it: npx fsxbench lab down\n');
}

/** Takes the lab of this command away, and keeps what its runs have measured. */
export async function stopLab(context: CliContext, results: string, settled?: Promise<void>): Promise<void> {
  const say = (line: string): void => context.err(`lab: ${line}\n`);
  keepRuns(await withProgress(say, 'stopping', () => labDown(context.root, settled)), results, say);
}

/** Copies what ended runs have measured to where they were started, if that is here: the lab's bucket went with it. */
function keepRuns(ended: readonly string[], results: string, say: (line: string) => void): void {
  for (const folder of ended) {
    const { benchmark, run } = readManifest(folder);
    const here = folderOf(results, benchmark, run);
    const isHere = existsSync(here);
    if (isHere) cpSync(folder, here, { recursive: true, filter: (path) => !isPrivate(relative(folder, path)) });
    say(`${run} was running, and is interrupted: what it measured is in ${isHere ? here : folder}`);
    if (isHere) say(`to continue it once a lab is up again: npx fsxbench run ${benchmark} --resume ${run}`);
  }
}

/** `fsxbench lab down`: succeeds even if there is no lab. */
export async function labDownCommand(context: CliContext, { json }: AsJson): Promise<void> {
  keepRuns(await labDown(context.root), RESULTS.defaultValue, (line) => context.err(`lab: ${line}\n`));
  if (json) return printStatus(context);
  context.out('the lab is down: no process, mount or loop device is left\n');
  if (inLab(context.environment)) context.out('this shell still points at it: take another for AWS\n');
}

export async function labStatusCommand(context: CliContext, { json }: AsJson): Promise<void> {
  if (json) return printStatus(context);
  const status = await labStatus(context.root);
  context.out(`the lab is ${status.state}${status.endpoint ? ` at ${status.endpoint}` : ''}\n`);
  for (const { arm, mountPoint, actually } of status.storages)
    context.out(`  ${arm.padEnd(6)} ${mountPoint}  ${actually}\n`);
  for (const problem of status.problems) context.out(`  ${problem}\n`);
  if (status.state === 'broken') context.out("clean up with 'npx fsxbench lab down'; 'lab up' does that, too\n");
}

export async function labEnvCommand(context: CliContext): Promise<void> {
  const status = await labStatus(context.root);
  if (status.state !== 'up' || status.endpoint === null)
    throw new Unsuccessful('the lab is not up: npx fsxbench lab up');
  const paths = labPaths(context.root);
  const variables = { ...emulatorEnvironment(paths, status.endpoint), FSXBENCH_CLIENT_CONFIG: paths.clientConfig };
  for (const [name, value] of Object.entries(variables))
    context.out(value ? `export ${name}=${commandLine([value])}\n` : `unset ${name}\n`);
}
