import {
  type LintContext,
  type LintDocument,
  type LintedTool,
  type LintFinding,
  readOptions,
} from '../workload/common/lint/rule';
import type { Launched, ShellScript } from '../workload/common/lint/shell';
import { LINTED_TOOLS, lintedTool, ranksOf, unwrap } from './launch';
import { LAUNCH_RULES, LINE_RULES } from './rules';
import { joinArguments, MAX_LENGTH, parseShell } from './shell';

export type { LintContext, LintDocument, LintFinding } from '../workload/common/lint/rule';

/**
 * Lints a benchmark's command line, parsed as by a shell, without running it; findings are sorted by severity. Never throws.
 *
 * @param command a whole line, including lists and loops, or the arguments of one command
 */
export function lintCommand(command: string | readonly string[], context: LintContext = {}): LintFinding[] {
  const script = scriptOf(typeof command === 'string' ? command : joinArguments(command));
  const commands = script.commands.map(unwrap);
  const { source } = script;
  const isScript = source.trim().includes('\n');
  const lineOf = ({ command: { source: own, pos } }: Launched) =>
    isScript && own === source ? { line: source.slice(0, pos).split('\n').length } : {};
  const findings: LintFinding[] = [
    ...LINE_RULES.flatMap((rule) => rule({ script, commands, context })),
    ...commands.flatMap((launched) =>
      toolFindings(launched, commands, context).map((finding) => ({ ...finding, ...lineOf(launched) })),
    ),
  ];
  if (commands.some(({ tool }) => tool !== null)) findings.push(...notChecked(commands));
  else if (findings.length === 0) findings.push(...noKnownTool(commands));
  const order = { error: 0, warning: 1, note: 2 } as const;
  // Findings with the same problem and the same suggestion are one.
  const unique = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...unique.values()].sort((a, b) => order[a.severity] - order[b.severity]);
}

/** The findings as the document that `fsxbench lint --json` prints. */
export function lintDocument(command: string | readonly string[], context: LintContext = {}): LintDocument {
  const line = typeof command === 'string' ? command : joinArguments(command);
  return {
    schema: 'fsxbench.lint/1',
    command: line,
    findings: lintCommand(line, context),
    better: betterLine(line, context),
  };
}

/** Findings on a file: a tool's own file by its lines, any other text as a shell script. */
export function lintFile(text: string, context: LintContext = {}): LintDocument {
  for (const { file } of LINTED_TOOLS) {
    const { commands, findings: ofFile = [], isParsedOnly = false } = file?.(text) ?? {};
    if (commands === undefined) continue;
    const { findings, better, ...rest } = lintDocument(commands.map(({ command }) => command).join('\n'), context);
    return {
      ...rest,
      findings: [
        ...ofFile,
        ...findings.map(({ line: command = 1, ...finding }) => {
          const line = commands[command - 1]?.line;
          return line === undefined ? finding : { ...finding, line };
        }),
      ],
      better: isParsedOnly ? null : better,
    };
  }
  return lintDocument(text, context);
}

/** Most suggestions to apply: two that undo each other must not loop. */
const MOST_STEPS = 40;

/** The line with every suggestion in it that is a command of a known tool; `null` without such a suggestion. */
function betterLine(line: string, context: LintContext): string | null {
  let current = line;
  const seen = new Set([line]);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const next = stepsFrom(current, context).find((one) => !seen.has(one));
    if (next === undefined) break;
    seen.add(next);
    current = next;
  }
  return current === line ? null : current;
}

/** The line with one suggestion followed, in each way that there is. */
function stepsFrom(line: string, context: LintContext): string[] {
  const { source, commands } = scriptOf(line);
  const all = commands.map(unwrap);
  return all.flatMap((launched) => {
    const { pos, end, source: own } = launched.command;
    // A command in quotes, such as bash -c '…', has its own positions.
    if (own !== source) return [];
    return toolFindings(launched, all, context).flatMap(({ suggestion }) =>
      suggestion !== null && isCommand(suggestion) ? [source.slice(0, pos) + suggestion + source.slice(end)] : [],
    );
  });
}

/** True for a suggestion that is one command of a known tool, not advice in words. */
export function isCommand(suggestion: string): boolean {
  const { commands, errors } = scriptOf(suggestion);
  return errors.length === 0 && commands.length === 1 && commands.map(unwrap).every(({ tool }) => tool !== null);
}

function scriptOf(source: string): ShellScript {
  if (source.length > MAX_LENGTH) return { source, commands: [], errors: [] };
  try {
    return parseShell(source);
  } catch (error) {
    // Deeper nesting than anyone types by hand.
    return { source, commands: [], errors: [error instanceof Error ? error.message : String(error)] };
  }
}

function toolFindings(launched: Launched, line: readonly Launched[], context: LintContext): LintFinding[] {
  const tool = lintedTool(launched.tool);
  const subject: LintedTool = {
    ...launched,
    options: tool?.options(launched.args) ?? readOptions([], ''),
    line,
    context: { ...context, ...(launched.command.looped ? { repeated: true } : {}) },
    ranks: ranksOf(launched, context.clients),
  };
  return [...LAUNCH_RULES, ...(tool?.rules ?? [])].flatMap((rule) => rule(subject) ?? []);
}

const note = (id: string, message: string, programs: readonly string[]): LintFinding[] => [
  { id, severity: 'note', message: `${message}: ${[...new Set(programs)].join(', ')}.`, suggestion: null },
];

/** Reports programs that were not checked, since no findings would look like approval. */
function noKnownTool(commands: readonly Launched[]): LintFinding[] {
  if (commands.length === 0) return [];
  const names = commands.map(({ program, command }) => program || (command.words[0]?.value ?? ''));
  const known = LINTED_TOOLS.map(({ id }) => id).join(', ');
  return note('no-known-tool', `Only ${known} are checked, and the line runs none of them`, names);
}

/** Programs that move nothing to measure, which scripts of benchmarks start on all nodes. */
const ORDINARY = new Set([
  ...'rm mkdir lfs lctl ls cp mv cat echo printf sync chmod chown hostname sleep true test bash sh df du date'.split(
    ' ',
  ),
  ...'stat find touch tee sysctl module which uname free'.split(' '),
]);

/** Reports programs that a launcher starts next to checked ones, since no findings would look like approval. */
function notChecked(commands: readonly Launched[]): LintFinding[] {
  const names = commands.flatMap(({ launcher, tool, program }) =>
    launcher === null || tool !== null || program === '' || ORDINARY.has(program) ? [] : [program],
  );
  return names.length === 0 ? [] : note('program-not-checked', 'Not checked', names);
}

/** Marks the findings that the user allows: they stay, and stop nothing. @throws Error for an unknown id, with the known ones */
export function withAllowed<T extends { readonly id: string; readonly allowed?: boolean }>(
  findings: readonly T[],
  allow: readonly string[],
): T[] {
  const ids = [...new Set(findings.map(({ id }) => id))];
  for (const id of allow) {
    if (ids.includes(id)) continue;
    const known = ids.length === 0 ? 'and it has none: leave it out' : `which are ${ids.join(', ')}`;
    throw new Error(`'--allow' must be the id of a finding of this command, ${known}; got '${id}'`);
  }
  return findings.map((finding) => (allow.includes(finding.id) ? { ...finding, allowed: true } : finding));
}
