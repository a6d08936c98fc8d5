import data from './offerings.json';

/** Day of the table. Types are added to zones all the time and rarely removed. */
export const OFFERINGS_AS_OF = data.asOf;

const REGIONS: Readonly<Record<string, string>> = data.regions;
const GROUPS = data.groups.map(({ types, where }) => ({ types: types.split(' '), where: where.split(' ') }));

/** An id such as use1-az3, which means the same place in every account; us-east-1a does not (EC2 user guide, using-regions-availability-zones). */
export const isZoneId = (zone: string): boolean => /^[a-z]+\d-az\d+$/.test(zone);

/** Ids of a Region's Availability Zones; `null` for a Region that is not in the table. */
export const zoneIdsOf = (region: string): readonly string[] | null =>
  Object.hasOwn(REGIONS, region) ? (REGIONS[region] as string).split(' ') : null;

/** The Region of a zone, by name or id; `null` for an id that is not in the table. */
export function regionOfZone(zone: string): string | null {
  if (!isZoneId(zone)) return zone.replace(/[a-z]$/, '');
  return Object.keys(REGIONS).find((region) => zoneIdsOf(region)?.includes(zone)) ?? null;
}

/** Ids of the zones of a Region that offer an instance type; `null` if the table lacks the Region or the type, which may be new. */
export function zonesOffering(type: string, region: string): readonly string[] | null {
  const group = GROUPS.find(({ types }) => types.includes(type));
  const zones = zoneIdsOf(region);
  if (group === undefined || zones === null) return null;
  return zones.filter((zone) => group.where.includes(region) || group.where.includes(zone));
}

/** Regions with a zone that offers the type, as far as they are in the table. */
export const regionsOffering = (type: string): readonly string[] =>
  Object.keys(REGIONS).filter((region) => (zonesOffering(type, region) ?? []).length > 0);

/** True for types of Amazon's own processors, whose letter follows the generation: c7gn, not g5. */
export const isArm = (type: string): boolean => /^[a-z]+\d+g/.test(type);
