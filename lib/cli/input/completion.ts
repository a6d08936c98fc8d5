import type { Command } from 'commander';
import { BENCHMARK_NAMES } from '../../benchmark/lookup';
import { type CliContext, UsageError } from '../context';

/** The words that can follow the words of a command. */
interface Followers {
  /** `lab up`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
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
    { path, words: [...own, ...names, ...options, { word: '--help', meaning: 'display help for command' }] },
    ...below.flatMap((one) => followersOf(one, `${path} ${one.name()}`.trim())),
  ];
}

/** Longest paths first end the search. Where nothing fits, the shell completes files. zsh takes it, too:
 * there a letter after a colon is a modifier, and `path` and `words` are its own. */
function bash(all: readonly Followers[]): string {
  const paths = all.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));
  const cases = all.map(({ path, words }) => `    '${path}') choices='${words.map(({ word }) => word).join(' ')}' ;;`);
  return `# bash completion of fsxbench
_fsxbench() {
  local word at='' choices='' current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${at:+$at }$word" in
    ${paths.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  while IFS='' read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$choices" -- "$current")
}
complete -o default -F _fsxbench fsxbench
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishScript(all: readonly Followers[]): string {
  const lines = all.flatMap(({ path, words }) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    return words.map(({ word, meaning }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c fsxbench -n ${quoted(condition)} ${what} -d ${quoted(meaning)}`;
    });
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
