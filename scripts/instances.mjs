// Regenerates lib/fleet/instanceTypes.json from the DescribeInstanceTypes responses packaged in moto, which the lab's Python environment
// has: `node scripts/instances.mjs 2026-10-27`, with the release date of that moto. Run it after changing moto's version in
// assets/lab/requirements.txt.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { motoResources, readCompressed, releaseDate } from './lib/moto.mjs';
import { root } from './lib/project.mjs';

const asOf = releaseDate();
const { folder, version } = await motoResources();
const described = Object.values(readCompressed(join(folder, 'instance_types.json.gz')));

const COLUMNS = [
  ...['vcpus', 'memoryMiB', 'networkBaselineMbps', 'networkBurstMbps', 'ebsBaselineMBps', 'ebsBurstMBps'],
  ...['efa', 'placementGroup'],
];

/** A type as a row; none without a network or EBS bandwidth, which is what the data is for. */
function rowOf({ VCpuInfo, MemoryInfo, NetworkInfo, EbsInfo, PlacementGroupInfo }) {
  // Lustre over TCP uses one card.
  const [card] = NetworkInfo?.NetworkCards ?? [];
  const { BaselineThroughputInMBps: baseline, MaximumThroughputInMBps: most } = EbsInfo?.EbsOptimizedInfo ?? {};
  if (card?.BaselineBandwidthInGbps === undefined || baseline === undefined) return null;
  return [
    ...[VCpuInfo.DefaultVCpus, MemoryInfo.SizeInMiB],
    ...[card.BaselineBandwidthInGbps, card.PeakBandwidthInGbps].map((gigabits) => Math.round(gigabits * 1000)),
    ...[baseline, most],
    NetworkInfo.EfaSupported === true,
    PlacementGroupInfo?.SupportedStrategies?.includes('cluster') === true,
  ];
}

const rows = described
  .map((type) => ({ name: type.InstanceType, family: type.InstanceType.split('.')[0], row: rowOf(type) }))
  .filter(({ row }) => row !== null)
  .sort((a, b) =>
    a.family < b.family
      ? -1
      : a.family > b.family
        ? 1
        : a.row[0] - b.row[0] || a.row[1] - b.row[1] || (a.name < b.name ? -1 : 1),
  );
const source = `EC2 DescribeInstanceTypes as packaged in moto ${version} (https://pypi.org/project/moto/${version}/)`;
const lines = rows.map(
  ({ name, row }) => `    ${JSON.stringify(name)}: [${row.map((value) => JSON.stringify(value)).join(', ')}]`,
);
writeFileSync(
  join(root, 'lib/fleet/instanceTypes.json'),
  `{\n  "source": ${JSON.stringify(source)},\n  "asOf": ${JSON.stringify(asOf)},\n  "columns": ${JSON.stringify(COLUMNS, null, 1).replaceAll(/\n\s*/g, ' ').replace('[ ', '[').replace(' ]', ']')},\n  "types": {\n${lines.join(',\n')}\n  }\n}\n`,
);
console.log(`${rows.length} of ${described.length} types`);
