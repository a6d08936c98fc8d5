import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { printable } from '../kit/format/printable';
import { shellWord } from '../kit/format/shell';
import { parseFile, parseText, recordedIn } from '../parse';
import { textOf } from '../parse/file';
import { recordedWords } from '../parse/recordedWords';
import { renderDocuments } from '../parse/render';
import type { ParseDocument } from '../schema/parse';
import { TOOLS } from '../workload/lookup';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';

/** The file name that means standard input. */
const STDIN = '-';

/**
 * `fsxbench parse FILE…`: exit status 1 if a file holds nothing of a known tool. Whether a tool's output is complete and valid is part of the result,
 * not of the exit status.
 */
export function parseCommand(context: CliContext, files: readonly string[], options: { json?: boolean }): void {
  for (const file of files) {
    if (file === STDIN) continue;
    if (!existsSync(file)) throw new UsageError(`there is no file '${file}'`);
    const found = statSync(file);
    // <(command) in a shell is a pipe.
    if (!found.isFile() && !found.isFIFO()) throw new UsageError(`'${file}' is not a file: name the raw output itself`);
  }
  const documents = files.map((file) => (file === STDIN ? parseText(STDIN, textOf(0)) : documentOf(file)));
  if (options.json) printJson(context, documents.length === 1 ? documents[0] : documents);
  else context.out(`${renderDocuments(documents)}${programsIn(documents).join('')}`);
  const foreign = documents.filter(({ tool }) => tool === 'unknown').map(({ file }) => printable(file));
  if (foreign.length > 0)
    throw new Unsuccessful(
      `${foreign.join(', ')}: not the output of a tool that fsxbench reads (parse --help names them)`,
    );
}

/** @throws UsageError for a file that the system does not let be read */
function documentOf(file: string): ParseDocument {
  try {
    return parseFile(file);
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new UsageError(`'${file}' cannot be read: ${message}`);
    throw error;
  }
}

/** The programs that files describe, each with the command that drives the same. */
function programsIn(documents: readonly ParseDocument[]): string[] {
  return documents.flatMap(({ file, tool, complete }) => {
    if (!complete || TOOLS.find(({ id }) => id === tool)?.recorded === undefined) return [];
    try {
      const words = recordedWords(recordedIn(file));
      return [
        `\n${basename(file)}: ${words}\nThe same by IOR: npx fsxbench run --on DIRECTORY --like ${shellWord(file)}\n`,
      ];
    } catch (error) {
      return [
        `\n${basename(file)}: not to be driven from this: ${error instanceof Error ? error.message : String(error)}\n`,
      ];
    }
  });
}
