import type { FileSystem } from '@aws-sdk/client-fsx';
import type { Described } from '../../schema/run';
import type { PublishedMetric } from '../metrics';
import { dimensionsOf, identityOf, LUSTRE_METRICS, type MetricScope } from './metricTable';
import { metadataTargetsOf, type ServerNames, serverNamesOf } from './servers';
import { stateOf } from './state';

const NAMES: Readonly<Record<MetricScope, (names: ServerNames) => readonly string[]>> = {
  'file-system': () => [],
  oss: ({ oss }) => oss,
  mds: ({ mds }) => mds,
  ost: ({ ost }) => ost,
  mdt: ({ mdt }) => mdt,
  target: ({ ost, mdt }) => [...ost, ...mdt],
  publisher: () => ['AutoImport', 'AutoExport'],
};

/** Metrics that a file system of this size is expected to publish, for a time that CloudWatch no longer lists. */
export function presumedMetrics(fileSystemId: string, described: Described | null): PublishedMetric[] {
  const names = namesOf(described as FileSystem | null);
  const identity = identityOf(fileSystemId);
  return LUSTRE_METRICS.flatMap(({ name, scope }): PublishedMetric[] => {
    const own = dimensionsOf(scope)[1];
    if (own === undefined) return [{ metric: name, dimensions: identity }];
    return NAMES[scope](names).map((part) => ({ metric: name, dimensions: { ...identity, [own]: part } }));
  });
}

/** The servers and targets of a file system; those of its data only where their number is known. */
function namesOf(described: FileSystem | null): ServerNames {
  if (!described?.LustreConfiguration) return { oss: [], ost: [], mds: [], mdt: [] };
  const { configuration, metadataIops } = stateOf(described);
  const mdt = metadataTargetsOf(metadataIops ?? 0);
  return serverNamesOf(configuration) ?? { oss: [], ost: [], mds: mdt.map((name) => name.replace('MDT', 'MDS')), mdt };
}
