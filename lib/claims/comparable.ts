import { listed } from '../common/format/text';
import { lintedTool } from '../lint/launch';
import { readOptions } from '../workload/common/lint/rule';
import { describeOperation } from '../workload/lookup';
import { CONDITION_WORDS, type ConditionName, type Conditions } from './schema';

export interface Difference {
  readonly condition: ConditionName;
  /** Value of the run; `null` if unknown. */
  readonly run: string | null;
  readonly study: string;
}

/** The conditions that prevent comparing a run with a figure: those that differ or are unknown. */
export const differences = (
  published: Conditions,
  run: Readonly<Partial<Record<ConditionName, unknown>>>,
): Difference[] =>
  (Object.keys(published) as ConditionName[]).flatMap((condition): Difference[] => {
    const [wanted, found] = [published[condition], run[condition]];
    if (wanted === undefined) return [];
    const shown = (value: unknown) => (condition === 'operation' ? describeOperation(text(value)) : text(value));
    const study = shown(wanted);
    if (found === undefined || found === null) return [{ condition, run: null, study }];
    return same(condition, wanted, found, published.tool) ? [] : [{ condition, run: shown(found), study }];
  });

/** A difference as a phrase; for several figures that differ in the same way, with all of the study's values. */
export function differencePhrase({ condition, run }: Omit<Difference, 'study'>, studies: readonly string[]): string {
  const word = CONDITION_WORDS[condition];
  const [name, verb] = typeof word === 'string' ? [word, 'is'] : [word[0], 'are'];
  const values = [...new Set(studies)];
  const study =
    values.length <= MOST_VALUES
      ? values.join(' or ')
      : `${values.slice(0, MOST_VALUES - 1).join(', ')} or one of ${values.length - MOST_VALUES + 1} others`;
  return run === null
    ? `the ${name} of the run ${verb} not known (study: ${study})`
    : `the ${name} ${verb} ${run} (study: ${study})`;
}

/** The most values of a study to list. */
const MOST_VALUES = 3;

type Value = NonNullable<Conditions[ConditionName]>;

function same(name: ConditionName, wanted: Value, found: unknown, tool: Value | undefined): boolean {
  const normal = (value: unknown): string =>
    name === 'arguments'
      ? normalArguments(String(value), tool)
      : name === 'storage'
        ? normalStorage(value)
        : String(value).toLowerCase();
  const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(normal).sort();
  const [accepted, actual] = [list(wanted), list(found)];
  // A figure over several values (both arms) needs them all, or one of them if the run has only one.
  return actual.length > 1 ? actual.join() === accepted.join() : accepted.includes(actual[0] as string);
}

/** Ignores the location of the data and the order of the options. */
function normalArguments(line: string, tool: Value | undefined): string {
  let pos = 0;
  const words = line
    .trim()
    .split(/\s+/)
    .map((value) => {
      const word = { value, pos, end: pos + value.length };
      pos = word.end + 1;
      return word;
    });
  const known = lintedTool(String(tool));
  const options = known?.options(words) ?? readOptions(words, '');
  return [
    ...options.given
      .filter(({ value }) => !/^(?:\/|\{dir\})/.test(value ?? ''))
      .map(({ name, value }) => `${name}=${value ?? ''}`),
    ...options.rest.map(({ value }) => value),
  ]
    .sort()
    .join(' ')
    .toLowerCase();
}

/** Names of storages are alike whatever their case, and Lustre is FSx's. */
export const normalStorage = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replace(/^lustre$/, 'fsx for lustre');

const text = (value: unknown): string => (Array.isArray(value) ? listed(value) : String(value));
