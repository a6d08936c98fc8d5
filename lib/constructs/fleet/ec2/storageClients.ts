import { Duration, RemovalPolicy, Token } from 'aws-cdk-lib';
import type * as autoscaling from 'aws-cdk-lib/aws-autoscaling';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { describeGiven, violationMessage } from '../../../common/violation';
import {
  type FleetConfiguration,
  PLACEMENTS,
  type Placement,
  type Purchase,
  TUNINGS,
  type Tuning,
} from '../../../fleet/configuration';
import { bootsAmazonLinux, instanceType as infoOf, isWithoutSpot } from '../../../fleet/instanceTypes';
import { unresolvedTokenMessage } from '../../common';
import type { MountableStorage } from '../../storage/construct';
import type { ClientMount } from '../construct';
import { Fleet } from './fleet';

/** Clients: what they mount, how many there are, and what they run. */
export interface StorageClientsProps {
  /**
   * File systems by absolute mount path, such as `{ '/fsx': fileSystem }`, in one subnet, also the clients': traffic between zones costs money and
   * time.
   */
  readonly mounts: Readonly<Record<string, MountableStorage>>;
  readonly instanceType: ec2.InstanceType;
  /** Number of clients, from 1 to 1000: the group neither grows nor shrinks by itself. @default 1 */
  readonly clients?: number;
  /** Commands that each client runs as root, in one shell, once everything is mounted; one that fails fails the deployment. @default - none */
  readonly setup?: readonly string[];
  /**
   * Settings of the Lustre client: `advised` is what AWS advises for the size of the machine, `published-metadata` adds those of AWS's metadata study
   * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html).
   * @default advised
   */
  readonly tuning?: Tuning;
  /** Clients have an EFA interface and mount over it; each file system must have been made with EFA. @default false: over TCP */
  readonly efa?: boolean;
  /** @default on demand */
  readonly purchase?: Purchase;
  /** Placement: close together, wherever there is room, or on separate racks. A capacity reservation decides it itself. @default none */
  readonly placement?: Placement;
  /** Id of an image of Amazon Linux 2023. @default - the newest one with `kernel` when an instance is launched */
  readonly image?: string;
  /** Kernel of Amazon Linux 2023. @default 6.1 */
  readonly kernel?: FleetConfiguration['kernel'];
  /** Size of the root volume (gp3, encrypted) in GiB, at least 8. @default 30 */
  readonly rootVolumeGiB?: number;
  /** Time that CloudFormation waits for all clients to be ready, from 10 minutes to an hour. @default 30 minutes */
  readonly bootTimeout?: Duration;
  /** Log group that gets the log of each boot and, if it fails, the reason. @default - a new one, kept for a month */
  readonly logGroup?: logs.ILogGroup;
}

/**
 * Clients that have file systems mounted and tuned, now and after every reboot: an Auto Scaling group of fixed size next to the file systems. The
 * deployment succeeds when all clients have everything mounted and have run `setup`.
 *
 * - Nobody can log in but by Session Manager; no port is open. Out go HTTPS and what the file systems need.
 * - The layout and the ownership of what is on the file systems stay as they are.
 * - When clients cannot be launched, a state machine ends the deployment after minutes instead of when `bootTimeout` is over.
 * - A change that replaces clients replaces all of them at once.
 */
export class StorageClients extends Construct implements ec2.IConnectable, iam.IGrantable {
  readonly connections: ec2.Connections;
  readonly autoScalingGroup: autoscaling.AutoScalingGroup;
  /** Role of the clients, for more rights. */
  readonly role: iam.IRole;
  readonly grantPrincipal: iam.IPrincipal;
  /** Log group that gets the log of each boot. */
  readonly logGroup: logs.ILogGroup;

  /** @throws Error with everything that AWS would refuse, or that would fail at a client's boot */
  constructor(scope: Construct, id: string, props: StorageClientsProps) {
    super(scope, id);
    const { mounts, logGroup, clients = 1, placement = 'none', bootTimeout = Duration.minutes(30), ...rest } = props;
    const given = { ...rest, clients, placement, bootTimeout };
    const fileSystems = Object.values(mounts);
    const late = lateProblems({ ...given, mounts });
    // Rules cannot judge them, and would only show what stands for them.
    const problems = late.length > 0 ? late : problemsOf({ ...given, mounts });
    const [first] = fileSystems;
    if (first === undefined || problems.length > 0) throw new Error(problems.join('\n'));
    this.logGroup =
      logGroup ??
      new logs.LogGroup(this, 'Logs', {
        retention: logs.RetentionDays.ONE_MONTH,
        // The logs show why a boot failed after CloudFormation has rolled back.
        removalPolicy: RemovalPolicy.RETAIN,
      });
    const { vpc, subnet } = first;
    const fleet = new Fleet(this, 'Fleet', {
      ...given,
      network: { vpc, subnet, egress: subnet.internetConnectivityEstablished },
      mounts: Object.entries(mounts).map(([mountPoint, storage], index) => mountOf(mountPoint, storage, index)),
      logGroup: this.logGroup,
    });
    for (const fileSystem of fileSystems) {
      fileSystem.grantMount(fleet, fleet.settled);
      // A client mounts at boot, so the ports must be open by then.
      fleet.bootAfter(fileSystem);
    }
    this.connections = fleet.connections;
    this.autoScalingGroup = fleet.autoScalingGroup;
    this.role = fleet.role;
    this.grantPrincipal = fleet.role;
  }
}

/** The name is in the boot log and identifies the mount in a client's scripts: paths may differ in characters that a name cannot have. */
const mountOf = (mountPoint: string, storage: MountableStorage, index: number): ClientMount => ({
  name: `at${index === 0 ? '' : index + 1}${mountPoint.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
  kind: storage.kind,
  mountPoint,
  ...storage.mountValues(),
});

/** A mount hides earlier mounts below it, and `..` would lead elsewhere than the name says. */
function pathProblems(paths: readonly string[]): string[] {
  const must = (what: string, isWrong: (path: string) => boolean): string[] =>
    paths.filter(isWrong).map((path) => `'mounts' must be ${what}, got '${path}'`);
  return [
    ...(paths.length > 0 ? [] : ["'mounts' must name at least one file system"]),
    ...must('absolute paths of letters, digits and ._-/', (path) => !/^(?:\/[A-Za-z0-9._-]+)+$/.test(path)),
    ...must('paths without . and ..', (path) => path.split('/').some((part) => part === '.' || part === '..')),
    ...must('paths of which none is inside another', (path) => paths.some((other) => path.startsWith(`${other}/`))),
  ];
}

type Given = StorageClientsProps & Required<Pick<StorageClientsProps, 'clients' | 'placement' | 'bootTimeout'>>;

/** Values that are not known yet. The type decides which image is booted, the others stand in texts and rules. */
function lateProblems(given: Given): string[] {
  const { mounts, instanceType, clients, rootVolumeGiB, bootTimeout, tuning, placement, kernel } = given;
  const values = { instanceType: instanceType.toString(), clients, rootVolumeGiB, tuning, placement, kernel };
  const late = Object.entries(values).filter(([, value]) => Token.isUnresolved(value));
  return [
    ...(Object.keys(mounts).some((path) => Token.isUnresolved(path)) ? ['mounts'] : []),
    ...late.map(([property]) => property),
    ...(bootTimeout.isUnresolved() ? ['bootTimeout'] : []),
  ].map((property) => unresolvedTokenMessage(property));
}

/** Problems, a sentence each: without them EC2 or a client would refuse after minutes of deployment. */
function problemsOf(given: Given): string[] {
  const { mounts, clients, tuning = 'advised', placement, rootVolumeGiB = 30, bootTimeout, image, kernel } = given;
  const subnets = new Set(Object.values(mounts).map(({ subnet }) => subnet.subnetId));
  const minutes = bootTimeout.toMinutes({ integral: false });
  return [
    ...pathProblems(Object.keys(mounts)),
    ...(image !== undefined && kernel !== undefined
      ? [`'kernel' cannot be combined with 'image', which has its own kernel, got ${kernel}`]
      : []),
    ...(subnets.size <= 1 ? [] : [`'mounts' must be file systems in one subnet, got ${subnets.size} subnets`]),
    ...(Number.isInteger(clients) && clients >= 1 && clients <= 1000
      ? []
      : [`'clients' must be a whole number from 1 to 1000, got ${describeGiven(clients)}`]),
    ...(TUNINGS.includes(tuning) ? [] : [`'tuning' must be ${TUNINGS.join(' or ')}, got ${tuning}`]),
    ...(PLACEMENTS.includes(placement) ? [] : [`'placement' must be ${PLACEMENTS.join(', ')}, got ${placement}`]),
    ...(Number.isInteger(rootVolumeGiB) && rootVolumeGiB >= 8
      ? []
      : [`'rootVolumeGiB' must be a whole number of at least 8, got ${describeGiven(rootVolumeGiB)}`]),
    ...(minutes >= 10 && minutes <= 60
      ? []
      : [`'bootTimeout' must be between 10 minutes and 1 hour, got ${bootTimeout.toHumanString()}`]),
    ...typeProblems(given),
  ];
}

function typeProblems({ mounts, instanceType, efa = false, placement, purchase }: Given): string[] {
  const type = instanceType.toString();
  const info = infoOf(type);
  const unfit = [
    ...(bootsAmazonLinux(type) ? [] : [`'instanceType' must be one that Amazon Linux 2023 boots on, got ${type}`]),
    ...(purchase?.kind === 'spot' && isWithoutSpot(type)
      ? [`'instanceType' must be one that EC2 offers as Spot Instances, got ${type}: leave 'purchase' out`]
      : []),
  ];
  const alone =
    placement === 'cluster' && purchase?.kind !== 'capacity-reservation' && info !== null && !info.placementGroup
      ? [`'instanceType' must be one that can be in a cluster placement group, got ${type}: leave 'placement' out`]
      : [];
  if (!efa) return [...unfit, ...alone];
  const wrong = Object.values(mounts).flatMap(({ efaViolation }) => {
    const violation = efaViolation({ name: type, efa: info?.efa ?? false });
    return violation === null ? [] : [violationMessage(violation)];
  });
  return [...unfit, ...alone, ...new Set(wrong)];
}
