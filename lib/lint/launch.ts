import { wholeNumber } from '../workload/common/lint/access';
import type { Launched, LauncherOptions, ShellCommand, ShellWord } from '../workload/common/lint/shell';
import { TOOLS } from '../workload/lookup';
import type { Tool, ToolLint } from '../workload/tool';
import starters from './starters.json';

interface LintedTool extends ToolLint {
  readonly id: string;
  /** Matches site-specific names as well: `IOR`, `ior-4.0.0`, `mdtest_3.3.0`, and scripts of that name: `io500.sh`. */
  readonly named: RegExp;
}

export const LINTED_TOOLS: readonly LintedTool[] = TOOLS.flatMap(({ id, lint }: Tool) =>
  lint === undefined ? [] : [{ ...lint, id, named: new RegExp(`^${id}(?:[-_]v?\\d+(?:\\.\\d+)*)?(?:\\.sh)?$`, 'i') }],
);

/** The option rules of a tool; `undefined` for an unknown program. */
export const lintedTool = (id: string | null): LintedTool | undefined => LINTED_TOOLS.find((tool) => tool.id === id);

/** Rules by which programs that start another read their own arguments. Lists are separated by spaces. */
interface Starter {
  readonly programs: string;
  /** Options that take the next word as their value. */
  readonly values?: string;
  /** Options that take the next two words. */
  readonly pairs?: string;
  /** Operands in front of the command: a host, a duration. @default 0 */
  readonly operands?: number;
  /** True if they take `NAME=value` in front of the command. @default false */
  readonly assigns?: boolean;
  /** True if a shell reads the last argument, which may be a whole command line. @default false */
  readonly line?: boolean;
}

/**
 * Options that take a value, by the program that starts another (manual pages of sudo 1.9, util-linux 2.38, coreutils 9.1, OpenSSH 9.2, pdsh 2.34,
 * ClusterShell 1.9, strace 6.1, systemd 252, GNU find 4.9, watch 4.0; Open MPI 4.1, MPICH 4.0 and Slurm 22.05).
 */
const STARTERS: ReadonlyMap<string, Starter> = new Map(
  starters.flatMap((starter: Starter) => starter.programs.split(' ').map((name) => [name, starter] as const)),
);

const LAUNCHERS = new Set(['mpirun', 'mpiexec', 'orterun', 'prterun', 'mpiexec.hydra', 'srun', 'aprun']);

const nameOf = (word: ShellWord): string => word.value.slice(word.value.lastIndexOf('/') + 1);

function toolOf(word: ShellWord): string | null {
  const name = nameOf(word);
  return LINTED_TOOLS.find(({ named }) => named.test(name))?.id ?? null;
}

/** The place of the command behind a program that starts it: its first operand that is not the program's own. */
function commandBehind(words: readonly ShellWord[], at: number): number {
  const { values = '', pairs = '', operands = 0, assigns = false } = STARTERS.get(nameOf(words[at] as ShellWord)) ?? {};
  const [one, two] = [values.split(' '), pairs.split(' ')];
  let own = operands;
  let next = at + 1;
  for (; next < words.length; next += 1) {
    const { value } = words[next] as ShellWord;
    if (value === '--') {
      if (own === 0) return next + 1;
    } else if (two.includes(value)) next += 2;
    else if (one.includes(value)) next += 1;
    else if (/^-./.test(value) || (assigns && /^\w+=/.test(value))) continue;
    else if (own > 0) own -= 1;
    else break;
  }
  return next;
}

/** True for programs such as ssh, which hand their last argument to a shell. */
export const takesLine = (word: ShellWord): boolean => STARTERS.get(nameOf(word))?.line === true;

/** Finds the program that a command really runs, through sudo, timeout, mpirun and similar launchers. */
export function unwrap(command: ShellCommand): Launched {
  const { words } = command;
  let at = 0;
  while (at < words.length && STARTERS.has(nameOf(words[at] as ShellWord))) at = commandBehind(words, at);
  const before = words.slice(0, at);
  // The path of a program may have spaces; a quoted command line is none.
  const quoted = before.some(takesLine) ? /\s/ : /^[^/]*\s/;
  const programWord = quoted.test(words[at]?.value ?? '') ? undefined : words[at];
  const launcherAt = before.findIndex((word) => LAUNCHERS.has(nameOf(word)));
  return {
    command,
    program: programWord === undefined ? '' : nameOf(programWord),
    programWord: programWord ?? (words[0] as ShellWord),
    tool: programWord === undefined ? null : toolOf(programWord),
    args: words.slice(at + 1),
    sudo: before.some((word) => ['sudo', 'doas'].includes(nameOf(word))),
    launcher: launcherAt < 0 ? null : readLauncher(before.slice(launcherAt)),
  };
}

function readLauncher(words: readonly ShellWord[]): LauncherOptions {
  const [word, ...options] = words as [ShellWord, ...ShellWord[]];
  const name = nameOf(word);
  const slurm = name === 'srun';
  const find = (names: readonly string[]): { value: string; word: ShellWord } | null => {
    for (const [index, option] of options.entries()) {
      const next = options[index + 1];
      if (names.includes(option.value) && next) return { value: next.value, word: next };
      const joined = names.find((each) => option.value.startsWith(each.startsWith('--') ? `${each}=` : each));
      const value = joined === undefined ? '' : option.value.slice(joined.length).replace(/^=/, '');
      if (joined !== undefined && (joined.startsWith('--') || /^\d+$/.test(value))) return { value, word: option };
    }
    return null;
  };
  const number = (found: { value: string } | null): number | null => wholeNumber(found?.value);
  const ranks = find(slurm ? ['-n', '--ntasks'] : ['-np', '--np', '-n', '--n', '-c']);
  const perNode = slurm
    ? find(['--ntasks-per-node', '--tasks-per-node'])
    : find(['-npernode', '--npernode', '-ppn', '--ppn', '-perhost', '-N']);
  const mapped = /^ppr:(\d+):node/.exec(find(['--map-by', '-map-by', '-mapby'])?.value ?? '');
  return {
    word,
    name,
    options,
    ranks: number(ranks),
    ranksWord: ranks?.word ?? null,
    perNode: number(perNode) ?? (mapped ? Number(mapped[1]) : null),
    perNodeWord: number(perNode) === null ? null : (perNode?.word ?? null),
    nodes: slurm ? number(find(['-N', '--nodes'])) : null,
    allowRoot: options.some(({ value }) => /^-?-allow-run-as-root$/.test(value)),
    oversubscribe: options.some(({ value }) => /^-?-oversubscribe$|:oversubscribe$/i.test(value)),
  };
}

/** Processes that a batch script asks Slurm for, which mpirun and srun start where their own options name none; `null` if it does not say. */
function ranksOfScript(source: string): number | null {
  const options = [...source.matchAll(/^#SBATCH\s+(.+)$/gm)].map(([, text = '']) => text).join(' ');
  const askedFor = (names: string): number | null =>
    wholeNumber(new RegExp(`(?:^|\\s)(?:${names})(?:=|\\s*)(\\d+)(?=\\s|$)`).exec(options)?.[1]);
  const ranks = askedFor('--ntasks|-n');
  if (ranks !== null) return ranks;
  const [nodes, perNode] = [askedFor('--nodes|-N'), askedFor('--ntasks-per-node|--tasks-per-node')];
  return nodes === null || perNode === null ? null : nodes * perNode;
}

/** Total number of processes, from the first source that has it; `null` if none does. */
export function ranksOf(launched: Launched, clients: number | undefined): number | null {
  const { launcher } = launched;
  if (launcher === null) return 1;
  if (launcher.ranks !== null) return launcher.ranks;
  const nodes = launcher.nodes ?? clients ?? null;
  if (launcher.perNode !== null && nodes !== null) return launcher.perNode * nodes;
  // A variable is not known; without an option the script decides.
  return launcher.ranksWord === null && launcher.perNode === null ? ranksOfScript(launched.command.source) : null;
}
