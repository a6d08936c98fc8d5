import { benchmarkOrNone, DEFAULT_BENCHMARK } from '../benchmark/lookup';
import type { RunRecord } from '../store/record';
import type { RunSummary } from './summary';

/** The commands that make a run like this one. */
export function rerunCommands(
  { plan, manifest }: RunRecord,
  { run, lab, place, benchmark }: RunSummary,
): { words: string; commands: string[] } {
  if (plan === null) return { words: '', commands: [] };
  const settings = Object.entries(plan.parameters).map(([name, value]) => `--set ${quote(`${name}=${String(value)}`)}`);
  const arms = plan.arms.map(({ name }) => quote(`${name}=DIRECTORY`)).join(' ');
  const local = ['directories', 'mounted'].includes(place);
  const target = local ? `--local ${arms}` : '';
  const start = [
    'npx fsxbench run',
    quote(benchmark),
    target,
    `--plan ${quote(plan.plan)}`,
    `--scale ${quote(plan.scale)}`,
    ...settings,
    ...programOf(plan),
  ].filter(Boolean);
  const after = ['npx fsxbench collect RUN', 'npx fsxbench report RUN'];
  const raise = plan.steps.flatMap(({ tasks }) =>
    tasks.flatMap(({ action }) => (action.kind === 'raise-metadata' ? [action] : [])),
  )[0];
  if (raise !== undefined) {
    const scale = `npx fsxbench scale metadata ${quote(raise.fileSystemId)} --iops IOPS --measure DIRECTORY`;
    return {
      words:
        'Metadata IOPS only rise, so this run cannot be made again; the next raise can be measured alike, with more IOPS than there are.',
      commands: [[scale, ...settings].join(' '), 'npx fsxbench report RUN'],
    };
  }
  if (lab) {
    const words = 'The whole lab, with a run of its own, is one command.';
    return { words, commands: [['npm run quickstart', ...quickstartOptions(plan)].join(' ')] };
  }
  if (local) {
    return { words: 'Name the directories to compare.', commands: [start.join(' '), 'npx fsxbench report RUN'] };
  }
  const stack = manifest?.stack?.name ?? benchmark;
  return {
    words: `Deploy, run, collect, report. RUN is the id that the second command prints; this run was ${run}.`,
    commands: [`npx cdk deploy BenchResults ${quote(stack)} -c scale=${quote(plan.scale)}`, start.join(' '), ...after],
  };
}

/** The user's own program, behind `--`. */
function programOf({ steps }: NonNullable<RunRecord['plan']>): string[] {
  const actions = steps.flatMap(({ tasks }) => tasks.map(({ action }) => action));
  const program = actions.flatMap((action) => ('program' in action && action.program ? [action.program] : []))[0];
  return program === undefined ? [] : ['--', ...program.map(quote)];
}

/** What `npm run quickstart` must be told beyond its defaults: its benchmark, at the sizes of the lab, with the tools that it finds. */
function quickstartOptions({ benchmark, arms, fleet, parameters, scale }: NonNullable<RunRecord['plan']>): string[] {
  const own = benchmark === DEFAULT_BENCHMARK.name;
  const defaults: Readonly<Record<string, unknown>> =
    benchmarkOrNone(benchmark)?.plans[0]?.defaults('lab', fleet) ?? {};
  const changed = Object.entries(parameters).filter(
    ([name, value]) =>
      scale === 'lab' &&
      !['tool', 'iorVersion'].includes(name) &&
      name in defaults &&
      String(defaults[name]) !== String(value),
  );
  const options = [
    ...(own ? [] : ['--benchmark', quote(benchmark), '--arms', ...arms.map(({ name }) => quote(name))]),
    ...changed.map(([name, value]) => `--set ${quote(`${name}=${String(value)}`)}`),
  ];
  return options.length === 0 ? [] : ['--', ...options];
}

/** For a shell: bare where that is safe, in single quotes elsewhere. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
