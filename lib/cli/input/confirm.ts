import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type CliContext, Unsuccessful, UsageError } from '../context';

/** Asks for confirmation of something that costs money or cannot be undone. @throws UsageError without a terminal */
export async function confirm(context: CliContext, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!context.interactive)
    throw new UsageError(`${question} There is no terminal to ask on: add --yes, or check first with --dry-run`);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // The end of input is no answer.
  const answer = await Promise.race([reader.question(`${question} [y/N] `), once(reader, 'close')]);
  reader.close();
  if (!/^y(es)?$/i.test(String(answer).trim())) throw new Unsuccessful('nothing was changed');
}
