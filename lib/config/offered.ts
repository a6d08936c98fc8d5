import {
  isZoneId,
  OFFERINGS_AS_OF,
  regionOfZone,
  regionsOffering,
  substituteFor,
  zoneIdsOf,
  zonesOffering,
} from '../fleet/offerings';
import { ConfigurationError } from './problem';

/** Where a fleet is to be. */
export interface Place {
  /** `undefined`: that of the zone, if one is named. */
  readonly region: string | undefined;
  /** By name, or by id. */
  readonly availabilityZone: string | undefined;
}

const LIST =
  'aws ec2 describe-instance-type-offerings --location-type availability-zone-id --filters Name=instance-type,Values=';

/** For whoever knows better than a table of some day. */
const OVERRULE = "If AWS offers it there by now, set 'checkOfferings' to false";

/**
 * CloudFormation would find it out when the fleet starts, after the file systems. Here is known what a Region offers, and a zone that is
 * given by its id; which zone of the table a name such as us-east-1a is, only the account knows: `fsxbench doctor --aws` asks it.
 *
 * @throws ConfigurationError when the table of offerings says that the type is not offered there
 */
export function checkOffered(type: string, { region, availabilityZone }: Place): void {
  const where = region ?? (availabilityZone === undefined ? null : regionOfZone(availabilityZone));
  const zones = where === null ? null : zonesOffering(type, where);
  if (where === null || zones === null) return;
  const [first] = zones;
  if (first === undefined) {
    const substitute = substituteFor(type, where);
    throw new ConfigurationError([
      `'instanceType' must be a type that ${where} offers, got "${type}", which it did not on ${OFFERINGS_AS_OF}. ` +
        `${substitute === null ? 'Take another type' : `Take ${substitute}, which has no less of anything`}, or a Region such as ` +
        `${regionsOffering(type).slice(0, 3).join(', ')}. ${OVERRULE}: ${LIST}${type} --region ${where}`,
    ]);
  }
  if (availabilityZone === undefined || !isZoneId(availabilityZone)) return;
  if (zones.includes(availabilityZone) || !zoneIdsOf(where)?.includes(availabilityZone)) return;
  throw new ConfigurationError([
    `'availabilityZone' must be a zone that offers ${type}, got "${availabilityZone}", which did not on ${OFFERINGS_AS_OF}. ` +
      `Take ${first}${zones.length > 1 ? ` (or ${zones.slice(1).join(', ')})` : ''}. ${OVERRULE}: ${LIST}${type} --region ${where}`,
  ]);
}

/**
 * What to say where a zone may lack the type and nobody can know at synth: it is given by its name, or left to CloudFormation.
 *
 * @returns `null` where every zone has it, the zone is given by its id, or nothing is known
 */
export function zoneMayLack(type: string, { region, availabilityZone }: Place): string | null {
  if (region === undefined || (availabilityZone !== undefined && isZoneId(availabilityZone))) return null;
  const [all, zones] = [zoneIdsOf(region), zonesOffering(type, region)];
  const lacking = all?.filter((zone) => !zones?.includes(zone)) ?? [];
  if (zones === null || zones.length === 0 || lacking.length === 0) return null;
  return (
    `${type} is not offered in ${lacking.join(', ')} (${OFFERINGS_AS_OF}), and which zone ` +
    `${availabilityZone ?? `the first of ${region}`} is differs from account to account; ` +
    `set 'availabilityZone' to an id such as ${zones[0]}, or ask the account: npx fsxbench doctor --aws`
  );
}
