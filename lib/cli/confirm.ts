import { createInterface } from 'node:readline/promises';
import { type CliContext, Unsuccessful, UsageError } from './context';

/** Asks for confirmation of something that costs money or cannot be undone. @throws UsageError without a terminal */
export async function confirm(context: CliContext, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!context.interactive)
    throw new UsageError(`${question} There is no terminal to ask on: add --yes, or check first with --dry-run`);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Unsuccessful('nothing was changed');
  } finally {
    reader.close();
  }
}
