/** Schemas (zod) of the documents of a run, to read and check its folder or bucket. Unknown fields pass, since releases add fields. */
import './refuseOldNode';

export { deploymentSchema } from './schema/deployment';
export { environmentSchema } from './schema/environment';
export { issueSchema, validitySchema } from './schema/issue';
export { metricsSchema } from './schema/metrics';
export { planSchema } from './schema/plan';
export { manifestSchema, statusSchema } from './schema/run';
export { sampleSchema } from './schema/sample';
export { baselineSchema, summarySchema } from './schema/summary';
