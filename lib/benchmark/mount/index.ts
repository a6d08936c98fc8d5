import type { Standing } from '../benchmark';
import { fewRepeats, oversubscribed } from '../kit/checks';
import { dataFitInMemory } from '../kit/scaling/memory';
import { doubling, type scalingParameters } from '../kit/scaling/parameters';
import { scaling } from '../kit/scaling/plan';
import type { PlanDefinition } from '../plan';
import { mountLike } from './like';
import { mountPlan } from './plan';

/** The sweep by nodes on a file system that is there already: where does it stop to grow? */
const mountScaling: PlanDefinition<typeof scalingParameters> = {
  ...scaling,
  defaults: (_, { clients, ranksPerClient }) => ({
    ...{ nodes: doubling(clients), tool: 'auto', iorVersion: '3.3.0', ranksPerClient },
    ...{ repeats: 3, seconds: 10, maxMiBPerNode: 65_536, direct: false, reads: true },
  }),
  checks: [dataFitInMemory, fewRepeats, oversubscribed],
};

/** One file system that is there already: nothing is compared and nothing deployed. */
export const mountBench: Standing = {
  name: 'MountBench',
  question: 'What does this mounted file system do, and what limits it?',
  plans: [mountPlan, mountScaling, mountLike],
};
