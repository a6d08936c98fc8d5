import type { ParseDocument } from '../../schema/parse';

/** Values of an operation's metrics, in the order of the clients and of what they printed; NaN for one that could not be read. */
export const printedValues =
  (documents: readonly ParseDocument[], operation: string) =>
  (metric: string): number[] =>
    documents.flatMap(({ samples }) =>
      samples.flatMap((one) => (one.operation === operation && one.metric === metric ? (one.value ?? Number.NaN) : [])),
    );

/** The first value of each of an operation's metrics; `null` without one. */
export const printedValue =
  (documents: readonly ParseDocument[], operation: string) =>
  (metric: string): number | null =>
    documents.flatMap(({ samples }) => samples).find((one) => one.operation === operation && one.metric === metric)
      ?.value ?? null;
