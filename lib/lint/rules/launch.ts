import { edited, type LintRule, rule } from '../../workload/common/lint/rule';
import { quote, type ShellWord } from '../../workload/common/lint/shell';

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
      suggestion: edited(subject.command, [{ replace: word, by: '10.0.0.0/16' }]).replace(
        '10.0.0.0/16',
        quote('10.0.0.0/16'),
      ),
    };
  }),
];
