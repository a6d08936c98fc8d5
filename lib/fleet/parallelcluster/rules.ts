import { bootsAmazonLinux, instanceType } from '../instanceTypes';
import { isArm } from '../offerings';
import type { ClusterFleet } from './fleet';

type Rule = (cluster: Pick<ClusterFleet, 'headNodeInstanceType' | 'queues'>) => string[];

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/efa-v3.html */
const efa: Rule = ({ queues }) =>
  queues.flatMap(({ instanceType: type, efa }) =>
    efa && instanceType(type)?.efa === false
      ? [
          `'mpiEfa' must be false with ${type}, got true: the type has no Elastic Fabric Adapter. Use c5n.18xlarge, or leave it out.`,
        ]
      : [],
  );

/** The type of the clients is checked with those of other fleets. */
const bootable: Rule = ({ headNodeInstanceType, queues }) =>
  [['headNodeInstanceType', headNodeInstanceType], ...queues.map((queue) => ['queues', queue.instanceType])].flatMap(
    ([setting, type = '']) =>
      bootsAmazonLinux(type)
        ? []
        : [`'${setting}' must have a type that Amazon Linux 2023 boots on, got ${type}. Use one such as m5.xlarge.`],
  );

/** Memory of a head node: 0.6 GiB and 1 GiB for each 25 nodes, up to 16 (HeadNodeMemorySizeValidator of 3.16.1). */
const headNode: Rule = ({ headNodeInstanceType: type, queues }) => {
  const info = instanceType(type);
  if (info === null)
    return [
      `'headNodeInstanceType' must be a type whose memory is known, got "${type}". Use m5.xlarge, which manages any number of nodes.`,
    ];
  const nodes = queues.reduce((sum, queue) => sum + queue.nodes, 0);
  const needed = Math.min(nodes / 25 + 0.6, 16);
  const has = info.memoryMiB / 1024;
  return has >= needed
    ? []
    : [
        `'headNodeInstanceType' must have at least ${needed.toFixed(2)} GiB of memory for ${nodes} nodes, got ${type} with ${has} GiB. Use m5.xlarge.`,
      ];
};

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/HeadNode-v3.html */
const architecture: Rule = ({ headNodeInstanceType: head, queues }) => {
  const other = queues.map((queue) => queue.instanceType).find((type) => isArm(type) !== isArm(head));
  return other === undefined
    ? []
    : [
        `'headNodeInstanceType' must have the architecture of all nodes, got ${head} with ${other}. Take both of ${isArm(other) ? 'Arm, such as c7gn.xlarge' : 'x86, such as m5.xlarge'}.`,
      ];
};

/** Limits of ParallelCluster 3.16. Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/Scheduling-v3.html */
const MOST = { queues: 50, nameCharacters: 25 } as const;

const names: Rule = ({ queues }) => {
  const all = queues.map(({ name }) => name);
  const twice = all.find((name, index) => all.indexOf(name) < index);
  const long = all.find((name) => name.length > MOST.nameCharacters);
  return [
    ...(all.length > MOST.queues ? [`'queues' must be at most ${MOST.queues} in all, got ${all.length}.`] : []),
    ...(twice === undefined ? [] : [`'queues' must name each instance type once, got ${twice} twice.`]),
    ...(long === undefined
      ? []
      : [
          `a queue's name must be at most ${MOST.nameCharacters} small letters, digits and dashes that begin with a letter, got "${long}".`,
        ]),
  ];
};

/** Faults for which ParallelCluster would refuse a cluster, by its settings; none that only an account can tell. */
export const clusterProblems: Rule = (cluster) =>
  [efa, bootable, headNode, architecture, names].flatMap((rule) => rule(cluster));
