import { bootsAmazonLinux, instanceType } from '../instanceTypes';
import { isArm } from '../offerings';
import { PARALLELCLUSTER_VERSION } from './fleet';

/** Any part of a configuration, which may be wrong in every way. */
type Part = Readonly<Record<string, unknown>>;

const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {});
const partsOf = (value: unknown): readonly Part[] => (Array.isArray(value) ? value.map(partOf) : []);
const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

interface QueueParts {
  readonly queue: Part;
  readonly resources: readonly Part[];
}

function queuesOf(configuration: Part): readonly QueueParts[] {
  return partsOf(partOf(configuration.Scheduling).SlurmQueues).map((queue) => ({
    queue,
    resources: partsOf(queue.ComputeResources),
  }));
}

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/Image-section.html; the client scripts know Amazon Linux 2023 only. */
function operatingSystem({ Image }: Part): string[] {
  const { Os } = partOf(Image);
  if (Os === 'alinux2023') return [];
  const why =
    Os === 'alinux2'
      ? `ParallelCluster ${PARALLELCLUSTER_VERSION} has no Amazon Linux 2 any more, whose last release was 3.15`
      : 'the scripts of the clients are made for it';
  return [`'Image/Os' must be alinux2023, got ${shown(Os)}: ${why}.`];
}

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/Scheduling-v3.html */
function scheduler({ Scheduling }: Part): string[] {
  const { Scheduler } = partOf(Scheduling);
  return Scheduler === 'slurm'
    ? []
    : [
        `'Scheduling/Scheduler' must be slurm, got ${shown(Scheduler)}: ParallelCluster ${PARALLELCLUSTER_VERSION} has no AWS Batch any more, whose last release was 3.15.`,
      ];
}

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/efa-v3.html */
function efa(configuration: Part): string[] {
  return queuesOf(configuration).flatMap(({ resources }) =>
    resources.flatMap(({ InstanceType, Efa }) => {
      const type = String(InstanceType);
      return partOf(Efa).Enabled !== true || instanceType(type)?.efa !== false
        ? []
        : [
            `'mpiEfa' must be false with ${type}, got true: the type has no Elastic Fabric Adapter. Use c5n.18xlarge, or leave it out.`,
          ];
    }),
  );
}

/**
 * Everything but an id makes ParallelCluster create a file system of its own, which knows neither metadata IOPS nor EFA, and goes with
 * the cluster. Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/SharedStorage-v3.html
 */
function fileSystems({ SharedStorage }: Part): string[] {
  return partsOf(SharedStorage).flatMap(({ Name, FsxLustreSettings }) => {
    const { FileSystemId, ...others } = partOf(FsxLustreSettings);
    const [other] = Object.keys(others);
    if (FileSystemId === undefined)
      return [
        `'SharedStorage/FsxLustreSettings' of ${shown(Name)} must name the 'FileSystemId' of an arm, got none: the stack makes the file systems, and ParallelCluster attaches them.`,
      ];
    return other === undefined
      ? []
      : [
          `'SharedStorage/FsxLustreSettings' of ${shown(Name)} must hold nothing but 'FileSystemId', got '${other}': set it on the arm, whose file system the stack makes.`,
        ];
  });
}

/** The type of the clients is checked with those of other fleets. */
function bootable(configuration: Part): string[] {
  const nodes = queuesOf(configuration).flatMap(({ resources }) => resources.map((one) => String(one.InstanceType)));
  const head = String(partOf(configuration.HeadNode).InstanceType);
  return [['headNodeInstanceType', head], ...nodes.map((type) => ['queues', type])].flatMap(([setting, type = '']) =>
    bootsAmazonLinux(type)
      ? []
      : [`'${setting}' must have a type that Amazon Linux 2023 boots on, got ${type}. Use one such as m5.xlarge.`],
  );
}

/** Memory of a head node: 0.6 GiB and 1 GiB for each 25 nodes, up to 16 (HeadNodeMemorySizeValidator of 3.16.1). */
function headNode(configuration: Part): string[] {
  const type = String(partOf(configuration.HeadNode).InstanceType);
  const info = instanceType(type);
  if (info === null)
    return [
      `'headNodeInstanceType' must be a type whose memory is known, got "${type}". Use m5.xlarge, which manages any number of nodes.`,
    ];
  const nodes = nodesOf(configuration);
  const needed = Math.min(nodes / 25 + 0.6, 16);
  const has = info.memoryMiB / 1024;
  return has >= needed
    ? []
    : [
        `'headNodeInstanceType' must have at least ${needed.toFixed(2)} GiB of memory for ${nodes} nodes, got ${type} with ${has} GiB. Use m5.xlarge.`,
      ];
}

const nodesOf = (configuration: Part): number =>
  queuesOf(configuration).reduce(
    (sum, { resources }) => sum + resources.reduce((all, { MaxCount }) => all + Number(MaxCount), 0),
    0,
  );

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/HeadNode-v3.html */
function architecture(configuration: Part): string[] {
  const head = String(partOf(configuration.HeadNode).InstanceType);
  const types = queuesOf(configuration).flatMap(({ resources }) => resources.map((one) => String(one.InstanceType)));
  const other = types.find((type) => isArm(type) !== isArm(head));
  return other === undefined
    ? []
    : [
        `'headNodeInstanceType' must have the architecture of all nodes, got ${head} with ${other}. Take both of ${isArm(other) ? 'Arm, such as c7gn.xlarge' : 'x86, such as m5.xlarge'}.`,
      ];
}

/** Limits of ParallelCluster 3.16. Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/Scheduling-v3.html */
const MOST = { queues: 50, nameCharacters: 25 } as const;

function queues(configuration: Part): string[] {
  const names = queuesOf(configuration).map(({ queue }) => String(queue.Name));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  const wrong = names.find((name) => !/^[a-z][a-z0-9-]*$/.test(name) || name.length > MOST.nameCharacters);
  return [
    ...(names.length > MOST.queues ? [`'queues' must be at most ${MOST.queues} in all, got ${names.length}.`] : []),
    ...(twice === undefined ? [] : [`'queues' must name each instance type once, got ${twice} twice.`]),
    ...(wrong === undefined
      ? []
      : [
          `a queue's name must be at most ${MOST.nameCharacters} small letters, digits and dashes that begin with a letter, got ${shown(wrong)}.`,
        ]),
  ];
}

/** Problems of a configuration, naming the settings where there are any; nothing that only an account can tell. */
export function clusterProblems(configuration: object): string[] {
  const rules = [operatingSystem, scheduler, efa, fileSystems, bootable, headNode, architecture, queues];
  return rules.flatMap((rule) => rule(configuration as Part));
}
