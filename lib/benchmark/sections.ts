import { scalingSection } from './cluster/sections';
import { temperatureSection } from './cluster/sections/temperatureSection';
import { metadata } from './metadata/sections';
import { baselines } from './offload/sections/baselines';
import { trade } from './offload/sections/trade';
import { storageAnswer } from './storage/sections/answer';
import { storageCosts } from './storage/sections/costs';
import { pipelineSection } from './storage/sections/pipeline';
import { studyTables } from './storage/sections/study';

/**
 * The sections that benchmarks add to the report of a run, made of its blocks. Here and not beside the benchmarks themselves, since
 * stacks and the driver have no use for them.
 */
export const BENCHMARK_SECTIONS = [
  scalingSection,
  temperatureSection,
  metadata,
  trade,
  baselines,
  storageAnswer,
  studyTables,
  pipelineSection,
  storageCosts,
];
