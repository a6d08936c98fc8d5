import type { RunSummary } from '../analysis/summary';
import type { Benchmark } from '../benchmark/benchmark';
import { labDeploymentOf } from '../benchmark/lab';
import { benchmarkOrNone } from '../benchmark/lookup';
import { MOUNT_BENCHMARK } from '../benchmark/registry';
import { shellWord } from '../common/format/text';
import type { StorageConfiguration } from '../schema/deployment';
import { isNeverDeployed, storageOf } from '../storage/lookup';
import type { RunRecord } from '../store/record';

type RunPlan = NonNullable<RunRecord['plan']>;

export function rerunCommands({ record: { plan, manifest }, run, lab, place, benchmark }: RunSummary) {
  if (plan === null) return { words: '', commands: [] };
  const settings = Object.entries(plan.parameters).map(
    ([name, value]) => `--set ${shellWord(`${name}=${String(value)}`)}`,
  );
  const arms = plan.arms.map(({ name }) => shellWord(`${name}=DIRECTORY`)).join(' ');
  const on = benchmark === MOUNT_BENCHMARK.name;
  const local = on || ['directories', 'mounted'].includes(place);
  const machines = manifest?.fleet.machines?.asked.split(' ').map(shellWord) ?? [];
  const start = [
    'npx fsxbench run',
    ...(on ? ['--on DIRECTORY', ...asOf(plan.arms), ...machines] : [shellWord(benchmark), local && `--local ${arms}`]),
    `--plan ${shellWord(plan.plan)}`,
    !on && `--scale ${shellWord(plan.scale)}`,
    ...settings,
    ...programOf(plan),
  ].filter(Boolean);
  if (lab) {
    const words = 'One command repeats everything, with a new lab and a new run.';
    return { words, commands: [['npm run quickstart --', ...quickstartOptions(plan, manifest)].join(' ')] };
  }
  if (local) {
    const words = on ? 'Name the directory to measure.' : 'Name the directories to compare.';
    return { words, commands: [start.join(' '), 'npx fsxbench report RUN'] };
  }
  const stack = manifest?.stack?.name ?? benchmark;
  return {
    words: `Deploy, run, collect, report. RUN is the id that the second command prints; this run was ${run}.`,
    commands: [
      `npx cdk deploy BenchResults ${shellWord(stack)} -c scale=${shellWord(plan.scale)}`,
      start.join(' '),
      'npx fsxbench collect RUN',
      'npx fsxbench report RUN',
    ],
  };
}

/** The file system that `--as` names; none for a directory of a machine. */
function asOf([arm]: RunPlan['arms']): string[] {
  const storage = arm?.configuration && storageOf(arm.configuration);
  const text = isNeverDeployed(storage)
    ? null
    : ((arm?.configuration && storage?.configuration.shorthand?.write(arm.configuration, true)) ?? null);
  return text === null || storage === undefined ? [] : [`--as ${shellWord(`${storage.kind}:${text}`)}`];
}

/** The user's own program, behind `--`. */
function programOf({ steps }: RunPlan): string[] {
  const actions = steps.flatMap(({ tasks }) => tasks.map(({ action }) => action));
  const program = actions.flatMap((action) => ('program' in action && action.program ? [action.program] : []))[0];
  return program === undefined ? [] : ['--', ...program.map(shellWord)];
}

/** The options of `npm run quickstart`: the benchmark and its settings, but for the tools, which it finds. */
function quickstartOptions({ benchmark, arms, parameters }: RunPlan, manifest: RunRecord['manifest']): string[] {
  const definition = benchmarkOrNone(benchmark);
  const [model] = (manifest?.arms ?? []).flatMap((arm) => arm.model ?? []);
  const settings = Object.entries(parameters).filter(([name]) => !['tool', 'iorVersion'].includes(name));
  return [
    ...['--benchmark', shellWord(benchmark), '--arms', ...arms.map(({ name }) => shellWord(name))],
    ...(model ? [...modelOptions(definition, arms), `--scale 1:${model.scale}`] : ['--model none']),
    ...settings.map(([name, value]) => `--set ${shellWord(`${name}=${String(value)}`)}`),
  ];
}

/** `--model` for a configuration that is not the benchmark's own. */
function modelOptions(definition: Benchmark | undefined, arms: RunPlan['arms']): string[] {
  if (definition === undefined) return [];
  const names = arms.map(({ name }) => name);
  const own = labDeploymentOf(definition, names).arms;
  const written = (configuration: StorageConfiguration | undefined): string | null =>
    (configuration && storageOf(configuration).configuration.shorthand?.write(configuration)) ?? null;
  const texts = arms.flatMap(({ name, configuration }) => {
    const text = written(configuration);
    return text === null || text === written(own.find((arm) => arm.name === name)?.storage) ? [] : [text];
  });
  return [...new Set(texts)].slice(0, 1).flatMap((text) => ['--model', shellWord(text)]);
}
