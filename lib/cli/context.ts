import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The outside world, as far as commands use it. */
export interface CliContext {
  /** The project's folder: assets, cdk.json, .lab. */
  readonly root: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  /** The command that started this process, as it can be started again. @default - it cannot */
  readonly command?: readonly string[];
  /** True if stderr is a terminal that can redraw a line. */
  readonly interactive: boolean;
  /** True if stdout shows colours and links. @default false */
  readonly colour?: boolean;
  /** Writes to stdout without making control characters harmless: for lib/cli/render/styled.ts alone. @default - as `out` */
  readonly raw?: (text: string) => void;
  /** Silence is not broken from here on: nobody follows what this process says, or it waits for the user. @default - it is not broken at all */
  readonly unwatched?: () => void;
  /** Replaces the last line on an interactive stderr. @default - nothing is redrawn */
  readonly redraw?: (line: string) => void;
}

/** The exit statuses of every command. The texts stand in --help and, by a test, in docs/commands.md. */
export const EXIT_STATUSES = [
  { status: 0, meaning: 'success' },
  { status: 1, meaning: 'failure, or a negative answer: a failed run, a regression, output of no known tool' },
  { status: 2, meaning: 'wrong usage: nothing was started or changed' },
  { status: 3, meaning: 'inconclusive: compare could neither show nor rule out a regression; advise found no option' },
] as const;
export type ExitStatus = (typeof EXIT_STATUSES)[number]['status'];

/** Wrong input: one line that names the value, what is allowed and the next step, without a stack trace. Exit status 2. */
export class UsageError extends Error {}

/** The command worked and its answer is negative: a failed run, an incomplete file. Already printed. */
export class Unsuccessful extends Error {
  constructor(
    message: string,
    readonly status: ExitStatus = 1,
  ) {
    super(message);
  }
}

/** Turns an error in what a user asks for into a usage error. */
export function usage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Why a file cannot be read, in plain words where people meet it often. */
export function whyUnread(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return { ENOENT: 'no such file', EISDIR: 'it is a folder' }[code ?? ''] ?? message;
}

/** JSON as written to files and printed with `--json`. */
export const documentText = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

export function printJson(context: CliContext, document: unknown): void {
  context.out(documentText(document));
}

/** Refuses in an installed package what needs a clone: the CDK application, and the driver's bundle. @param part what it needs there */
export function requireClone({ root }: CliContext, part: 'cdk.json' | 'dist/driver.js', what: string): void {
  if (existsSync(join(root, part)) || !existsSync(join(root, 'package.json'))) return;
  throw new UsageError(
    `${what} needs a clone of fsxbench's repository, and this is the package in ${root}: clone it, \`npm ci\`, and call npx fsxbench there`,
  );
}
