/**
 * Minutes from a failed launch to the end of the deployment, if instances are still lacking then (docs/decisions/launch-failures.md). Auto
 * Scaling tries again by itself: a quota that the builder took is free a minute later, a new role is known everywhere by then, and somebody
 * may have given capacity back.
 */
export const LAUNCH_PATIENCE_MINUTES = 10;

/** A reason for which EC2 starts no instance. */
export interface LaunchFailure {
  /** Stable: `quota`, `capacity` … */
  readonly id: string;
  readonly cause: string;
  /** The next step for the user. */
  readonly advice: string;
  /** True for what may pass by itself while Auto Scaling tries again. */
  readonly passes: boolean;
}

interface Pattern extends LaunchFailure {
  /** Error codes, and words of the messages that scaling activities, instances and events have in their place. */
  readonly words: RegExp;
}

/**
 * Sources: EC2 error codes (https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html) and
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html; the first that fits.
 */
const PATTERNS: readonly Pattern[] = [
  {
    id: 'policy',
    passes: false,
    words: /explicit deny|UnauthorizedOperation|not authorized to perform/,
    cause: 'a policy denies it',
    advice: 'see who denies it: a service control policy of the organization, or a boundary; doctor --aws tries it',
  },
  {
    id: 'key',
    passes: false,
    words: /InvalidKMSKey|KMS key|Client\.InternalError|Client error on launch/,
    cause: "the account's key for EBS may not be used",
    advice: 'grant the role that starts instances the use of the key: doctor --aws has the command',
  },
  {
    id: 'quota',
    passes: true,
    words:
      /VcpuLimitExceeded|current vCPU limit|InstanceLimitExceeded|MaxSpotInstanceCountExceeded|[Mm]ax spot instance count/,
    cause: 'a quota on vCPUs',
    advice: 'request an increase: doctor --aws has the command, and what else counts on the quota',
  },
  {
    id: 'volumes',
    passes: false,
    words: /VolumeLimitExceeded|MaxIOPSLimitExceeded|Volume limit exceeded/,
    cause: 'a quota on volumes',
    advice: 'request an increase: doctor --aws has the command',
  },
  {
    id: 'capacity',
    passes: true,
    words:
      /InsufficientInstanceCapacity|UnfulfillableCapacity|[Ii]nsufficient capacity|sufficient \S+ capacity|no Spot capacity/,
    cause: 'the zone has no capacity for so many instances of the type, or not so close together',
    advice: "use another 'availabilityZone' or 'instanceType', fewer 'clients', 'placement' none, or wait",
  },
  {
    id: 'reservation',
    passes: true,
    words: /ReservationCapacityExceeded|CapacityReservation/,
    cause: 'the capacity reservation is used up, or does not fit',
    advice: 'compare its type, zone and free instances with the settings: doctor --aws does',
  },
  {
    id: 'image',
    passes: false,
    words: /InvalidAMIID|image id .* does not exist|ImageNotAllowed|not allowed by .*[Aa]llowed/,
    cause: 'the image is gone, or the account does not allow it',
    advice: 'doctor --aws says which',
  },
  {
    id: 'type',
    passes: false,
    words:
      /not supported in your requested Availability Zone|Unsupported|not eligible for Free Tier|configuration is currently not supported/,
    cause: 'the instance type cannot be had there',
    advice: "use another 'availabilityZone' or 'instanceType': doctor --aws names some",
  },
  {
    id: 'addresses',
    passes: false,
    words: /InsufficientFreeAddressesInSubnet|enough free addresses/,
    cause: 'the subnet has too few free addresses',
    advice: 'use a larger subnet',
  },
];

/** The reason that a message gives; `null` for one that is not known here. */
export function launchFailureOf(message: string): LaunchFailure | null {
  const found = PATTERNS.find(({ words }) => words.test(message));
  if (found === undefined) return null;
  const { words: _, ...failure } = found;
  return failure;
}
