/** The outside world, as far as commands use it. */
export interface CliContext {
  /** The project's folder: assets, cdk.json, .lab. */
  readonly root: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  /** True if stderr is a terminal that can redraw a line. */
  readonly interactive: boolean;
}

/** Wrong input: one line that names the value, what is allowed and the next step, without a stack trace. Exit status 2. */
export class UsageError extends Error {}

/** The command worked and its answer is negative: a failed run, an incomplete file. Already printed; exit status 1. */
export class Unsuccessful extends Error {}

/** JSON as written to files and printed with `--json`. */
export function documentText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Prints a document as JSON. */
export function printJson(context: CliContext, document: unknown): void {
  context.out(documentText(document));
}
