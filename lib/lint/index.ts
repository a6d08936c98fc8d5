import type { Finding, LintContext, LintDocument } from './finding';
import { type Launched, LINTED_TOOLS, type LintedTool, ranksOf, unwrap } from './launch';
import { type Options, readOptions } from './options';
import type { Rule, Subject } from './rule';
import { DD_RULES } from './rules/dd';
import { FIO_RULES, fioTakesValue } from './rules/fio';
import { IOR_RULES, IOR_WITH_VALUE } from './rules/ior';
import { LAUNCH_RULES } from './rules/launch';
import { LINE_RULES } from './rules/line';
import { MDTEST_RULES, MDTEST_WITH_VALUE } from './rules/mdtest';
import { joinArguments, MAX_LENGTH, parseShell, type ShellScript } from './shell';

export type { Finding, LintContext, LintDocument } from './finding';

const ioLong = (name: string): boolean => /^(?:dataPacketType|posix\.lustre\.\w+)$/.test(name);

const TOOLS: Readonly<
  Record<LintedTool, { readonly rules: readonly Rule<Subject>[]; options(args: Launched['args']): Options }>
> = {
  ior: { rules: IOR_RULES, options: (args) => readOptions(args, IOR_WITH_VALUE, ioLong) },
  mdtest: { rules: MDTEST_RULES, options: (args) => readOptions(args, MDTEST_WITH_VALUE, ioLong) },
  fio: { rules: FIO_RULES, options: (args) => readOptions(args, '', fioTakesValue) },
  dd: { rules: DD_RULES, options: (args) => readOptions(args, '') },
  xdd: { rules: [], options: (args) => readOptions(args, '') },
};

/**
 * What is wrong with a benchmark's command line, the worst first. It reads the line as a shell would, and runs nothing.
 *
 * @param command a whole line, lists and loops included, or the arguments of one command
 * @returns no findings when nothing is known to be wrong; never throws
 */
export function lintCommand(command: string | readonly string[], context: LintContext = {}): Finding[] {
  const script = scriptOf(typeof command === 'string' ? command : joinArguments(command));
  const commands = script.commands.map(unwrap);
  const findings = [
    ...LINE_RULES.flatMap((rule) => rule({ script, commands, context })),
    ...commands.flatMap((launched) => toolFindings(launched, commands, context)),
  ];
  if (findings.length === 0) findings.push(...nothingKnown(commands));
  const order = { error: 0, warning: 1, note: 2 } as const;
  return unique(findings).sort((a, b) => order[a.severity] - order[b.severity]);
}

/** The same as the document that `fsxbench lint --json` prints. */
export function lintDocument(command: string | readonly string[], context: LintContext = {}): LintDocument {
  return {
    schema: 'fsxbench.lint/1',
    command: typeof command === 'string' ? command : joinArguments(command),
    findings: lintCommand(command, context),
  };
}

function scriptOf(source: string): ShellScript {
  if (source.length > MAX_LENGTH) return { source, commands: [], errors: [] };
  try {
    return parseShell(source);
  } catch (error) {
    // Nesting that no one types by hand.
    return { source, commands: [], errors: [error instanceof Error ? error.message : String(error)] };
  }
}

function toolFindings(launched: Launched, line: readonly Launched[], context: LintContext): Finding[] {
  const { tool } = launched;
  const { options, rules } = tool
    ? { options: TOOLS[tool].options(launched.args), rules: TOOLS[tool].rules }
    : { options: readOptions([], ''), rules: [] };
  const named = /(?:ior|mdtest)[-_]v?(\d+\.\d+\.\d+)(?:\/|$)/i.exec(launched.programWord.value)?.[1];
  const subject: Subject = {
    ...launched,
    options,
    line,
    context: named === undefined ? context : { iorVersion: named, ...context },
    ranks: ranksOf(launched, context.clients),
  };
  return [...LAUNCH_RULES, ...rules].flatMap((rule) => rule(subject) ?? []);
}

/** Silence about programs that nobody looked at would pass for praise. */
function nothingKnown(commands: readonly Launched[]): Finding[] {
  if (commands.length === 0 || commands.some(({ tool }) => tool !== null)) return [];
  const names = commands.map(({ program, command }) => program || (command.words[0]?.value ?? ''));
  return [
    {
      id: 'no-known-tool',
      severity: 'note',
      message: `Only ${LINTED_TOOLS.join(', ')} are looked at, and the line runs none of them: ${[...new Set(names)].join(', ')}.`,
      suggestion: null,
    },
  ];
}

/** Two commands of a line with the same fault and the same cure are one finding. */
function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...seen.values()];
}
