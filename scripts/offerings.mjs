// Regenerates lib/fleet/offerings.json from the DescribeInstanceTypeOfferings responses packaged in moto, which the lab's Python
// environment has: `node scripts/offerings.mjs 2026-10-27`, with the release date of that moto. Run it after
// changing moto's version in assets/lab/requirements.txt.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { motoResources, readCompressed, releaseDate } from './lib/moto.mjs';
import { root } from './lib/project.mjs';

const asOf = releaseDate();
const { folder: resources, version } = await motoResources();
const folder = join(resources, 'instance_type_offerings/availability-zone-id');

const regions = {};
const zonesOf = new Map();
for (const file of readdirSync(folder).sort()) {
  const offered = readCompressed(join(folder, file));
  const region = file.replace(/\.json(\.gz)?$/, '');
  regions[region] = [...new Set(offered.map(({ Location }) => Location))].sort().join(' ');
  for (const { InstanceType: type, Location: zone } of offered) {
    zonesOf.set(type, (zonesOf.get(type) ?? new Set()).add(zone));
  }
}

/** A Region by name if all of its zones are meant, otherwise its zones. */
function shortened(zones) {
  return Object.entries(regions)
    .flatMap(([region, all]) => {
      const own = all.split(' ').filter((zone) => zones.has(zone));
      return own.length === all.split(' ').length ? [region] : own;
    })
    .join(' ');
}

const groups = new Map();
for (const [type, zones] of [...zonesOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const where = shortened(zones);
  groups.set(where, [...(groups.get(where) ?? []), type]);
}
const document = {
  source: `EC2 DescribeInstanceTypeOfferings by availability-zone-id, as packaged in moto ${version} (https://pypi.org/project/moto/${version}/)`,
  asOf,
  regions,
  groups: [...groups].map(([where, types]) => ({ types: types.join(' '), where })),
};
writeFileSync(join(root, 'lib/fleet/offerings.json'), `${JSON.stringify(document, null, 2)}\n`);
console.log(`${zonesOf.size} types, ${Object.keys(regions).length} Regions, ${groups.size} groups`);
