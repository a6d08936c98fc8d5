/**
 * Schemas (zod) of the documents that a run writes: a run's folder or bucket can be read and checked with them. Unknown fields pass
 * through, since fields are added between releases.
 */
import './refuseOldNode';

export { baselineSchema } from './schema/baseline';
export { deploymentSchema } from './schema/deployment';
export { environmentSchema } from './schema/environment';
export { issueSchema, validitySchema } from './schema/issue';
export { metricsSchema } from './schema/metrics';
export { planSchema } from './schema/plan';
export { manifestSchema, statusSchema } from './schema/run';
export { sampleSchema } from './schema/sample';
export { summarySchema } from './schema/summary';
