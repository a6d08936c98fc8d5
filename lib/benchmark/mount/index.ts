import type { Standing } from '../benchmark';
import { mountLike } from './like';
import { mountPlan } from './plan';
import { mountScaling } from './scaling';

/** One existing file system: nothing is compared and nothing deployed. */
export const mountBench: Standing = {
  name: 'MountBench',
  question: 'What does this mounted file system do, and what limits it?',
  plans: [mountPlan, mountScaling, mountLike],
};
