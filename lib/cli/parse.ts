import { existsSync, statSync } from 'node:fs';
import { parseFile } from '../parse';
import { renderDocuments } from '../parse/render';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';

/** `fsxbench parse FILE…`: exit 0 when every file could be read; whether a run in it is whole stands in the document. */
export function parseCommand(context: CliContext, files: readonly string[], options: { json?: boolean }): void {
  for (const file of files) {
    if (!existsSync(file)) throw new UsageError(`there is no file '${file}'`);
    if (!statSync(file).isFile()) throw new UsageError(`'${file}' is not a file: name the raw output itself`);
  }
  const documents = files.map((file) => parseFile(file));
  if (options.json) printJson(context, documents.length === 1 ? documents[0] : documents);
  else context.out(renderDocuments(documents));
  if (documents.every((document) => document.tool === 'unknown')) {
    throw new Unsuccessful(options.json ? '' : 'no output of a known tool was found');
  }
}
