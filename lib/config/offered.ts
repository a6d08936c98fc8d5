import { ConfigurationError, requireNone } from '../common/configurationError';
import { unless, violationMessage } from '../common/violation';
import { isZoneId, OFFERINGS_AS_OF, regionOfZone, regionsOffering, zoneIdsOf, zonesOffering } from '../fleet/offerings';
import type { StorageConfiguration } from '../schema/deployment';
import { storageOf } from '../storage/lookup';

export interface FleetPlace {
  /** `undefined`: the Region of the zone, if one is given. */
  readonly region: string | undefined;
  /** By name, or by id. */
  readonly availabilityZone: string | undefined;
}

const LIST =
  'aws ec2 describe-instance-type-offerings --location-type availability-zone-id --filters Name=instance-type,Values=';

const OVERRULE = "If AWS now offers it there, set 'checkOfferings' to false";

/**
 * Checks that the instance type is offered, which CloudFormation would find out only when the fleet starts, after the file systems. The
 * table has zones by id; a name such as us-east-1a is account-specific: `fsxbench doctor --aws` resolves it.
 */
export function checkOffered(type: string, { region, availabilityZone }: FleetPlace): void {
  const where = region ?? (availabilityZone === undefined ? null : regionOfZone(availabilityZone));
  const zones = where === null ? null : zonesOffering(type, where);
  if (where === null || zones === null) return;
  const [first] = zones;
  if (first === undefined) {
    throw new ConfigurationError([
      `'instanceType' must be a type that ${where} offers, got "${type}", which it did not on ${OFFERINGS_AS_OF}. ` +
        `Use another type, or a Region such as ${regionsOffering(type).slice(0, 3).join(', ')}. ${OVERRULE}: ${LIST}${type} --region ${where}`,
    ]);
  }
  if (availabilityZone === undefined || !isZoneId(availabilityZone)) return;
  if (zones.includes(availabilityZone) || !zoneIdsOf(where)?.includes(availabilityZone)) return;
  throw new ConfigurationError([
    `'availabilityZone' must be a zone that offers ${type}, got "${availabilityZone}", which did not on ${OFFERINGS_AS_OF}. ` +
      `Use ${first}${zones.length > 1 ? ` (or ${zones.slice(1).join(', ')})` : ''}. ${OVERRULE}: ${LIST}${type} --region ${where}`,
  ]);
}

/** Checks that a Region is known, offers the file systems and has the zone: CloudFormation would report it after minutes, if at all. */
export function checkRegion(storages: readonly StorageConfiguration[], { region, availabilityZone }: FleetPlace): void {
  if (region === undefined) return;
  const absent = storages.flatMap((storage) => {
    const { absentIn, words } = storageOf(storage).configuration;
    const violation = absentIn?.(storage, region) ?? null;
    return violation === null ? [] : [`${violationMessage(violation, words)} ${OVERRULE}.`];
  });
  const isThere = availabilityZone === undefined || regionOfZone(availabilityZone) === region;
  const must = `in the Region of the deployment, ${region}`;
  const next = 'Choose a zone there, or set AWS_REGION.';
  const unknown =
    `AWS_REGION must be a Region whose offerings fsxbench knows, got "${region}". Check that it offers the file systems and the ` +
    "instance type, then set 'checkOfferings' to false.";
  const place =
    zoneIdsOf(region) === null ? [unknown] : unless(isThere, 'availabilityZone', must, availabilityZone, next);
  requireNone([...absent, ...place]);
}

/** A warning if a zone that is unknown at synth may lack the type; `null` if all zones have it, the zone's id is given, or nothing is known. */
export function zoneMayLack(type: string, { region, availabilityZone }: FleetPlace): string | null {
  if (region === undefined || (availabilityZone !== undefined && isZoneId(availabilityZone))) return null;
  const [all, zones] = [zoneIdsOf(region), zonesOffering(type, region)];
  const lacking = all?.filter((zone) => !zones?.includes(zone)) ?? [];
  if (zones === null || zones.length === 0 || lacking.length === 0) return null;
  return (
    `${type} is not offered in ${lacking.join(', ')} (${OFFERINGS_AS_OF}). ` +
    `In your account, ${availabilityZone ?? `the first zone of ${region}`} may be such a zone: ` +
    `set 'availabilityZone' to an id such as ${zones[0]}, or check with npx fsxbench doctor --aws`
  );
}
