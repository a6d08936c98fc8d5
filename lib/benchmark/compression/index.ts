import type * as z from 'zod';
import { instanceType } from '../../fleet/instanceTypes';
import type { Action, PlanArm, Step } from '../../schema/plan';
import { storageOf } from '../../storage/lookup';
import { ior } from '../../workload/ior';
import { iorDefaultPattern } from '../../workload/ior/pattern';
import type { Benchmark, ProofSettings } from '../benchmark';
import { clientsFor, evenClients, type ProofNeed } from '../common/clients';
import { groupName, REMOVE_DATA, step, stepsOf } from '../common/steps';
import type { PlanDefinition, PlanScale } from '../plan';
import { paired, publishedParameters } from './plan/paired';

/** Minutes of the write; the blog's: 12 hours. */
const MINUTES = { published: 720, smoke: 10, lab: 1 } satisfies Record<PlanScale, number>;

/**
 * The AWS compression blog's run: one write of the given minutes on both arms at once, no repeat, no swap, no read. Kept because the
 * published figures can only be judged against their own procedure; for anything else take the paired plan.
 */
function publishedSteps(parameters: z.infer<typeof publishedParameters>, arms: readonly PlanArm[]): Step[] {
  const { minutes, iorVersion, ranksPerClient } = parameters;
  const pattern = iorDefaultPattern(iorVersion);
  const unit = { repeat: 1, compressibility: pattern.expectedRatio, unit: 'r1-published', arms, group: groupName };
  const made = stepsOf(unit);
  const capacity = (phase: 'setup' | 'conclude'): Step =>
    step({ ...unit, id: `${phase}-capacity`, phase, action: { kind: 'measure-capacity' } });
  const write: Action = {
    kind: 'workload',
    tool: ior.id,
    operation: 'write',
    command: studyCommand(minutes),
    ranksPerClient,
    pattern: pattern.id,
  };
  return [
    capacity('setup'),
    made('directory', 'prepare', { kind: 'make-directory' }),
    made('write', 'measure', write, { expectedSeconds: minutes * 60 }),
    made('space', 'conclude', { kind: 'measure-ratio' }),
    capacity('conclude'),
    made('remove', 'clean up', REMOVE_DATA),
  ];
}

/** The blog's command, argument for argument: 12,000 MiB a process and iteration, O_DIRECT, up to 1,000 iterations or the given minutes (the blog: 720). */
function studyCommand(minutes: number): string[] {
  const blog = '--posix.odirect -t 1m -b 1m -s 12000 -g -v -w -i 1000 -F -k -D 0';
  return [ior.id, ...blog.split(' '), '-T', String(minutes), '-o', '{dir}/ior.bin'];
}

const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  // 144 ranks on each of the blog's four clients an arm.
  defaults: (scale, { ranksPerClient }) => ({ minutes: MINUTES[scale], iorVersion: '3.3.0', ranksPerClient }),
  steps: (parameters, { arms }) => publishedSteps(parameters, arms),
  checks: paired.checks,
  tools: { preferred: ior, substitutes: [] },
};

/**
 * NONE against LZ4, as the AWS compression blog compared them: two file systems of 14,400 GiB PERSISTENT_1 SSD at 200 MB/s/TiB,
 * four c5n.9xlarge clients each with 144 ranks (36 vCPUs × 4 clients; 576 ranks in all).
 */
export const compressionBench: Benchmark = {
  name: 'CompressionBench',
  question: 'How does LZ4 compression affect throughput and space on FSx for Lustre?',
  study: 'AWS compression blog',
  about: ['bytes_written', 'bytes_read'],
  plans: [paired, published],
  arms: (scale) =>
    ['NONE', 'LZ4'].map((dataCompressionType) => {
      const storage = {
        kind: 'lustre',
        deploymentType: 'PERSISTENT_1',
        storageType: 'SSD',
        storageCapacityGiB: scale === 'published' ? 14_400 : 1_200,
        perUnitStorageThroughput: scale === 'published' ? 200 : 50,
        dataCompressionType,
        version: '2.15',
        // As the study striped.
        stripeCount: -1,
      };
      return { name: dataCompressionType.toLowerCase(), storage };
    }),
  fleet: (scale) =>
    scale === 'published'
      ? { instanceType: 'c5n.9xlarge', clients: 8, ranksPerClient: 144 }
      : { instanceType: 'c5n.large', clients: 2, ranksPerClient: 2 },
  proof: halfForEachArm,
  lab: {},
};

/** Each arm has half of the clients: twice as many as the workload or the need has, over EFA if requested. */
function halfForEachArm(need: ProofNeed): ProofSettings {
  const { storage, clients } = need;
  const type = clients?.instanceType ?? compressionBench.fleet('published').instanceType;
  const { networkBaselineMbps } = instanceType(type) ?? {};
  const efa = clients?.efa === true && storageOf(storage).documented.performance?.efa?.enabled(storage) === true;
  const each = Math.max(clients?.count ?? 0, clientsFor(need, networkBaselineMbps, efa));
  return { instanceType: type, clients: evenClients(2 * each), ...(efa && { efaClients: true }) };
}
