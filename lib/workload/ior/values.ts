import type { ParseDocument, ParsedSample } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import { amounts, ends, type Measured } from '../common/measured';
import type { Operation } from '../operation';

const MB_PER_MIB = 2 ** 20 / 1e6;

/** Each iteration of IOR: rate, time, and what the time consists of; then when the first and the last process were done. */
export function iorValues(
  { command }: WorkloadAction,
  { id: operation }: Operation,
  documents: readonly ParseDocument[],
): Measured[] {
  return documents.flatMap((document) => {
    const own = document.samples.filter((sample) => sample.operation === operation && sample.value !== null);
    const values = own.map((sample): Measured => {
      const common = { operation, iteration: sample.iteration };
      if (sample.metric === 'throughput')
        return { ...common, metric: 'throughput', value: (sample.value as number) * MB_PER_MIB, unit: 'MB/s' };
      // In samples.jsonl `operations` counts them; IOR's rate of transfers keeps IOR's own word there.
      const metric = sample.metric === 'operations' ? 'iops' : sample.metric;
      return { ...common, metric, value: sample.value, unit: sample.unit };
    });
    return [...values, ...iorEnds(command, operation, own), ...amountsAtStonewall(operation, document)];
  });
}

/** True if all processes wait for the last one before its clock stops (`-g`). */
export const waitsForAll = (command: readonly string[]): boolean => command.includes('-g');

/**
 * IOR closes file by file: from the first that closes to the last that has closed is its time of closing, so that the first process was
 * done at the total less that. With `-g` they wait for each other before, and nothing is known of the first.
 */
function iorEnds(command: readonly string[], operation: string, own: readonly ParsedSample[]): Measured[] {
  if (waitsForAll(command)) return [];
  const iterations = [...new Set(own.map(({ iteration }) => iteration))];
  return iterations.flatMap((iteration): Measured[] => {
    const of = (metric: string): number | null =>
      own.find((sample) => sample.iteration === iteration && sample.metric === metric)?.value ?? null;
    const [total, closing] = [of('total_time'), of('close_time')];
    return total === null || closing === null
      ? []
      : ends({ operation, iteration }, Math.max(0, total - closing), total);
  });
}

function amountsAtStonewall(operation: string, { tests }: ParseDocument): Measured[] {
  return tests.flatMap(({ transferBytes, stonewall = [] }) =>
    stonewall.flatMap((reached) =>
      transferBytes === null || reached.operation !== operation
        ? []
        : amounts(
            { operation, iteration: reached.iteration },
            reached.leastTransfers * transferBytes,
            reached.mostTransfers * transferBytes,
          ),
    ),
  );
}
