import { fewRepeats, oversubscribed } from '../kit/checks';
import { dataFitInMemory } from '../kit/scaling/memory';
import { doubling, type scalingParameters } from '../kit/scaling/parameters';
import { scaling } from '../kit/scaling/plan';
import type { PlanDefinition } from '../plan';

/** The sweep by nodes on a file system that is there already: where does it stop to grow? */
export const mountScaling: PlanDefinition<typeof scalingParameters> = {
  ...scaling,
  defaults: (_, { clients, ranksPerClient }) => ({
    ...{ nodes: doubling(clients), tool: 'auto', iorVersion: '3.3.0', ranksPerClient },
    ...{ repeats: 3, seconds: 10, maxMiBPerNode: 65_536, direct: false, reads: true },
  }),
  checks: [dataFitInMemory, fewRepeats, oversubscribed],
};
