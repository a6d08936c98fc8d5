import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCALES } from '../../lib/benchmark/benchmark';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { REGIONS } from '../../lib/common/aws/regions';
import { instanceType, instanceTypeNames } from '../../lib/fleet/instanceTypes';
import {
  isZoneId,
  OFFERINGS_AS_OF,
  regionOfZone,
  regionsOffering,
  zoneIdsOf,
  zonesOffering,
} from '../../lib/fleet/offerings';

// Of the several network cards of a p4d one counts.
test.each([
  ...['c5n.9xlarge', 'c5n.large', 't3.medium', 'p4d.24xlarge', 'p5.48xlarge', 'p5en.48xlarge', 'g5.xlarge'],
  ...['g6.2xlarge', 'trn1.32xlarge', 'r6i.large', 'c8g.xlarge'],
])('%s is what AWS documents', (name) => expect(instanceType(name)).toMatchSnapshot());

test('an instance type that is not in the data is unknown, not guessed', () => {
  expect(instanceType('c5n.10xlarge')).toBeNull();
  expect(instanceType('constructor')).toBeNull();
});

test('every type has processors, memory, network and EBS, and bursts only above its baseline', () => {
  const wrong = instanceTypeNames().filter((name) => {
    const info = instanceType(name);
    if (info === null) return true;
    const { vcpus, memoryMiB, networkBaselineMbps, networkBurstMbps = Number.POSITIVE_INFINITY } = info;
    const { ebsBaselineMBps, ebsBurstMBps = Number.POSITIVE_INFINITY } = info;
    return !(
      vcpus > 0 &&
      memoryMiB > 0 &&
      networkBaselineMbps > 0 &&
      networkBurstMbps > networkBaselineMbps &&
      ebsBaselineMBps > 0 &&
      ebsBurstMBps > ebsBaselineMBps
    );
  });
  expect(wrong).toEqual([]);
});

const TABLE = JSON.parse(readFileSync(join(__dirname, '../../lib/fleet/offerings.json'), 'utf8')) as {
  source: string;
  regions: Record<string, string>;
  groups: { types: string; where: string }[];
};

test('names its source and its day', () => {
  const requirements = readFileSync(join(__dirname, '../../assets/lab/requirements.in'), 'utf8');
  const [, moto] = /^moto\[server\]==([\d.]+)$/m.exec(requirements) ?? [];
  expect(TABLE.source).toContain(`moto ${moto} (`);
  expect(OFFERINGS_AS_OF).toMatch(/^2026-\d\d-\d\d$/);
});

test('c5n is missing where AWS does not have it', () => {
  expect(zonesOffering('c5n.9xlarge', 'us-east-1')?.join(' ')).toBe('use1-az1 use1-az2 use1-az4 use1-az5 use1-az6');
  expect(zonesOffering('c5n.9xlarge', 'eu-west-2')).not.toContain('euw2-az4');
  expect(zonesOffering('c5n.9xlarge', 'ap-northeast-2')).not.toContain('apne2-az4');
  const without = Object.keys(TABLE.regions).filter((region) => zonesOffering('c5n.9xlarge', region)?.length === 0);
  expect(without.join(' ')).toBe(
    'ap-south-2 ap-southeast-4 ap-southeast-5 ca-west-1 eu-central-2 eu-south-2 il-central-1 me-central-1',
  );
});

test('what is not in the table is unknown, never absent', () => {
  expect(zonesOffering('c5n.9xlarge', 'mx-central-1')).toBeNull();
  expect(zonesOffering('c99x.large', 'us-east-1')).toBeNull();
  expect(zoneIdsOf('constructor')).toBeNull();
  expect(regionsOffering('c99x.large')).toEqual([]);
});

test('every line names Regions and zones that are there, and no type stands twice', () => {
  const places = Object.keys(TABLE.regions).flatMap((region) => [region, ...(zoneIdsOf(region) ?? [])]);
  expect(TABLE.groups.flatMap(({ where }) => where.split(' ')).filter((place) => !places.includes(place))).toEqual([]);
  const types = TABLE.groups.flatMap((group) => group.types.split(' '));
  expect(new Set(types).size).toBe(types.length);
  expect(Object.keys(TABLE.regions).filter((region) => !REGIONS.includes(region))).toEqual([]);
  expect(places.filter((place) => isZoneId(place) === Object.hasOwn(TABLE.regions, place))).toEqual([]);
});

test('every documented type is offered somewhere, those of the benchmarks in us-east-1', () => {
  expect(instanceTypeNames().filter((type) => regionsOffering(type).length === 0)).toEqual([]);
  const own = BENCHMARKS.flatMap(({ fleet }) => SCALES.map((scale) => fleet(scale).instanceType));
  expect(own.filter((type) => !regionsOffering(type).includes('us-east-1'))).toEqual([]);
});

test.each([
  ['us-east-1a', 'us-east-1'],
  ['ap-southeast-2b', 'ap-southeast-2'],
  ['use1-az3', 'us-east-1'],
  ['usw2-az4', 'us-west-2'],
  ['mxc1-az1', null],
])('the Region of %s is %s', (zone, region) => {
  expect(regionOfZone(zone)).toBe(region);
});
