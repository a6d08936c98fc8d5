import type { Benchmark } from '../benchmark/benchmark';
import { requireThat } from '../common/configurationError';
import type { Placement, Purchase } from '../fleet/fleet';
import { bootsAmazonLinux, instanceType as infoOf, isWithoutSpot } from '../fleet/instanceTypes';
import type { Settings } from './fields';

/** The way in which the settings buy the clients. @throws ConfigurationError */
export function purchaseOf(settings: Settings): Purchase {
  const {
    purchase: kind = 'on-demand',
    capacityReservationId: id,
    placementGroup,
    availabilityZone,
    subnetId,
  } = settings;
  if (kind !== 'capacity-reservation') {
    const absent = `absent when 'purchase' is ${kind}`;
    const ofReservation = "Set 'purchase' to capacity-reservation to use it.";
    requireThat(id === undefined, 'capacityReservationId', absent, id, ofReservation);
    const ofStack = "The stack creates its own group if 'placement' needs one; leave it out.";
    requireThat(placementGroup === undefined, 'placementGroup', absent, placementGroup, ofStack);
    return { kind };
  }
  const given = `given when 'purchase' is ${kind}`;
  const list = 'aws ec2 describe-capacity-reservations';
  requireThat(id !== undefined, 'capacityReservationId', given, id, `List them with: ${list}`);
  // A reservation is for one zone (EC2 user guide, capacity-reservations); elsewhere its clients would never start.
  const isPlaced = availabilityZone !== undefined || subnetId !== undefined;
  const ofZone = `Set it to the zone of the reservation: ${list} --capacity-reservation-ids ${id}`;
  requireThat(isPlaced, 'availabilityZone', given, availabilityZone, ofZone);
  return { kind, id, placementGroup };
}

/** EC2 reports a type that it cannot start that way only when the fleet starts, after the file systems. */
export function checkType(instanceType: string, placement: Placement, { kind }: Purchase): void {
  const require = (kept: boolean, must: string, next: string) =>
    requireThat(kept, 'instanceType', must, instanceType, next);
  const boots = bootsAmazonLinux(instanceType);
  require(boots, 'a type that Amazon Linux 2023 boots on', 'Use one such as c5n.large.');
  // No burstable and no flex type can be in one (EC2 user guide, placement-strategies), nor some older ones.
  const apart = /^(t\d|[a-z0-9]+-flex\.)/.test(instanceType) || infoOf(instanceType)?.placementGroup === false;
  const together = "Use one with fixed performance, such as c5n.large, or 'placement' none.";
  require(placement !== 'cluster' || !apart, 'a type for cluster placement groups', together);
  const isSold = kind !== 'spot' || !isWithoutSpot(instanceType);
  require(isSold, "a type that EC2 has as Spot Instances with 'purchase' spot", "Leave 'purchase' out.");
}

/** Placement of the clients. A capacity reservation decides it: reserved instances are in the reservation's group, or in none. */
export function placementOf(
  { placement }: Settings,
  { placement: usual = 'cluster' }: Benchmark,
  purchase: Purchase,
): Placement {
  if (purchase.kind !== 'capacity-reservation') return placement ?? usual;
  const { placementGroup: group } = purchase;
  const reserved = group === undefined ? 'none' : 'cluster';
  const [must, next] =
    group === undefined
      ? [
          'none with a capacity reservation that was made in no placement group',
          "Leave it out, or name the group of the reservation with 'placementGroup'.",
        ]
      : [`cluster with 'placementGroup' ${group}`, 'Leave one of the two out.'];
  requireThat(placement === undefined || placement === reserved, 'placement', must, placement, next);
  return reserved;
}
