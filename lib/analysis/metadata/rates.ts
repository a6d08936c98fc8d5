import { keyOf } from '../../common/keyOf';
import { type Known, known, unknown } from '../../common/known';
import { ownValue } from '../../common/ownValue';
import { medianOf } from '../../common/statistics';
import { armNamed } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import type { RunArm } from '../arm';
import type { Run } from '../run';
import type { OperationRate } from './results';
import { documentedOf, isMetadataOperation, standIn } from './subject';

/** Metadata efficiency of each operation and size, in the order of the samples, on one arm after the other. */
export function operationRates({ counted, arms, lab }: Run): OperationRate[] {
  const wanted = counted.filter(
    ({ phase, metric, operation }) => phase === 'measure' && metric === 'rate' && isMetadataOperation(operation),
  );
  const groups = Map.groupBy(wanted, ({ arm, operation, fileBytes }) => keyOf(arm, operation, fileBytes ?? null));
  const rates = [...groups.values()].map((group): OperationRate => {
    const { arm, operation, fileBytes = null } = group[0] as Sample;
    const values = group.flatMap(({ value }) => value ?? []).sort((a, b) => a - b);
    const middle = medianOf(values);
    const rate = middle === null ? unknown(reasonsOf(group)) : known(middle);
    const documented = documentedRate(operation, armNamed(arms, arm), lab);
    const efficiency =
      rate.value === null || documented.value === null
        ? unknown(rate.reason ?? documented.reason ?? 'unknown')
        : known(rate.value / documented.value);
    const [least = null] = values;
    return {
      arm,
      operation,
      fileBytes,
      rate,
      least,
      most: values.at(-1) ?? null,
      count: values.length,
      documented,
      efficiency,
    };
  });
  return inOrder(rates, arms);
}

/** Rates by operation and size in order of appearance, and within that by arm. */
function inOrder(rates: readonly OperationRate[], arms: readonly RunArm[]): OperationRate[] {
  const nameOf = ({ operation, fileBytes }: OperationRate): string => JSON.stringify([fileBytes, operation]);
  const names = [...new Set(rates.map(nameOf))];
  const order = arms.map(({ name }) => name);
  const rank = (rate: OperationRate): number => names.indexOf(nameOf(rate)) * order.length + order.indexOf(rate.arm);
  return [...rates].sort((a, b) => rank(a) - rank(b));
}

/**
 * AWS documents no rate for these (https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html), so they are reported, not scored.
 */
const WITHOUT_RATE: Readonly<Record<string, string>> = {
  file_stat: 'AWS publishes no rate for stat',
  dir_stat: 'AWS publishes no rate for stat',
  // "Create, open and close" are documented together, and mdtest's read is an open and a close.
  file_read: 'AWS publishes no rate for an open and a close together, which this is',
  dir_read: 'AWS publishes no rate for reading directories',
  file_rename: 'AWS publishes no rate for renaming files',
};

function documentedRate(operation: string, arm: RunArm, lab: boolean): Known {
  const local = standIn(arm, lab);
  if (local !== null) return unknown(local);
  const without = ownValue(WITHOUT_RATE, operation);
  if (without !== undefined) return unknown(without);
  const rates = documentedOf(arm)?.rates ?? null;
  if (rates === null) return unknown('AWS publishes no rate for a file system without a metadata configuration');
  const rate = ownValue(rates, operation);
  if (rate !== undefined) return known(rate);
  return unknown(
    arm.deployed?.model?.metadata === undefined
      ? `AWS publishes no rate for ${operation}`
      : 'the scale model holds the creation of files only',
  );
}

const reasonsOf = (group: readonly Sample[]): string =>
  [...new Set(group.map(({ reason }) => reason ?? 'no reason was given'))].join('; ');
