import { scalingSection } from './cluster';
import { temperatureSection } from './cluster/temperatureSection';
import { metadata } from './metadata';
import { baselines } from './offload/baselines';
import { trade } from './offload/trade';
import { storageAnswer } from './storage/answer';
import { storageCosts } from './storage/results';
import { pipelineSection, studyTables } from './storage/study';

/**
 * The sections that benchmarks add to the report of a run, made of its blocks. Here and not next to the benchmarks themselves, since
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
