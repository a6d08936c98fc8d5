import { listed } from '../../common/format/strings';
import { type Known, known, unknown } from '../../common/known';
import { meanOf } from '../../common/statistics';
import { armNamed } from '../../schema/plan';
import { seriesOf, tooShort, type Window, within } from '../../schema/series';
import type { RunArm } from '../arm';
import type { Run } from '../run';
import type { Bound } from './results';
import { documentedOf, metricOf, standIn } from './subject';
import { windowsOf } from './windows';

/** Utilisation from which a server sets the pace, and below which it does not: values in between are undecided. A convention of fsxbench. */
const BUSY = 0.9;
const IDLE = 0.7;

/** Returns the bottleneck of each operation, size and arm. */
export const bounds = ({ counted, arms, lab }: Run): Bound[] =>
  windowsOf(counted).map(({ arm, operation, fileBytes, windows, shared }): Bound => {
    const own = armNamed(arms, arm);
    const local = standIn(own, lab) ?? (shared ? 'several operations ran in one command' : null);
    const cpu = local === null ? cpuOf(own, windows) : unknown(local);
    const iops = local === null ? iopsOf(own, windows) : unknown(local);
    return { arm, operation, fileBytes, cpu, iops, ...verdict(cpu, iops) };
  });

/** One busy resource is enough for the server; for the client both must be known to be idle. */
function verdict(cpu: Known, iops: Known): Pick<Bound, 'by' | 'reason'> {
  const busiest = Math.max(cpu.value ?? 0, iops.value ?? 0);
  if (busiest >= BUSY) return { by: 'server', reason: null };
  const missing = [cpu.reason, iops.reason].filter((reason) => reason !== null);
  if (missing.length > 0) return { by: null, reason: [...new Set(missing)].join('; ') };
  return { by: busiest < IDLE ? 'client' : 'neither', reason: null };
}

function cpuOf(arm: RunArm, windows: readonly Window[]): Known {
  const { name } = metricOf(arm, 'metadata_cpu');
  if (name === undefined) return unknown('no metric tells how busy the metadata servers are');
  const { series, reason } = seriesOf(arm.series, name);
  if (reason !== null) return unknown(reason);
  const means = series.flatMap((one) => meanOf(within(one, windows)) ?? []);
  return means.length === 0 ? unknown(tooShort(name)) : known(Math.max(...means) / 100);
}

/**
 * Reads and writes of each metadata target's disk a second, against its share of the IOPS
 * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html).
 */
function iopsOf(arm: RunArm, windows: readonly Window[]): Known {
  const { iops = null, targets = null } = documentedOf(arm) ?? {};
  if (iops === null || targets === null) return unknown('no metadata IOPS are provisioned');
  const perTarget = new Map<string, number>();
  const found = (['disk_read_operations', 'disk_write_operations'] as const).map((role) => metricOf(arm, role));
  const names = found.flatMap(({ name = [] }) => name);
  if (names.length === 0) return unknown('no metric counts what the disks of metadata targets do');
  for (const { name = '', targetOf } of found) {
    const { series } = seriesOf(arm.series, name);
    for (const one of series) {
      const target = targetOf(one.dimensions);
      const average = meanOf(within(one, windows));
      if (target === null || average === null) continue;
      perTarget.set(target, (perTarget.get(target) ?? 0) + average / one.periodSeconds);
    }
  }
  if (perTarget.size === 0) return unknown(`${listed(names)}: none of a metadata target within the phase`);
  return known(Math.max(...perTarget.values()) / (iops / targets));
}
