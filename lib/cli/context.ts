/** What a command may touch of the world outside. */
export interface CliContext {
  /** The project's folder: assets, cdk.json, .lab. */
  readonly root: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  /** A terminal that can redraw a line. */
  readonly interactive: boolean;
}

/** Wrong input: one line that names the value, what is allowed and the next step; no stack trace. Exit status 2. */
export class UsageError extends Error {}

/** The command worked and its answer is no: a failed run, an incomplete file. Said already; exit status 1. */
export class Unsuccessful extends Error {}

/** A document as it stands in a file, or is printed for machines. */
export function documentText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Prints a document for machines. */
export function printJson(context: CliContext, document: unknown): void {
  context.out(documentText(document));
}
