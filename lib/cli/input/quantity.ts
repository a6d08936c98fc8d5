import type * as z from 'zod';
import { isRegion, REGIONS } from '../../common/aws/regions';
import { amount, type Field, oneOfWords, valueIn, whole } from '../../common/field';
import { nearest } from '../../common/nearest';
import { durationsIn, sizesIn } from '../../common/quantity';
import { TYPED, violationMessage } from '../../common/violation';
import { instanceType, instanceTypeNames } from '../../fleet/instanceTypes';
import type { PredictRequest } from '../../predict';
import { MOST_CLIENTS, MOST_PROCESSES, MOST_RATIO, RATIO_NEXT } from '../../predict/request';
import { UsageError } from '../context';

/** Reads the value of a flag, which is text. @throws UsageError in one line */
export function quantity<T>(flag: string, text: unknown, field: Field<z.ZodType<T>>): T | undefined {
  if (text === undefined) return undefined;
  const read = valueIn(field, flag, text);
  if ('value' in read) return read.value;
  throw new UsageError(violationMessage(read.violation, TYPED));
}

/** Reads a word from a closed set. @throws UsageError in one line */
export const word = <const T extends string>(flag: string, text: string, allowed: readonly T[]): T =>
  quantity(flag, text, oneOfWords(allowed)) as T;

export const RATIO = {
  ...amount(`a ratio of uncompressed to compressed size, from 1 to ${MOST_RATIO}`, {
    min: 1,
    max: MOST_RATIO,
    units: { '': 1, x: 1 },
  }),
  next: RATIO_NEXT,
};
export const SHARE = amount('a percentage from 0% to 100%', { min: 0, max: 1, units: { '%': 0.01 } });
/** CloudWatch keeps metrics for at most 455 days. */
export const HOURS = amount('hours or days from 0.25 to 454d', {
  min: 0.25,
  max: 10_919,
  units: durationsIn(3600, 3600),
});
export const CLIENTS = whole(1, MOST_CLIENTS);
export const PROCESSES = whole(1, MOST_PROCESSES);
/** GiB. */
export const DATA_SIZE = amount('a size with its unit such as 500GB, 20TB or 400GiB', {
  min: 1e-6,
  max: 1e9,
  units: sizesIn(2 ** 30),
});

/** Checks the name of an AWS Region. @param source the option or variable that has it @throws UsageError in one line */
export function regionOf<T extends string | undefined>(text: T, source = '--region'): T {
  if (text === undefined || isRegion(text)) return text;
  const meant = nearest(text, REGIONS);
  throw new UsageError(
    `'${source}' must be the name of a Region such as us-east-1, got '${text}'${meant === undefined ? '' : `: did you mean ${meant}?`}`,
  );
}

/** The clients: both flags or neither. @throws UsageError */
export function clientsOf(
  count: string | undefined,
  instance: string | undefined,
  efa: boolean,
  name: (option: string) => string = (option) => option,
): PredictRequest['clients'] {
  const clients = quantity(name('--clients'), count, CLIENTS);
  if (instance !== undefined && instanceType(instance) === null) {
    const meant = nearest(instance, instanceTypeNames());
    const next = meant === undefined ? 'use one such as c5n.9xlarge' : `did you mean ${meant}?`;
    throw new UsageError(
      `'${name('--instance')}' must be an instance type with known network data, got '${instance}': ${next}`,
    );
  }
  if (clients === undefined && instance === undefined) return undefined;
  if (instance === undefined)
    throw new UsageError(
      `'${name('--clients')}' needs ${name('--instance')}, which gives the speed of each, such as c5n.9xlarge`,
    );
  return { count: clients ?? 1, instanceType: instance, efa };
}

export const CLIENT_FLAGS = {
  'clients.count': '--clients',
  'clients.instanceType': '--instance',
  'clients.efa': '--efa',
};
