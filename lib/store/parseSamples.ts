import { counted } from '../kit/format/units';
import { parseJson, read } from '../schema/document';
import { type Sample, sampleSchema } from '../schema/sample';
import type { ReadProblem } from './record';

/** The samples of a run, and what is wrong with their file. */
export interface SamplesRead {
  readonly samples: readonly Sample[];
  readonly problems: readonly ReadProblem[];
}

/**
 * The samples of `samples.jsonl`, and its unreadable lines. A killed driver leaves a truncated last line. Identical
 * lines are one sample, since no step measures twice in the same millisecond.
 * @param run leaves out the samples of other runs. @default - all samples
 * @returns also the runs, at most three, whose samples were left out
 */
export function parseSamples(text: string, run?: string): SamplesRead & { readonly others: readonly string[] } {
  const samples: Sample[] = [];
  const seen = new Set<string>();
  const others = new Set<string>();
  /** Numbers of the lines with the same fault. */
  const faults = new Map<string, number[]>();
  const fault = (what: string, line: number): void => {
    const before = faults.get(what);
    if (before) before.push(line);
    else faults.set(what, [line]);
  };
  // Editors of other systems may leave a byte order mark.
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  lines.forEach((raw, index) => {
    const line = raw.trim();
    if (line === '') return;
    if (seen.has(line)) {
      fault(AGAIN, index + 1);
      return;
    }
    const parsed = parseJson(line);
    const found = parsed === undefined ? { fault: '' } : read(sampleSchema, parsed);
    if ('document' in found) {
      seen.add(line);
      if (run !== undefined && found.document.run !== run) {
        others.add(found.document.run);
        fault(FOREIGN, index + 1);
        return;
      }
      samples.push(found.document);
      return;
    }
    fault(index === lines.length - 1 && parsed === undefined ? TORN : found.fault, index + 1);
  });
  const problems = [...faults].map(([what, at]) => ({ file: 'samples.jsonl', message: worded(what, at) }));
  return { samples, problems, others: [...others].slice(0, NAMED) };
}

const AGAIN = 'again';
const TORN = 'torn';
const FOREIGN = 'foreign';
/** The most lines to name. */
const NAMED = 3;

function worded(what: string, lines: readonly number[]): string {
  const one = lines.length === 1;
  const named = lines.slice(0, NAMED).join(', ');
  const more = lines.length > NAMED ? ` and ${counted(lines.length - NAMED, 'more', 'more')}` : '';
  const which = `${one ? 'line' : 'lines'} ${named}${more}`;
  if (what === TORN) return `${which} was not written to its end and is left out`;
  if (what === FOREIGN)
    return `${which} ${one ? 'is a sample' : 'are samples'} of another run and ${one ? 'is' : 'are'} left out`;
  if (what === AGAIN)
    return `${which} ${one ? 'repeats an earlier line and is' : 'repeat earlier lines and are'} counted once`;
  return `${which} ${one ? 'is no sample' : 'are no samples'}${what} and ${one ? 'is' : 'are'} left out`;
}
