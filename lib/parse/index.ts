import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ParseDocument } from '../schema/parse';
import { type CommandFile, NO_COMMAND } from '../workload/common/parse/command';
import { type Lines, splitLines } from '../workload/common/parse/lines';
import { TOOLS } from '../workload/lookup';
import { ROUNDING } from '../workload/registry';
import { documentOf } from './document';
import { linesOf, READ_BOUNDS, textOf } from './file';
import { printedBinary } from './recorded';

export { type CommandFile, NO_COMMAND } from '../workload/common/parse/command';
export { TooLarge } from '../workload/common/parse/lines';

/**
 * Parses an output into a document.
 *
 * @param file its name in the document
 * @param text the output; several runs of several tools give one document
 * @param cmd facts about the command (`parseCommandFile`)
 * @param log the tool's other output: stdout and stderr next to a summary file. Only messages are read from it.
 * @param only the only tool that ran: figures of other tools in the text are ignored
 * @throws Error for an unknown `only` (lib/workload/registry.ts); never for an output
 */
export const parseText = (
  file: string,
  text: string,
  cmd: CommandFile = NO_COMMAND,
  log = '',
  only?: string,
): ParseDocument => documentOf(file, splitLines(text), cmd, splitLines(log), only);

/** Exit status of a program that was just run, and has succeeded. */
const SUCCEEDED: CommandFile = { ...NO_COMMAND, exitStatus: 0 };

/** Files with the figures of `X.out` if the tool wrote them elsewhere (IOR's summaryFile, fio's --output). */
const SIDE_FILES = ['.summary.json', '.json', '.summary.csv', '.csv', '.summary.txt'];

/**
 * Reads a file, the `.cmd` next to it, and for a side file of a tool (`X.summary.json`, `X.json`, `X.csv`) also its log `X.out`. An `X.out`
 * in which no run began is read together with such a side file, which the document then names in `figuresFrom`; so is one of smallfile,
 * which rounds in its text and writes a JSON file for each run (`X.json`, `X.0.json` …).
 * @param only as for {@link parseText}
 * @throws Error of node:fs if the file itself can't be read
 * @throws TooLarge if it, or a file next to it, can't be read within bounded memory
 */
export function parseFile(path: string, only?: string, bounds = READ_BOUNDS): ParseDocument {
  const printed = printedBinary(path);
  if (printed !== null) return parseText(path, printed, SUCCEEDED, '', only);
  const input = linesOf(path, bounds);
  const commandPath = besides(path, '.cmd');
  const cmd = commandPath === undefined ? NO_COMMAND : parseCommandFile(textOf(commandPath));
  const logPath = path.endsWith('.out') ? undefined : besides(path, '.out');
  const document = documentOf(path, input, cmd, logPath === undefined ? undefined : linesOf(logPath), only);
  if (!path.endsWith('.out')) return document;
  if (isWithoutRun(document)) return elsewhere(path, input, cmd, only) ?? document;
  return document.tool === ROUNDING.tool.id ? ROUNDING.exactFigures(document, sidesOf(path)) : document;
}

/** The documents of `X.json` and `X.0.json`, `X.1.json` …, next to `X.out`. */
function sidesOf(path: string): ParseDocument[] {
  const stem = basename(path).replace(/out$/, '');
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(stem) && /^(?:\d{1,6}\.)?json$/.test(name.slice(stem.length)))
    .map((name) => join(dirname(path), name))
    .map((side) => documentOf(side, linesOf(side)));
}

const isWithoutRun = ({ problems }: ParseDocument): boolean =>
  problems.includes('no_run_header') || problems.includes('no_output');

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The document of a side file, whose figures the output of `path` lacks. */
function elsewhere(path: string, log: Lines, cmd: CommandFile, only?: string): ParseDocument | undefined {
  for (const ending of SIDE_FILES) {
    const side = path.replace(/\.out$/, ending);
    if (!isFile(side)) continue;
    const document = documentOf(path, linesOf(side), cmd, log, only);
    if (!isWithoutRun(document)) return { ...document, figuresFrom: side };
  }
  return undefined;
}

/** `X.cmd` for `X.out` and `X.json`, and for `X.summary.json` when there is no `X.summary.cmd`. */
function besides(path: string, ending: string): string | undefined {
  let stem = basename(path);
  for (let strip = 0; strip < 2; strip += 1) {
    const dot = stem.lastIndexOf('.');
    if (dot <= 0) return undefined;
    stem = stem.slice(0, dot);
    const candidate = join(dirname(path), stem + ending);
    if (isFile(candidate)) return candidate;
  }
  return undefined;
}

/** Reads `key: value` lines; a line without a key continues the previous value (a command with a here-document). */
export function parseCommandFile(text: string): CommandFile {
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const match = /^([a-z][a-z0-9_]*): ?(.*)$/.exec(line);
    if (match) {
      last = match[1] as string;
      values.set(last, match[2] as string);
    } else if (last !== undefined && line !== '') {
      values.set(last, `${values.get(last)}\n${line}`);
    }
  }
  const exit = values.get('exit_status')?.trim();
  const command = values.get('command')?.trim() || null;
  return {
    command,
    exitStatus: exit !== undefined && /^-?\d{1,6}$/.test(exit) ? Number(exit) : null,
    tool: PRINTING.find(({ id }) => id === values.get('tool')?.trim())?.id ?? toolOf(command),
  };
}

const PRINTING = TOOLS.flatMap(({ id, formats, program = id }) => (formats === undefined ? [] : [{ id, program }]));
const STARTS = new RegExp(`(?:^|[\\s/(;&|])(?:${PRINTING.map(({ program }) => `(${program})`).join('|')})(?=\\s|$)`);

function toolOf(command: string | null): string | null {
  const groups = STARTS.exec(command ?? '')?.slice(1) ?? [];
  return PRINTING[groups.findIndex((group) => group !== undefined)]?.id ?? null;
}
