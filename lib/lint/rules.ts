import type { Access } from '../workload/common/lint/access';
import { edited, type LintedLine, type LintFinding, type LintRule, rule } from '../workload/common/lint/rule';
import type { Launched, ShellWord } from '../workload/common/lint/shell';
import { lintedTool } from './launch';
import { MAX_LENGTH } from './shell';

type LineRule = (line: LintedLine) => LintFinding | readonly LintFinding[];

/** Turns Bash's messages about missing ends into findings. */
const syntax: LineRule = ({ script }) =>
  [...new Set(script.errors)].slice(0, 3).map((message) => {
    const lacksDone = /expected|unclosed|missing|unterminated/i.test(message) && /\bdone\b/.test(message);
    return {
      id: lacksDone ? 'shell-missing-done' : 'shell-syntax',
      severity: 'error',
      message: lacksDone
        ? "A loop lacks its 'done': the shell waits for more input and runs nothing."
        : `The shell would reject the line: ${message}.`,
      suggestion: lacksDone ? `${script.source.trimEnd()}${/[;&]\s*$/.test(script.source) ? ' ' : '; '}done` : null,
    };
  });

const tooLong: LineRule = ({ script }) =>
  script.source.length > MAX_LENGTH
    ? {
        id: 'command-too-long',
        severity: 'error',
        message: `Only command lines up to ${MAX_LENGTH.toLocaleString('en')} characters are checked.`,
        suggestion: 'lint the commands separately',
      }
    : [];

/** A path that a command creates or uses, and the word that contains it. */
interface Path extends Omit<Access, 'writes'> {
  readonly isDirectory: boolean;
}

const JOINED = /^(--(?:directory|filename)=|of=|if=|-[do])(\/.*)$/s;
const PLACE = /^(?:cd|--(?:directory|filename)=?|of=|if=|-[do])$/;

const clean = (path: string): string => path.replace(/\/+$/, '');

function pathsMade(launched: Launched): Path[] {
  const makes =
    launched.program === 'mkdir' ||
    (launched.program === 'lfs' && /^(setstripe|setdirstripe|mkdir)$/.test(launched.args[0]?.value ?? ''));
  return makes
    ? launched.args
        .filter(({ value }) => value.includes('/') && !value.startsWith('-'))
        .map((word) => ({ launched, word, prefix: '', path: clean(word.value), isDirectory: true }))
    : [];
}

function pathsUsed(launched: Launched): Path[] {
  return launched.args.flatMap((word, index) => {
    const [, prefix = '', path = word.value] = JOINED.exec(word.value) ?? [];
    const before = launched.program === 'cd' ? 'cd' : (launched.args[index - 1]?.value ?? '');
    const option = prefix === '' ? before : prefix;
    if (!path.startsWith('/') || !PLACE.test(option)) return [];
    return [{ launched, word, prefix, path: clean(path), isDirectory: /^(?:cd|-d|--directory)/.test(option) }];
  });
}

const under = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const pathsDifferInCase: LineRule = ({ commands }) => {
  const made = commands.flatMap(pathsMade);
  return commands.flatMap(pathsUsed).flatMap(({ launched, word, prefix, path }): LintFinding | [] => {
    if (made.some((other) => under(path, other.path))) return [];
    const duplicate = made.find((other) => under(path.toLowerCase(), other.path.toLowerCase()));
    if (!duplicate) return [];
    const right = `${prefix}${duplicate.path}${path.slice(duplicate.path.length)}`;
    return {
      id: 'path-differs-in-case',
      severity: 'error',
      message: `'${duplicate.path}' is created, but '${path.slice(0, duplicate.path.length)}' is used: a different directory, without the settings of the first.`,
      suggestion: edited(launched.command, [{ replace: word, by: right }]),
    };
  });
};

const parent = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** A directory is created or striped, but a tool works in a sibling directory. */
const pathNotTheOneMade: LineRule = ({ script, commands }) => {
  const made = commands.flatMap(pathsMade);
  const used = commands
    .filter(({ tool }) => tool !== null)
    .flatMap(pathsUsed)
    .filter(({ prefix }) => prefix !== 'if=');
  const isUnused = ({ path }: Path): boolean =>
    script.source.split(path).filter((after, index) => index > 0 && !/^[\w.-]/.test(after)).length < 2;
  const idle = made.filter(isUnused);
  return used.flatMap(({ launched, word, prefix, path, isDirectory }): LintFinding | [] => {
    if (made.some((other) => under(path, other.path) || under(other.path, path))) return [];
    const duplicate = idle.find((other) => parent(other.path) !== '' && path.startsWith(`${parent(other.path)}/`));
    if (duplicate === undefined || under(path.toLowerCase(), duplicate.path.toLowerCase())) return [];
    const rest = path.slice(parent(duplicate.path).length + 1);
    const below = rest.includes('/') ? rest.slice(rest.indexOf('/')) : '';
    const inside = below === '' && !isDirectory ? `/${rest}` : below;
    return {
      id: 'path-not-the-one-made',
      severity: 'warning',
      message: `'${duplicate.path}' is created but not used; '${path}' is used, without the settings of the first.`,
      suggestion: edited(launched.command, [{ replace: word, by: `${prefix}${duplicate.path}${inside}` }]),
    };
  });
};

/** `head -c N </dev/urandom >FILE`, `cat /dev/zero >FILE`: equivalents of dd. */
const redirectedSources: LineRule = ({ commands, context }) =>
  commands.flatMap(({ command, program, args }): LintFinding | [] => {
    if (!['head', 'cat', 'tee', 'cp'].includes(program)) return [];
    const input = [
      ...command.redirections.flatMap(({ operator, target }) => (operator === '<' ? [target] : [])),
      ...args.map(({ value }) => value),
    ];
    const output = [
      ...command.redirections.flatMap(({ operator, target }) => (/^>/.test(operator) ? [target] : [])),
      ...(program === 'cp' || program === 'tee' ? args.slice(-1).map(({ value }) => value) : []),
    ];
    if (!output.some((path) => !path.startsWith('/dev/') && !path.startsWith('&'))) return [];
    const zero = input.includes('/dev/zero') && context.compresses !== false;
    if (!zero && !input.some((path) => /^\/dev\/u?random$/.test(path))) return [];
    return {
      id: zero ? 'zeros-compress-away' : 'random-source-cpu-bound',
      severity: 'error',
      message: zero
        ? 'On a compressing file system zeros use neither space nor disk I/O: the result says nothing about real data.'
        : 'The kernel generates random bytes at a few hundred MB/s per CPU: this measures the random number generator, not the storage.',
      suggestion:
        'generate the data once, outside the measured time, or use fio: fio --name=files --directory=DIR --nrfiles=N --filesize=SIZE --rw=write --refill_buffers --end_fsync=1',
    };
  });

export const LINE_RULES: readonly LineRule[] = [
  tooLong,
  syntax,
  pathsDifferInCase,
  pathNotTheOneMade,
  readsWhatWasNotWritten,
  redirectedSources,
];

/** A line writes data and then reads other data, of unknown age, size and placement. */
function readsWhatWasNotWritten({ commands }: LintedLine): LintFinding[] {
  const accesses = commands.flatMap((launched) => lintedTool(launched.tool)?.access?.(launched) ?? []);
  return accesses.flatMap((reading, index): LintFinding | [] => {
    if (reading.writes) return [];
    const written = accesses
      .slice(0, index)
      .filter(({ writes, launched }) => writes && launched.tool === reading.launched.tool);
    const last = written.at(-1);
    if (last === undefined || written.some(({ path }) => path === reading.path)) return [];
    return {
      id: 'read-path-not-written',
      severity: 'warning',
      message: `'${last.path}' is written but '${reading.path}' is read: other data, of unknown size, age and striping.`,
      suggestion: edited(reading.launched.command, [{ replace: reading.word, by: `${reading.prefix}${last.path}` }]),
    };
  });
}

/** Dashes that text processors and pages put in the place of one or two hyphens. */
const DASH = /^[\u2010-\u2015\u2212]+/;

const replaceNumber = (text: string, value: number): string => text.replace(/\d+$/, String(value));

/** Rules on how processes are started, for every tool. */
export const LAUNCH_RULES: readonly LintRule[] = [
  rule('typographic-dash', 'error', (subject) => {
    const wrong = subject.args.filter(({ value }) => DASH.test(value));
    if (wrong.length === 0) return null;
    const right = ({ value }: ShellWord): string => value.replace(DASH, /^.[a-z]{4}/.test(value) ? '--' : '-');
    return {
      message: `${wrong.map(({ value }) => value).join(', ')}: a dash of a text processor is not a hyphen, so ${subject.program} does not take it for an option.`,
      suggestion: edited(
        subject.command,
        wrong.map((word) => ({ replace: word, by: right(word) })),
      ),
    };
  }),

  rule('mpirun-as-root', 'error', (subject) => {
    const { launcher, sudo } = subject;
    if (launcher === null || launcher.name === 'srun' || !(sudo || launcher.allowRoot)) return null;
    const flag = launcher.options.find(({ value }) => /^-?-allow-run-as-root$/.test(value));
    const first = subject.command.words[0];
    const isSudo = sudo && first?.value === 'sudo' && subject.command.words[1] === launcher.word;
    const remove = [...(isSudo ? [first] : []), ...(flag ? [flag] : [])];
    const suggestion = remove.length > 0 ? edited(subject.command, [{ remove }]) : 'run it as an unprivileged user';
    if (launcher.allowRoot) {
      const message = 'MPI as root: a bug in a test can remove or overwrite anything, on all nodes.';
      return { severity: 'warning', message, suggestion };
    }
    return { message: `${launcher.name} refuses to run as root (exit status 1).`, suggestion };
  }),

  rule('oversubscribed', 'warning', (subject) => {
    const { launcher, ranks, context } = subject;
    if (launcher === null) return null;
    const nodes = launcher.nodes ?? context.clients;
    const perClient = launcher.perNode ?? (ranks !== null && nodes !== undefined ? Math.ceil(ranks / nodes) : null);
    const effect = 'processes wait for each other at barriers, and their start and end times spread';
    if (context.cpus === undefined || perClient === null)
      return (
        launcher.oversubscribe && {
          severity: 'note',
          message: `--oversubscribe allows more processes than CPUs: ${effect}.`,
          suggestion: null,
        }
      );
    if (perClient <= context.cpus) return null;
    const inAll = launcher.ranksWord !== null && nodes !== undefined;
    const word = inAll ? launcher.ranksWord : launcher.perNodeWord;
    const max = inAll ? context.cpus * nodes : context.cpus;
    return {
      message: `${perClient} processes on each client of ${context.cpus} CPUs: ${effect}.`,
      suggestion: word && edited(subject.command, [{ replace: word, by: replaceNumber(word.value, max) }]),
    };
  }),

  rule('mpi-interface-by-name', 'note', (subject) => {
    const options = subject.launcher?.options ?? [];
    const at = options.findIndex(({ value }) => value === 'btl_tcp_if_include');
    const word = options[at + 1];
    if (at < 0 || !word || !/^(eth|ens|enp)\d/.test(word.value)) return null;
    return {
      message: `'${word.value}' is the interface's name on some images only; the network's address range works on all.`,
      suggestion: edited(subject.command, [{ replace: word, by: '10.0.0.0/16' }]),
    };
  }),
];
