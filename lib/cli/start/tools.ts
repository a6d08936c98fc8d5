import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { PlanDefinition } from '../../benchmark/plan';
import { listed } from '../../common/format/text';
import { execute, failureOf } from '../../run/clients/process';
import { BUILD, isBuilt } from '../../run/clients/tools';
import { workloadNamed } from '../../workload/lookup';
import { BUILT } from '../../workload/registry';
import type { Workload } from '../../workload/workload';
import { type CliContext, Unsuccessful, UsageError } from '../context';
import { abortable } from '../input/interrupt';
import { type RunOptions, writableDirectory } from './arguments';

const run = promisify(execFile);

/** Letters of names of modules, which are paths of files below a folder of them. */
const MODULE = /^[A-Za-z0-9][A-Za-z0-9._+@=/-]{0,199}$/;
/** Module files may ask a license server, and shared directories be slow. */
const LOAD_MS = 120_000;
/** Both list what they have, each within twenty seconds. */
const LIST_MS = 60_000;
/** A build takes about two minutes, ten on a busy machine; before it, each source has two download attempts of two minutes. */
const BUILD_SECONDS = 1_800;

const script = ({ root }: CliContext, name: string): string => join(root, 'assets/client/bin', name);

const errorsIn = (text: string): string =>
  [...text.matchAll(/^\S+ \S+: error: (.*)$/gm)].map(([, error]) => error).join('\n');

const lastWords = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Puts a run's programs on the PATH: from environment modules, and built in a shared directory. @returns the options, with set variables */
export async function withTools(context: CliContext, options: RunOptions): Promise<RunOptions> {
  const { module: modules = [], shared, buildTools = false } = options;
  if (buildTools && shared === undefined)
    throw new UsageError(
      `--build-tools puts ${listed(BUILT.map(({ label }) => label))} into a directory that all nodes have: name it with --shared`,
    );
  const loaded = await loadModules(context, modules);
  if (shared !== undefined) await takeShared(context, writableDirectory('--shared', shared), buildTools);
  if (modules.length === 0 && shared === undefined) return options;
  return { ...options, loaded, session: { path: context.environment.PATH ?? '', modules: [...modules] } };
}

/** Loads environment modules into this process. @returns the variables that they set */
export async function loadModules(context: CliContext, modules: readonly string[]) {
  const wrong = modules.find((name) => !MODULE.test(name));
  if (wrong !== undefined)
    throw new UsageError(
      `'--module' must be the name of an environment module, such as openmpi/4.1.6, got ${JSON.stringify(wrong)}: module avail lists them`,
    );
  if (modules.length === 0) return {};
  const { environment } = context;
  const argv = [script(context, 'with-modules'), ...modules, '--', 'env', '-0'];
  const { stdout } = await run('bash', argv, { env: environment, timeout: LOAD_MS, maxBuffer: 2 ** 26 }).catch(
    ({ stderr, message }: Error & { stderr?: string }) => {
      throw new UsageError(`--module: ${lastWords(stderr ?? '') || message}; module avail lists what there is`);
    },
  );
  const after = new Map(
    stdout.split('\0').flatMap((line): [string, string][] => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(line) ?? [];
      return name === undefined || value === undefined || OF_SHELLS.has(name) ? [] : [[name, value]];
    }),
  );
  const changed = [...after].filter(([name, value]) => environment[name] !== value);
  for (const name of Object.keys(environment))
    if (!after.has(name) && /^[A-Za-z_]\w*$/.test(name) && !OF_SHELLS.has(name)) delete environment[name];
  Object.assign(environment, Object.fromEntries(changed));
  // Not what the command `module` itself keeps; PATH goes another way. Others would read a secret on the command lines of ssh and mpirun.
  const isHandedOn = ([name, value]: [string, string]): boolean =>
    !/^(_|PATH$)/.test(name) && !SECRET.test(name) && !/\p{Cc}/u.test(value);
  return Object.fromEntries(changed.filter(isHandedOn));
}

/** Names of variables that hold what nobody else should read. */
const SECRET = /TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|PRIVATE/i;

const OF_SHELLS = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD']);

/** Puts the tools of a shared directory first on the PATH, and builds them there before if that is asked for. */
async function takeShared(context: CliContext, shared: string, builds: boolean): Promise<void> {
  const { environment } = context;
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-build-'));
  try {
    const outputFile = join(folder, 'output');
    const argv = ['bash', script(context, 'build-tools'), ...(builds ? [] : ['--found']), shared];
    if (builds)
      context.err(
        `${listed(BUILT.map(({ label }) => label))} are looked for in ${shared}, or built there in some minutes\n`,
      );
    const all = Object.fromEntries(Object.entries(environment).map(([name, value = '']) => [name, value]));
    const command = { argv, outputFile, timeoutSeconds: BUILD_SECONDS, environment: all };
    const outcome = await abortable(async (signal) => {
      const ended = await execute(command, signal);
      if (signal.aborted) throw new Unsuccessful('interrupted: nothing was built');
      return ended;
    });
    const printed = readFileSync(outputFile, 'utf8');
    if (outcome.exitStatus === 0) environment.PATH = withFirst(join(lastWords(printed), 'bin'), environment);
    else if (builds || outcome.exitStatus !== NONE_BUILT)
      throw new Unsuccessful(`${builds ? '--build-tools' : '--shared'}: ${errorsIn(printed) || failureOf(outcome)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const withFirst = (folder: string, { PATH = '' }: NodeJS.ProcessEnv): string =>
  [folder, ...PATH.split(delimiter).filter((path) => path !== folder)].join(delimiter);

const NONE_BUILT = 4;

/** Ways to get tools that are not on the PATH: modules and Spack packages that have them, and a build; or `null`. */
export async function installHint(context: CliContext, tools: readonly string[]): Promise<string | null> {
  if (tools.length === 0) return null;
  const limits = { env: context.environment, timeout: LIST_MS, maxBuffer: 2 ** 26 };
  const asked = run('bash', [script(context, 'list-offers'), ...tools], limits);
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  const offers = stdout.split('\n').map((line) => line.split('\t'));
  const named = (kind: string): string[] => offers.flatMap(([of, name]) => (of === kind ? (name ?? []) : []));
  const [modules, packages] = [named('module'), named('spack')];
  const built = tools.filter(isBuilt).map((tool) => workloadNamed(tool).label);
  const words = [
    ...(modules.length > 0 ? [`Environment modules here have ${modules.join(', ')}: add --module NAME`] : []),
    ...(packages.length > 0
      ? [`Spack here has ${packages.join(', ')}: spack load it in the shell that starts the run`]
      : []),
    ...(built.length > 0 ? [`${listed(built)} can be built: ${BUILD}`] : []),
  ];
  return words.length === 0 ? null : `${words.join('. ')}.`;
}

type Tools = Readonly<Record<string, string>>;

/** Parameters for the plan's preferred tool, or one that can replace it. @param usual the plan to suggest otherwise @throws UsageError if none is installed */
export function toolSettings(tools: Tools, plan: Pick<PlanDefinition, 'name' | 'tools'>, usual: string): string[] {
  if (plan.tools === undefined) return [];
  const { preferred, substitutes } = plan.tools;
  if (isUsable(preferred, tools)) return releaseSetting(preferred, tools);
  if (substitutes.length === 0) {
    const { id, label, version } = preferred;
    const found = tools[id] === undefined ? `no ${label}` : `${label} ${tools[id]}`;
    const wanted = [label, version?.release?.versions.join(' or ')].filter((part) => part !== undefined).join(' ');
    throw new UsageError(`the ${plan.name} plan needs ${wanted} and mpirun, found ${found}: use --plan ${usual}`);
  }
  const other = substitutes.find((workload) => isUsable(workload, tools));
  if (other === undefined) {
    const known = substitutes.flatMap(({ label, installed }) => (installed ? [label] : []));
    const wanted = preferred.launch.by === 'mpi' ? `${preferred.label} with mpirun` : preferred.label;
    throw new UsageError(
      known.length === 0
        ? `${wanted} is not installed: install it (npx fsxbench doctor says how)`
        : `neither ${[wanted, ...known].join(' nor ')} is installed: install ${substitutes[0]?.label} (npx fsxbench doctor says how)`,
    );
  }
  return [`tool=${other.id}`, ...releaseSetting(other, tools), ...(plan.tools.settings?.(other) ?? [])];
}

/** Why a plan uses another tool than it prefers, in a sentence; `null` if it does not, or if `set` chooses the tool. */
export function otherTool(
  installed: Tools,
  { tools }: Pick<PlanDefinition, 'tools'>,
  set: readonly string[],
): string | null {
  const other = tools?.substitutes.find((workload) => isUsable(workload, installed));
  if (tools === undefined || other === undefined || set.some((text) => text.startsWith('tool='))) return null;
  const { id, label, launch, version: asked } = tools.preferred;
  const { release } = asked ?? {};
  const version = installed[id];
  if (version === undefined) return `using ${other.label} in place of ${label}, which is not installed`;
  if (launch.by === 'mpi' && installed.openmpi === undefined)
    return `using ${other.label} in place of ${label} ${version}, since mpirun is not installed`;
  if (release === undefined || release.versions.includes(version)) return null;
  return `using ${other.label} in place of ${label} ${version}: plans support ${listed(release.versions)} only`;
}

/** Tools that a machine lacks for what a plan prefers, or for anything that it can use; none if `set` chooses the tool. */
export function missingTools(installed: Tools, { tools }: Pick<PlanDefinition, 'tools'>, set: readonly string[]) {
  if (tools === undefined || set.some((text) => text.startsWith('tool='))) return [];
  const { preferred, substitutes } = tools;
  const some = [preferred, ...substitutes].some((tool) => isUsable(tool, installed));
  const wanted = (some ? [preferred] : [preferred, ...substitutes]).flatMap(({ id, launch }) =>
    launch.by === 'mpi' ? [id, 'openmpi'] : [id],
  );
  return [...new Set(wanted)].filter((tool) => installed[tool] === undefined);
}

/** True if a tool is installed, in a supported release, with its launcher. */
function isUsable({ id, launch, version }: Workload, tools: Tools): boolean {
  const found = tools[id];
  if (found === undefined || (launch.by === 'mpi' && tools.openmpi === undefined)) return false;
  return version?.release === undefined || version.release.versions.includes(found);
}

const releaseSetting = ({ id, version }: Workload, tools: Tools): string[] =>
  version?.release === undefined ? [] : [`${version.release.parameter}=${tools[id]}`];
