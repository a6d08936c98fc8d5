// Regenerates lib/fleet/instanceTypes.json and offerings.json from EC2's answers packaged in moto, which the lab's Python environment has:
// `node scripts/instances.mjs 2026-10-27`, with the release date of that moto, which no file of it says. Run it after changing moto's version in
// assets/lab/requirements.in.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from './lib/project.mjs';

const [, script, asOf = ''] = process.argv;
if (!/^\d{4}-\d\d-\d\d$/.test(asOf)) {
  console.error(`the release date of moto is missing: node ${script} 2026-10-27`);
  process.exit(2);
}
const outputOf = (...command) => execFileSync(...command, { encoding: 'utf8' }).trim();
const python = outputOf(join(root, 'scripts/install-python'), []);
const [version, folder] = outputOf(python, ['-c', 'import moto; print(moto.__version__, *moto.__path__)']).split(' ');
const resources = join(folder, 'ec2/resources');
const answer = (...path) => JSON.parse(gunzipSync(readFileSync(join(resources, ...path))));

/** Writes a table with its source. Biome breaks its lines. */
function write(name, what, table) {
  const file = join(root, 'lib/fleet', name);
  const source = `EC2 ${what} packaged in moto ${version} (https://pypi.org/project/moto/${version}/)`;
  writeFileSync(file, JSON.stringify({ source, asOf, ...table }, null, 2));
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', file]);
}

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

/** The order of two lists, which their first difference decides. */
const inOrder = (a, b) => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : a[at] < b[at] ? -1 : 1;
};
const place = ([name, { vcpus, memoryMiB }]) => [name.split('.')[0], vcpus, memoryMiB, name];
const described = answer('instance_types.json.gz');
const names = Object.keys(described).sort();
const rows = names
  .map((name) => [name, rowOf(described[name])])
  .filter(([, row]) => row !== null)
  .sort((one, other) => inOrder(place(one), place(other)));
/** Gbit/s of all network cards together, as EC2 words it: `3200 Gigabit`, `4x 100 Gigabit`. */
function allCardsGbps({ NetworkInfo: { NetworkPerformance, EfaSupported, NetworkCards } }) {
  const [, cards = '1', each = '0'] = /^(?:(\d+)x )?(\d+) Gigabit$/.exec(NetworkPerformance) ?? [];
  return EfaSupported === true && NetworkCards.length > 1 ? Number(cards) * Number(each) : 0;
}
const severalCards = rows
  .map(([name, { networkBaselineMbps }]) => [name, allCardsGbps(described[name]) * 1000, networkBaselineMbps])
  .filter(([, all, one]) => all > one)
  .map(([name, all]) => [name, all]);
const namesWhere = (isMeant) => names.filter((name) => isMeant(described[name])).join(' ');
write('instanceTypes.json', 'DescribeInstanceTypes as', {
  columns: Object.keys(rows[0][1]),
  withoutSpot: namesWhere(({ SupportedUsageClasses }) => !SupportedUsageClasses.includes('spot')),
  onXen: namesWhere(({ Hypervisor }) => Hypervisor === 'xen'),
  efaMbps: Object.fromEntries(severalCards),
  types: Object.fromEntries(rows.map(([name, row]) => [name, Object.values(row)])),
});

const regions = {};
const zonesOf = new Map();
for (const file of readdirSync(join(resources, 'instance_type_offerings/availability-zone-id')).sort()) {
  const offered = answer('instance_type_offerings/availability-zone-id', file);
  regions[file.replace(/\.json(\.gz)?$/, '')] = [...new Set(offered.map(({ Location }) => Location))].sort();
  for (const { InstanceType: type, Location: zone } of offered)
    zonesOf.set(type, (zonesOf.get(type) ?? new Set()).add(zone));
}
/** A Region by name if all of its zones are meant, otherwise its zones. */
const shortened = (zones) =>
  Object.entries(regions)
    .flatMap(([region, all]) => (all.every((zone) => zones.has(zone)) ? region : all.filter((zone) => zones.has(zone))))
    .join(' ');
const groups = Map.groupBy([...zonesOf].sort(inOrder), ([, zones]) => shortened(zones));
write('offerings.json', 'DescribeInstanceTypeOfferings by availability-zone-id, as', {
  regions: Object.fromEntries(Object.entries(regions).map(([region, zones]) => [region, zones.join(' ')])),
  groups: [...groups].map(([where, all]) => ({ types: all.map(([type]) => type).join(' '), where })),
});
console.log(`${rows.length} types described, ${zonesOf.size} offered in ${Object.keys(regions).length} Regions`);
