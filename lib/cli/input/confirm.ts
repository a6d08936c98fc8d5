import { createInterface } from 'node:readline/promises';
import { type CliContext, Unsuccessful, UsageError } from '../context';

/** Asks for confirmation of something that costs money or cannot be undone. @throws UsageError without a terminal */
export async function confirm(context: CliContext, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!context.interactive)
    throw new UsageError(`${question} There is no terminal to ask on: add --yes, or check first with --dry-run`);
  if (!/^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())) throw new Unsuccessful('nothing was changed');
}

/** The answer to a question on the terminal; empty at the end of input. */
export async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
    return await Promise.race([reader.question(question), ended]);
  } finally {
    reader.close();
  }
}
