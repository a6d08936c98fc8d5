import { compressionBench } from './compression';
import type { BenchmarkDefinition } from './definition';
import { metadataBench } from './metadata';

/** Every benchmark there is. */
export const BENCHMARKS: readonly BenchmarkDefinition[] = [compressionBench, metadataBench];
