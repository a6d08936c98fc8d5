import type { Launched, LauncherOptions } from '../workload/common/lint/launched';
import type { ShellCommand, ShellWord } from '../workload/common/lint/shell';
import { wholeNumber } from '../workload/common/lint/size';
import { LINTED_TOOLS } from './tools';

const LAUNCHERS = new Set(['mpirun', 'mpiexec', 'orterun', 'prterun', 'mpiexec.hydra', 'srun', 'aprun']);
const WRAPPERS = new Set([
  ...['sudo', 'env', 'time', 'nohup', 'exec', 'command', 'timeout', 'numactl', 'taskset', 'stdbuf', 'nice', 'ionice'],
  ...['setsid', 'strace', 'chrt', 'systemd-run', 'runuser', 'doas', 'ssh', 'pdsh', 'clush', 'xargs', 'watch', 'su'],
]);

const nameOf = (word: ShellWord): string => word.value.slice(word.value.lastIndexOf('/') + 1);

function toolOf(word: ShellWord): string | null {
  const name = nameOf(word);
  return LINTED_TOOLS.find(({ named }) => named.test(name))?.id ?? null;
}

/** Finds the program that a command really runs, through sudo, timeout, mpirun and similar launchers. */
export function unwrap(command: ShellCommand): Launched {
  const words = command.words;
  const first = words[0] as ShellWord;
  const wrapped = LAUNCHERS.has(nameOf(first)) || WRAPPERS.has(nameOf(first));
  // Launchers differ in which options take a value; the first known program ends the options.
  const known = wrapped ? words.findIndex((word, index) => index > 0 && toolOf(word) !== null) : 0;
  const at = Math.max(known, 0);
  const before = words.slice(0, known < 0 ? words.length : at);
  const programWord = words[at] as ShellWord;
  const launcherAt = before.findIndex((word) => LAUNCHERS.has(nameOf(word)));
  return {
    command,
    program: known < 0 ? '' : nameOf(programWord),
    programWord,
    tool: known < 0 ? null : toolOf(programWord),
    args: known < 0 ? [] : words.slice(at + 1),
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
    ? find(['--ntasks-per-node'])
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

/** Total number of processes, from the first source that has it; `null` if none does. */
export function ranksOf(launched: Launched, clients: number | undefined): number | null {
  const { launcher } = launched;
  if (launcher === null) return 1;
  if (launcher.ranks !== null) return launcher.ranks;
  const nodes = launcher.nodes ?? clients ?? null;
  return launcher.perNode === null || nodes === null ? null : launcher.perNode * nodes;
}
