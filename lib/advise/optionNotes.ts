import { decimalBytes, grouped } from '../kit/format/units';
import { warnings } from '../storage/kit/rules';
import { type AnyConfiguration, storageOf, withKind } from '../storage/lookup';
import type { Warning } from '../storage/slices/configuration';
import { meanFileBytes, type Requirement } from './requirement';
import { gigabytes } from './wording';

/** Points at which a configuration may miss what a requirement implies and does not say. They do not change its rank. */
export function optionNotes(configuration: AnyConfiguration, requirement: Requirement): readonly Warning[] {
  return warnings({ 'fsxbench:opens-above-metadata-iops': tooManyOpens(configuration, requirement) });
}

/** The opens of files that are read, if they take more metadata IOPS than there are; each file is opened once and read whole. */
function tooManyOpens(configuration: AnyConfiguration, requirement: Requirement): string | false {
  const { readMBps = 0 } = requirement;
  const { metadata } = storageOf(configuration).documented;
  const iops = metadata?.iops(withKind(configuration)) ?? null;
  const each = meanFileBytes(requirement);
  if (readMBps === 0 || each === null || metadata === undefined || iops === null) return false;
  const opens = (readMBps * 1e6) / each;
  const { value, reason } = metadata.needed('file_open', opens);
  if (value !== null && value <= iops) return false;
  const takes = reason ?? `${value} metadata IOPS are documented for that, and it has ${iops}`;
  return `${gigabytes(readMBps)} GB/s of files of ${decimalBytes(each)}, each opened once, are ${grouped(opens)} opens a second: ${takes}`;
}
