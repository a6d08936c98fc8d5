import type { Command } from 'commander';
import { judging } from '../../benchmark/common/parameters';
import { BENCHMARK_NAMES } from '../../benchmark/lookup';
import { PLAN_SCALES } from '../../benchmark/plan';
import { BENCHMARKS } from '../../benchmark/registry';
import { REGIONS } from '../../common/aws/regions';
import { plansOf } from '../../plan/plan';
import { type CliContext, UsageError } from '../context';
import { STORAGE_COMMANDS } from '../storages';
import { PREDICTED_KINDS } from './configurationOptions';
import { ADVISED_KINDS } from './requirement';

/** The words that can follow the words of a command. */
interface Followers {
  /** `lab up`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
  /** Values of options, by the option. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** True if the id of a run can follow. */
  readonly takesRun: boolean;
}

/** Commands that take the id of a run, and options that do. */
const TAKES_RUN: readonly string[] = ['watch', 'collect', 'report', 'dashboard', 'compare'];
const RUN_OPTIONS: readonly string[] = ['--resume', '--run'];

/** The ids of the runs in the folder of results that commands read by default. */
const RUNS = "find results/runs -mindepth 2 -maxdepth 2 -type d 2>/dev/null | sed 's/.*\\///'";

const plans = BENCHMARKS.flatMap((benchmark) => plansOf(benchmark));
const parameters = plans.flatMap((plan) => Object.keys({ ...plan.parameters.shape, ...judging }));

/** Values of options that several commands share, each once; others are those of a storage's configuration. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--plan': [...new Set(plans.map(({ name }) => name))],
  '--scale': PLAN_SCALES,
  '--set': [...new Set(parameters)].map((name) => `${name}=`),
  '--storage': ADVISED_KINDS,
  '--region': REGIONS,
};

const PREDICTED: Readonly<Record<string, readonly string[]>> = {
  '--storage': PREDICTED_KINDS,
  '--region': REGIONS,
  '--mode': ['write', 'read'],
  ...Object.fromEntries(
    STORAGE_COMMANDS.flatMap(({ configuration }) =>
      (configuration?.options ?? []).flatMap(([flags, , values]) =>
        values === undefined ? [] : [[flags.split(' ')[0] as string, values]],
      ),
    ),
  ),
};

/** The values of a command's options. The settings of `predict --set`, and the divisor of the lab, are other ones. */
function valuesOf(path: string, options: readonly string[]): Followers['values'] {
  const known = path === 'predict' ? PREDICTED : path.startsWith('lab') ? { '--benchmark': BENCHMARK_NAMES } : VALUES;
  return Object.fromEntries(Object.entries(known).filter(([option]) => options.includes(option)));
}

/** Commands that take the name of a benchmark first. */
const TAKES_BENCHMARK: readonly string[] = ['benchmarks', 'plan', 'cost', 'run'];

/** Every command of a program, with what can follow it. */
function followersOf(command: Command, path = ''): Followers[] {
  const below = command.commands.filter((one) => !('_hidden' in one && one._hidden));
  const own = below.map((one) => ({ word: one.name(), meaning: one.description() }));
  const options = command.options
    .filter(({ hidden, long }) => !hidden && long !== undefined)
    .map(({ long, description }) => ({ word: long as string, meaning: description }));
  const names = TAKES_BENCHMARK.includes(path) ? BENCHMARK_NAMES.map((word) => ({ word, meaning: 'benchmark' })) : [];
  return [
    {
      path,
      words: [...own, ...names, ...options, { word: '--help', meaning: 'display help for command' }],
      values: valuesOf(
        path,
        options.map(({ word }) => word),
      ),
      takesRun: TAKES_RUN.includes(path),
    },
    ...below.flatMap((one) => followersOf(one, `${path} ${one.name()}`.trim())),
  ];
}

/** Longest paths first end the search. Where nothing fits, the shell completes files. zsh takes it, too:
 * there a letter after a colon is a modifier, and `path` and `words` are its own. */
function bash(all: readonly Followers[]): string {
  const paths = all.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));
  const cases = all.map(({ path, words }) => `    '${path}') choices='${words.map(({ word }) => word).join(' ')}' ;;`);
  const takers = all.filter(({ takesRun }) => takesRun).map(({ path }) => `'${path}'`);
  const valued = all.flatMap(({ path, values }) =>
    Object.entries(values).map(([option, words]) => `    '${path} ${option}') choices='${words.join(' ')}' ;;`),
  );
  return `# bash completion of fsxbench
_fsxbench() {
  local word at='' choices='' runs='' current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[$((COMP_CWORD - 1))]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${at:+$at }$word" in
    ${paths.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at" in
    ${takers.join('|')}) runs=yes ;;
  esac
  case "$at $before" in
${valued.join('\n')}
  esac
  case "$before" in
    ${RUN_OPTIONS.join('|')}) choices='' runs=yes ;;
  esac
  if [[ -n "$runs" ]]; then choices="$choices $(${RUNS})"; fi
  COMPREPLY=()
  while IFS='' read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$choices" -- "$current")
}
complete -o default -F _fsxbench fsxbench
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishScript(all: readonly Followers[]): string {
  const lines = all.flatMap(({ path, words, values, takesRun }) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    const begin = `complete -c fsxbench -n ${quoted(condition)}`;
    const runs = `-a ${quoted(`(${RUNS})`)}`;
    const follows = words.map(({ word, meaning }) => {
      const allowed = values[word]?.join(' ');
      const value =
        allowed === undefined ? (RUN_OPTIONS.includes(word) ? ` -x ${runs}` : '') : ` -x -a ${quoted(allowed)}`;
      const what = word.startsWith('--') ? `-l ${word.slice(2)}${value}` : `-a ${word}`;
      return `${begin} ${what} -d ${quoted(meaning)}`;
    });
    return takesRun ? [...follows, `${begin} ${runs} -d run`] : follows;
  });
  return `# fish completion of fsxbench\n${lines.join('\n')}\n`;
}

const SHELLS: Readonly<Record<string, (all: readonly Followers[]) => string>> = {
  bash,
  // zsh takes bash's by itself (zshcompsys(1), bashcompinit).
  zsh: (all) => `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(all)}`,
  fish: fishScript,
};

/** `fsxbench completion SHELL`: prints what the shell has to read. */
export function completionCommand(context: CliContext, program: Command, shell: string): void {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined)
    throw new UsageError(`'shell' must be one of ${Object.keys(SHELLS).join(', ')}, got '${shell}'`);
  context.out(script(followersOf(program)));
}
