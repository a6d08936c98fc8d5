import { type MetadataArm, type MetadataResults, metadataResults } from '../metadata';
import type { Sample } from '../model/sample';
import type { RunRecord } from './record';
import { bytes } from './units';

/** What the run says of metadata; `null` for a run about data. */
export function metadataOf({ plan, manifest, metrics }: RunRecord, counted: readonly Sample[]): MetadataResults | null {
  const names = [...new Set(counted.map(({ arm }) => arm))];
  const arms = names.map((name): MetadataArm => {
    const deployed = manifest?.arms.find((arm) => arm.name === name);
    const configuration = plan?.arms.find((arm) => arm.name === name)?.configuration ?? null;
    const hourlyUsd = deployed?.hourlyUsd ?? null;
    const reason = deployed?.hourlyReason ?? (manifest === null ? 'the run has no manifest' : undefined);
    return { name, configuration, hourlyUsd, ...(reason === undefined ? {} : { reason }) };
  });
  const fleet = manifest?.fleet;
  return metadataResults({
    arms,
    samples: counted,
    metrics: metrics.flatMap(({ series }) => series),
    fleetHourlyUsd: fleet?.hourlyUsd ?? null,
    ...(fleet?.hourlyReason === undefined ? {} : { fleetReason: fleet.hourlyReason }),
    lab: manifest?.lab ?? false,
  });
}

/** The same operation on files of another size is another operation, in tables and charts: `file_create of 4 KiB`. */
export function nameBySize(sample: Sample): Sample {
  const { operation, fileBytes } = sample;
  return fileBytes && /^(file|dir)_/.test(operation)
    ? { ...sample, operation: sizedName(operation, fileBytes) }
    : sample;
}

/** An operation with the size of its files, where they are not empty. */
export function sizedName(operation: string, fileBytes: number | null): string {
  return fileBytes ? `${operation} of ${bytes(fileBytes)}` : operation;
}

const DONE: Readonly<Record<string, string>> = {
  file_create: 'created files',
  file_stat: 'looked at files',
  file_read: 'opened files',
  file_remove: 'removed files',
  file_rename: 'renamed files',
  dir_create: 'created directories',
  dir_stat: 'looked at directories',
  dir_remove: 'removed directories',
  dir_rename: 'renamed directories',
};

/** What an arm did, in words: `created files of 4 KiB`; `null` for what is no operation on files. */
export function fileVerb(operation: string): string | null {
  const [name = '', ...size] = operation.split(' of ');
  const verb = DONE[name];
  return verb === undefined ? null : [verb, ...size].join(' of ');
}
