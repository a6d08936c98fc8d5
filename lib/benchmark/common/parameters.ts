import * as z from 'zod';
import {
  amount,
  described,
  field,
  fieldOf,
  list,
  numeric,
  oneOfWords,
  valueIn,
  whole as wholeNumber,
  flag as yesOrNo,
} from '../../common/field';
import { didYouMean } from '../../common/nearest';
import { NUMBER } from '../../common/quantity';
import { TYPED, violationMessage } from '../../common/violation';
import { MAX_TARGET } from '../../workload/workload';

export const whole = (min: number, max: number, measure = NUMBER) =>
  described(wholeNumber(min, max, '', undefined, measure));
export const flag = () => described(yesOrNo());
export const choice = <const T extends string>(values: readonly T[]) => described(oneOfWords(values));
export const text = (form: RegExp, allowed: string) => described(field(z.string().regex(form), allowed));
/** Numbers, each once. */
export const numbers = (item: z.ZodNumber, what: string) =>
  described(
    field(
      list(numeric(item)).refine((all) => new Set(all).size === all.length),
      `${what}, separated by commas, each once`,
    ),
  );

/** Compression ratios of a workload's data. */
export const compressionRatios = numbers(
  z.number().min(1).max(MAX_TARGET),
  `compression ratios from 1 to ${MAX_TARGET}`,
);

/** Parameters that every plan has next to its own: how its results are judged. */
export const judging = {
  /** A difference below this does not matter: a comparison whose whole interval lies closer to equality shows that there is none that does. */
  smallestDifferencePercent: described(amount('from 0 to 50', { min: 0, max: 50, units: NUMBER.units })),
  /** Percent. A comparison gets no more repeats once its interval is no wider on either side; `repeats` are the most. @default - every comparison gets all */
  precision: described(amount('from 0.1% to 50%', { min: 0.1, max: 50, units: { '': 1, '%': 1 } })).nullish(),
};
export const JUDGING_DEFAULTS = { smallestDifferencePercent: 2 };

/** Parameters from defaults and `key=value` texts. @throws one line for the first invalid text, with the value and what is allowed */
export function parseParameters<T extends z.ZodObject>(
  { shape }: T,
  defaults: z.input<T>,
  texts: readonly string[],
): z.infer<T> {
  const merged: Record<string, unknown> = { ...(defaults as object) };
  const allowed = Object.keys(shape);
  for (const text of texts) {
    const match = /^([A-Za-z]+)=(.*)$/.exec(text);
    if (!match) throw new Error(`a parameter must be key=value, got '${text}'; keys: ${allowed.join(', ')}`);
    const [, key, value] = match as unknown as [string, string, string];
    if (!allowed.includes(key))
      throw new Error(`there is no parameter '${key}'; allowed: ${allowed.join(', ')}${didYouMean(key, allowed)}`);
    merged[key] = value === 'null' ? null : value;
  }
  const values = Object.entries(shape).map(([key, schema]) => {
    const read = valueIn(fieldOf(schema as z.ZodType), key, merged[key]);
    if ('violation' in read) throw new Error(violationMessage(read.violation, TYPED));
    return [key, read.value] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as z.infer<T>;
}
