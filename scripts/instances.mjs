// Regenerates lib/fleet/instanceTypes.json and offerings.json from EC2's answers packaged in moto, which the lab's Python environment has:
// `node scripts/instances.mjs 2026-10-27`, with the release date of that moto, which no file of it says. Run it after changing moto's version in
// assets/lab/requirements.in.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from './lib/project.mjs';
import { ensureVenv } from './lib/venv.mjs';

const [, script, asOf = ''] = process.argv;
if (!/^\d{4}-\d\d-\d\d$/.test(asOf)) {
  console.error(`the release date of moto is missing: node ${script} 2026-10-27`);
  process.exit(2);
}
const { python } = await ensureVenv({ root });
const site = join(python, '../../lib');
const packages = join(site, readdirSync(site).find((name) => name.startsWith('python3')) ?? '', 'site-packages');
const [, version] = /moto-([\d.]+)\.dist-info/.exec(readdirSync(packages).join(' '));
const resources = join(packages, 'moto/ec2/resources');
const answer = (...path) => JSON.parse(gunzipSync(readFileSync(join(resources, ...path))));
const source = (what) => `EC2 ${what} packaged in moto ${version} (https://pypi.org/project/moto/${version}/)`;
const byName = ([a], [b]) => (a < b ? -1 : 1);

/** A type as a row; none without a network or EBS bandwidth, which is what the data is for. */
function rowOf({ VCpuInfo, MemoryInfo, NetworkInfo, EbsInfo, PlacementGroupInfo }) {
  // Lustre over TCP uses one card.
  const [card] = NetworkInfo?.NetworkCards ?? [];
  const { BaselineThroughputInMBps: baseline, MaximumThroughputInMBps: most } = EbsInfo?.EbsOptimizedInfo ?? {};
  if (card?.BaselineBandwidthInGbps === undefined || baseline === undefined) return null;
  return {
    vcpus: VCpuInfo.DefaultVCpus,
    memoryMiB: MemoryInfo.SizeInMiB,
    networkBaselineMbps: Math.round(card.BaselineBandwidthInGbps * 1000),
    networkBurstMbps: Math.round(card.PeakBandwidthInGbps * 1000),
    ebsBaselineMBps: baseline,
    ebsBurstMBps: most,
    efa: NetworkInfo.EfaSupported === true,
    placementGroup: PlacementGroupInfo?.SupportedStrategies?.includes('cluster') === true,
  };
}

const familyOf = (name) => name.split('.')[0];
const rows = Object.values(answer('instance_types.json.gz'))
  .map((type) => [type.InstanceType, rowOf(type)])
  .filter(([, row]) => row !== null)
  .sort(
    ([a, one], [b, other]) =>
      byName([familyOf(a)], [familyOf(b)]) * Number(familyOf(a) !== familyOf(b)) ||
      one.vcpus - other.vcpus ||
      one.memoryMiB - other.memoryMiB ||
      byName([a], [b]),
  );
const text = (value) => JSON.stringify(value).replaceAll(',', ', ');
writeFileSync(
  join(root, 'lib/fleet/instanceTypes.json'),
  `{
  "source": ${JSON.stringify(source('DescribeInstanceTypes as'))},
  "asOf": "${asOf}",
  "columns": ${text(Object.keys(rows[0][1]))},
  "types": {
${rows.map(([name, row]) => `    "${name}": ${text(Object.values(row))}`).join(',\n')}
  }
}\n`,
);

const regions = {};
const zonesOf = new Map();
for (const file of readdirSync(join(resources, 'instance_type_offerings/availability-zone-id')).sort()) {
  const offered = answer('instance_type_offerings/availability-zone-id', file);
  regions[file.replace(/\.json(\.gz)?$/, '')] = [...new Set(offered.map(({ Location }) => Location))].sort().join(' ');
  for (const { InstanceType: type, Location: zone } of offered)
    zonesOf.set(type, (zonesOf.get(type) ?? new Set()).add(zone));
}
/** A Region by name if all of its zones are meant, otherwise its zones. */
const shortened = (zones) =>
  Object.entries(regions)
    .flatMap(([region, all]) =>
      all.split(' ').every((zone) => zones.has(zone)) ? region : all.split(' ').filter((zone) => zones.has(zone)),
    )
    .join(' ');
const groups = Map.groupBy([...zonesOf].sort(byName), ([, zones]) => shortened(zones));
const document = {
  source: source('DescribeInstanceTypeOfferings by availability-zone-id, as'),
  asOf,
  regions,
  groups: [...groups].map(([where, all]) => ({ types: all.map(([type]) => type).join(' '), where })),
};
writeFileSync(join(root, 'lib/fleet/offerings.json'), `${JSON.stringify(document, null, 2)}\n`);
console.log(`${rows.length} types described, ${zonesOf.size} offered in ${Object.keys(regions).length} Regions`);
