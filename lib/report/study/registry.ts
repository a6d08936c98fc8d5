import { scalingSection } from './cluster';
import { temperatureSection } from './cluster/temperatureSection';
import { metadata } from './metadata';
import { baselines } from './offload/baselines';
import { trade } from './offload/trade';
import { storageAnswer } from './storage/answer';
import { storageCosts } from './storage/results';
import { pipelineSection, studyTables } from './storage/study';

/** The sections that benchmarks add to the report of a run. They are listed here, since stacks and the driver do not need them. */
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
