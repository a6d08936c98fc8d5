import type { Warning } from '../common/violation';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { demandsOf, type QuotaDemand } from '../config/launches';

export const amount = (value: number): string => String(Math.round(value * 100) / 100);

/** Parts of a demand on a quota, if there are several: ` (clients 288, builder 36)`. */
export const partsOf = ({ parts }: QuotaDemand): string =>
  parts.size < 2 ? '' : ` (${[...parts].map(([what, value]) => `${what} ${amount(value)}`).join(', ')})`;

/** Warnings of quotas that an account exceeds unless they have been raised. */
export function quotaWarnings(configuration: BenchmarkConfiguration): readonly Warning[] {
  return demandsOf(configuration).flatMap((demand) => {
    const { unit, usual, code, service } = demand.quota;
    if (usual === undefined || demand.lasting <= usual.value) return [];
    return {
      id: usual.warning,
      message:
        `the deployment needs ${amount(demand.total)} ${unit} of ${usual.of} (${code}) together${partsOf(demand)}, above the default quota of ` +
        `${usual.value} ${unit} in a Region. Before deploying, check your quota and have it raised, or deploy less: ` +
        `aws service-quotas get-service-quota --service-code ${service} --quota-code ${code}`,
    };
  });
}
