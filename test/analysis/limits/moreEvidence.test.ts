import { type Evidence, verdict } from '../../../lib/analysis/limits/limitedBy';
import { instanceType } from '../../../lib/fleet/instanceTypes';
import { bindingOf, effective, type Limit } from '../../../lib/storage/common/limits';
import { storageOf } from '../../../lib/storage/lookup';
import { SMALLEST, USUAL } from '../../storage/cases';

/** Only these have metrics; the metric of the disks covers both kinds of data. */
const METRIC_OF: Readonly<Record<string, Evidence['limit']>> = {
  server_network: 'server_network',
  disk: 'disk',
  disk_compressed: 'disk',
  client_nic: 'client_nic',
};

/** Utilisation of what has a metric, at a rate in MB/s: a share of what it sustains, which may end at 1. */
function metricsAt(limits: readonly Limit[], rate: number, endsAtOne: boolean): Evidence[] {
  return limits.flatMap(({ name, baselineMBps }): Evidence[] => {
    const limit = METRIC_OF[name];
    if (limit === undefined) return [];
    const share = rate / baselineMBps;
    const value = endsAtOne && limit !== 'client_nic' ? Math.min(1, share) : share;
    return [{ metric: name, limit, value, reason: null }];
  });
}

const subsetsOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: 2 ** all.length }, (_, set) => all.filter((_, at) => set & (1 << at)));

/** Two that were once judged wrongly: EFS whose clients burst, and disks in their burst. */
const REPORTED = [
  { kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 256 },
  {
    kind: 'lustre',
    deploymentType: 'PERSISTENT_2',
    storageType: 'SSD',
    storageCapacityGiB: 2400,
    perUnitStorageThroughput: 125,
    version: '2.15',
  },
] as const;

/** Rates at which one resource is the bottleneck, at what it sustains or in its burst, while no other holds them up in its own burst. */
function truthsOf(limits: readonly Limit[]): { readonly name: string; readonly rate: number }[] {
  const able = effective(limits);
  return able.flatMap((limit) =>
    [...new Set([limit.baselineMBps, limit.burstMBps])]
      .filter((rate) => able.every((other) => other === limit || other.burstMBps > rate * 1.02))
      .flatMap((rate) => [0.93, 1].map((share) => ({ name: limit.name, rate: rate * share }))),
  );
}

test('metrics of any resources never turn a right bottleneck into another', () => {
  let [combinations, right] = [0, 0];
  const wrong: string[] = [];
  for (const configuration of [...Object.values(SMALLEST), ...USUAL, ...REPORTED]) {
    const storage = storageOf(configuration);
    for (const type of ['c5.large', 'c5.2xlarge', 'c5n.9xlarge', 'c5n.18xlarge'])
      for (const count of [1, 2, 4, 8, 64])
        for (const mode of ['write', 'read'] as const)
          for (const ratio of [undefined, 2.5]) {
            const { networkBaselineMbps, networkBurstMbps } = instanceType(type) as never as {
              networkBaselineMbps: number;
              networkBurstMbps: number;
            };
            const clients = { count, networkBaselineMbps, networkBurstMbps };
            const limits = storage.documented.limits(configuration, { mode, ratio, clients });
            const lowest = bindingOf(limits);
            if (lowest === null) continue;
            for (const { name, rate } of truthsOf(limits)) {
              const judge = (evidence: readonly Evidence[]) =>
                verdict(
                  limits,
                  lowest,
                  evidence,
                  rate,
                  evidence.filter((one) => one.limit !== 'client_nic'),
                ).limitedBy;
              const isRight = judge([]) === name;
              for (const endsAtOne of [false, true])
                for (const evidence of subsetsOf(
                  metricsAt(
                    limits.filter((one) => effective(limits).includes(one)),
                    rate,
                    endsAtOne,
                  ),
                )) {
                  combinations += 1;
                  if (!isRight) continue;
                  right += 1;
                  const found = judge(evidence);
                  if (found !== name)
                    wrong.push(
                      `${storage.kind} ${count} × ${type} ${mode} at ${rate}: ${found} for ${name}, with ${evidence.map((one) => `${one.metric} ${one.value}`)}`,
                    );
                }
            }
          }
  }
  expect(wrong).toEqual([]);
  // 43,296 combinations, of which 29,248 are right without metrics.
  expect([combinations > 40_000, right > 25_000]).toEqual([true, true]);
});
