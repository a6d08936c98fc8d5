import { type AddHelpTextContext, Command, CommanderError, Help, Option } from 'commander';
import { explain } from '../common/aws/explain';
import { printable, singleLine } from '../common/format/text';
import { versionIn } from '../run/release';
import { type CliContext, EXIT_STATUSES, type ExitStatus, Unsuccessful, UsageError } from './context';
import { declareLab, declarePlanning, declareRuns, declareStacks } from './declared';
import { addExamples } from './render/help';
import { progressLog } from './render/progressLog';
import { declareScale } from './scale';

/** More than the silence that a command breaks itself, with better words. */
const SILENCE_SECONDS = 8.5;

/** A context that breaks long silences on stderr with the name of the command, until `stop`. Work that blocks the process stays silent. */
function breakSilence(world: CliContext, name: string): { readonly context: CliContext; readonly stop: () => void } {
  const write = (line: string): void => world.err(`${line}\n`);
  const { heard, stop } = progressLog(write, SILENCE_SECONDS, `${name}: still running`);
  const listening = (print: (text: string) => void) => (text: string) => {
    heard();
    print(text);
  };
  return { context: { ...world, out: listening(world.out), err: listening(world.err), unwatched: stop }, stop };
}

/** The command line. Each command loads its modules when it is called: `--help` and `parse` start quickly. */
export function makeProgram(context: CliContext): Command {
  const program = new Command('fsxbench')
    .description('Finds the Amazon FSx for Lustre configuration that a workload needs, and measures it.')
    .version(versionIn(context.root), '-V, --version', 'print the version')
    .addHelpText('after', helpAfter())
    .addHelpText('beforeAll', refuseUnknown)
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err })
    .configureHelp({ optionDescription: descriptionOf })
    .showSuggestionAfterError();

  declarePlanning(program, context);
  declareRuns(program, context);
  declareStacks(program, context);
  declareScale(program, context);
  declareLab(program, context);
  addExamples(program);
  pointToHelp(program);
  return program;
}

/** Commander's, without the empty list with which a repeatable option begins. */
const descriptionOf = (option: Option): string =>
  new Help().optionDescription(
    Array.isArray(option.defaultValue) ? new Option(option.flags, option.description) : option,
  );

/** Commander would answer `no-such --help` with the help of what is above it, and with success. @throws CommanderError */
function refuseUnknown({ command, error }: AddHelpTextContext): string {
  const [word = '-'] = command.args;
  if (!error && command.commands.length > 0 && !/^(-|help$)/.test(word)) command.error(`unknown command '${word}'`);
  return '';
}

/** Commands for a first look, at the end of --help; all work without AWS. */
export const EXAMPLES = [
  'npx fsxbench benchmarks',
  'npx fsxbench estimate compression /data',
  'npx fsxbench plan CompressionBench --scale smoke',
  'npx fsxbench run CompressionBench --local none=/mnt/a lz4=/mnt/b',
] as const;

const helpAfter = (): string =>
  [
    '',
    'Examples:',
    ...EXAMPLES.map((line) => `  ${line}`),
    '',
    'Exit status:',
    ...EXIT_STATUSES.map(({ status, meaning }) => `  ${status}  ${meaning}`),
    '',
    'fsxbench COMMAND --help has the options of a command; README.md and docs/ in the project explain the rest.',
  ].join('\n');

/** A context that makes control characters in foreign text harmless to the terminal. */
const withPrintable = (context: CliContext): CliContext => ({
  ...context,
  out: (text) => context.out(printable(text)),
  raw: (text) => context.out(text),
  err: (text) => context.err(printable(text)),
  redraw: (line) => context.err(`\r\u001b[K${printable(line)}`),
});

export async function runProgram(world: CliContext, argv: readonly string[]): Promise<ExitStatus> {
  const { context: watched, stop } = breakSilence(world, nameOf(argv));
  const context = withPrintable(watched);
  try {
    await makeProgram(context).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Unsuccessful) {
      if (error.message !== '') context.err(asError(error.message));
      return error.status;
    }
    context.err(asError(explain(error)));
    if (context.environment.FSXBENCH_DEBUG && error instanceof Error) context.err(`${error.stack}\n`);
    return error instanceof UsageError ? 2 : 1;
  } finally {
    stop();
  }
}

/** An error's lines, of which none but the first begins at the margin: what they quote is nobody's verdict. */
const asError = (message: string): string => `fsxbench: ${message.replaceAll('\n', '\n  ')}\n`;

const nameOf = ([command = '', below = '']: readonly string[]): string =>
  [command, below].filter((word) => /^[a-z][a-z-]*$/.test(word)).join(' ');

/** The refusal of arguments that a command does not have; a benchmark may be meant for `plan`. */
function tooMany({ args, registeredArguments }: Command): string {
  const extra = args.slice(registeredArguments.length);
  const benchmark = extra.find((word) => /^[A-Z][a-z]+Bench$/.test(word));
  const next = benchmark === undefined ? '' : `: for a benchmark, use npx fsxbench plan ${benchmark}`;
  return `unexpected argument '${extra.join(' ')}'${next}`;
}

/** Commander's line with the next step: on what is missing, what to give in its place. */
function withNext(command: Command, line: string): string {
  if (line.startsWith('too many arguments')) return tooMany(command);
  if (line.startsWith("unknown option '--region'")) return "unknown option '--region': set AWS_REGION instead";
  if (!/^missing required argument '|^required option '/.test(line)) return line;
  const missing =
    command.registeredArguments.find((each) => line.includes(`argument '${each.name()}'`)) ??
    command.options.find(({ flags }) => line.includes(`option '${flags}'`));
  return `${line}: ${missing?.description}`;
}

/** Commander's usage error as one line, like all other errors, with the command's own --help. */
function pointToHelp(command: Command, name: string = command.name()): void {
  const below = command.commands.map((each) => each.name());
  // The program itself has too many to name them in one line.
  const help =
    below.length > 0 && command.parent !== null
      ? `${name} takes ${below.join(', ')}: ${name} --help explains ${below.length === 1 ? 'it' : 'them'}`
      : `${name} --help names the ${below.length > 0 ? 'commands' : 'options'}`;
  command.configureOutput({
    outputError: (text, write) => {
      // Commander puts its suggestion on a second line.
      write(`fsxbench: ${withNext(command, singleLine(text.trim().replace(/^error: /, '')))} (${help})\n`);
    },
  });
  for (const each of command.commands) pointToHelp(each, `${name} ${each.name()}`);
}
