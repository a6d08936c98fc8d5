import { repetitionsIn } from '../common/parse/command';
import { holds } from '../common/parse/holds';
import { USAGE_ERROR } from '../common/parse/launch';
import type { Lines } from '../common/parse/lines';

/** One test of a run of IOR, as far as the verdict needs it. */
export interface IorTestRows {
  /** Iterations seen, by operation: `write`, `read`. */
  readonly iterations: ReadonlyMap<string, ReadonlySet<number>>;
  readonly repetitions: number | null;
}

/** Codes of what is missing between iteration 0 and the last repetition; every operation that has a row counts. */
export const missingIterations = (tests: readonly IorTestRows[], command: string | null): boolean =>
  tests.some(({ iterations, repetitions }) => {
    const expected = repetitions ?? repetitionsIn(command) ?? 1;
    return [...iterations.values()].some((seen) => {
      if (seen.size !== expected) return true;
      for (const iteration of seen) if (iteration >= expected) return true;
      return false;
    });
  });

/** Problems and cautions that an IOR message stands for, whichever line it is in: stderr keeps no order. */
export function iorMessages(output: Lines): { problems: Set<string>; cautions: Set<string> } {
  const problems = new Set<string>();
  const cautions = new Set<string>();
  for (const part of output.parts()) addMessages(part, problems, cautions);
  if (cautions.has('stonewall_hit')) cautions.delete('size_mismatch');
  return { problems, cautions };
}

function addMessages({ text, lines, tail }: Lines, problems: Set<string>, cautions: Set<string>): void {
  if (holds(text, 'ERROR: ') && !problems.has('io_error')) {
    for (const line of [...lines, tail]) {
      // mdtest reports a failed comparison with the same word; no request failed.
      if (/(?:^|\s)ERROR: /.test(line) && !line.includes('verifying the data') && !USAGE_ERROR.test(line)) {
        problems.add('io_error');
        break;
      }
    }
  }
  // 3.3.0: `WARNING: incorrect data on read (1 errors found).`, `[1] FAILED comparison of buffer`.
  if (holds(text, 'ncorrect data on') || holds(text, 'FAILED comparison of buffer')) problems.add('data_errors');
  if (holds(text, 'caused by deadlineForStonewalling')) cautions.add('stonewall_hit');
  if (holds(text, 'Using actual aggregate bytes moved')) cautions.add('size_mismatch');
  if (holds(text, 'exists already') && /WARNING: .*exists already/.test(text))
    cautions.add('existing_file_overwritten');
}

/** A command line as IOR's own option parser understands it. */
export interface IorIntent {
  readonly writes: boolean;
  readonly reads: boolean;
  /** The data reaches the storage before the clock stops: O_DIRECT (`-B` up to 3.2.1), or an fsync. */
  readonly synced: boolean;
  readonly dryRun: boolean;
  readonly dummy: boolean;
}

/** Without any of `-w -r -W -R` IOR both writes and reads. Its options are never bundled. */
export function iorIntent(command: string | null): IorIntent {
  const words = (command ?? '').split(/\s+/);
  const has = (...options: string[]) => options.some((option) => words.includes(option));
  const any = has('-w', '-r', '-W', '-R');
  return {
    writes: has('-w') || !any,
    reads: has('-r') || !any,
    synced: has('-e', '-B', '-Y') || /odirect|useO_DIRECT=1|fsync(?:PerWrite)?=1/i.test(command ?? ''),
    dryRun: words.some((word) => /^(?:--dryRun|dryRun=1)$/i.test(word)),
    dummy: /(?:^|\s)-a[\s=]*DUMMY(?=\s|$)/.test(command ?? ''),
  };
}
