import { bytes } from '../../../common/format/units';
import { ior } from '../../../workload/ior';
import { iorDefaultPattern } from '../../../workload/ior/pattern';
import { check, fewRepeats, inTheLab, oversubscribed } from '../../common/checks';
import { meetsMaintenance } from '../../common/maintenance';
import { publishedParameters } from '../../common/scaling/parameters';
import { checkNodes, unitOf } from '../../common/scaling/units';
import { betweenCapacities, inRepeats } from '../../common/steps';
import type { PlanDefinition } from '../../plan';

/** The study's 64 MiB of a process are 18 GiB on 8 nodes with 1.5 TiB of memory: what is read was never away. */
const studyFitsInMemory = check('study-fits-in-memory', 'note', ({ fleet, parameters, environment }) => {
  const { clientMemoryBytes } = environment;
  const { ranksPerClient } = parameters;
  if (clientMemoryBytes === undefined || typeof ranksPerClient !== 'number') return null;
  const moved = ranksPerClient * 64 * 2 ** 20;
  if (moved > clientMemoryBytes) return null;
  return {
    message:
      'The study’s command moves so little that it fits into the memory of the clients and of the servers: it measures caches, and ends within seconds.',
    expected: `more than ${bytes(clientMemoryBytes)} on each of ${fleet.clients} nodes`,
    actual: `${bytes(moved)} on each`,
    suggestion: 'the plan scaling, which moves what is valid',
  };
});

/** Duration of one phase of the study's command: gibibytes at some GB/s, and the MPI start. */
const SECONDS = 10;

/** The ParallelCluster blog's command: 64 MiB of each process, written, and read by the process of another node. */
const COMMAND = [ior.id, ...'-t 1m -b 16m -s 4 -F -C -e'.split(' '), '-o', '{dir}/testFile'];

/**
 * IOR as the study ran it, on 2 and 8 nodes. One command writes and reads; it is run twice, and counts as a write the first time and as a
 * read the second. Kept because the study's figures can only be judged against its own procedure.
 */
export const published: PlanDefinition<typeof publishedParameters> = {
  name: 'published',
  asStudied: true,
  parameters: publishedParameters,
  defaults: (scale, { clients, ranksPerClient }) => ({
    nodes: [...new Set([Math.min(scale === 'published' ? 2 : 1, clients), clients])],
    repeats: 1,
    iorVersion: '3.3.0',
    ranksPerClient,
  }),
  steps: (parameters, { arms, fleet }) => {
    const { nodes, repeats, iorVersion, ranksPerClient } = parameters;
    checkNodes(nodes, fleet);
    const pattern = iorDefaultPattern(iorVersion).id;
    const measured = (['write', 'read'] as const).map((operation) => ({
      operation,
      action: { kind: 'workload' as const, tool: ior.id, operation, command: COMMAND, ranksPerClient, pattern },
      expectedSeconds: SECONDS,
    }));
    const units = inRepeats(repeats, (repeat) =>
      nodes.flatMap((count) => unitOf({ arms, repeat, nodes: count, compressibility: null }, measured)),
    );
    return betweenCapacities(arms, units);
  },
  checks: [studyFitsInMemory, fewRepeats, oversubscribed, meetsMaintenance, inTheLab],
  tools: { preferred: ior, substitutes: [] },
};
