import { hash } from 'node:crypto';
import { counted } from '../common/format/units';
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
 * @param lines the last one is what stands after the last line end
 * @param run leaves out the samples of other runs. @default - all samples
 * @returns also the runs, at most three, whose samples were left out
 */
export function parseSamples(
  lines: Iterable<string>,
  run?: string,
): SamplesRead & { readonly others: readonly string[] } {
  const samples: Sample[] = [];
  const seen = new Set<string>();
  const shared = new Map<string, unknown>();
  const others = new Set<string>();
  /** Numbers of the lines with the same fault. */
  const faults = new Map<string, number[]>();
  const fault = (what: string, line: number): void => {
    const before = faults.get(what);
    if (before) before.push(line);
    else faults.set(what, [line]);
  };
  let number = 0;
  let torn = false;
  for (const raw of lines) {
    number += 1;
    if (torn) fault('', number - 1);
    torn = false;
    // Editors of other systems may leave a byte order mark, which trim() takes away.
    const line = raw.trim();
    if (line === '') continue;
    const fingerprint = hash('sha1', line, 'base64');
    if (seen.has(fingerprint)) {
      fault(AGAIN, number);
      continue;
    }
    const parsed = parseJson(line);
    if (parsed === undefined) {
      torn = true;
      continue;
    }
    const found = read(sampleSchema, sharing(parsed, shared));
    if ('fault' in found) {
      fault(found.fault, number);
      continue;
    }
    seen.add(fingerprint);
    if (run === undefined || found.document.run === run) samples.push(found.document);
    else {
      others.add(found.document.run);
      fault(FOREIGN, number);
    }
  }
  if (torn) fault(TORN, number);
  const problems = [...faults].map(([what, at]) => ({ file: 'samples.jsonl', message: worded(what, at) }));
  return { samples, problems, others: [...others].slice(0, NAMED) };
}

/** A copy that shares texts and lists with other samples: it takes a third of the memory. */
function sharing(value: unknown, shared: Map<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (typeof field !== 'string' && !Array.isArray(field)) continue;
    const key = typeof field === 'string' ? field : JSON.stringify(field);
    const kept = shared.get(key);
    if (typeof kept === typeof field) fields[name] = kept;
    else shared.set(key, field);
  }
  return value;
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
