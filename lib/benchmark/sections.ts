import { metadata } from './metadata/sections';
import { pipelineSection, storageAnswer, storageCosts, studyTables } from './storage/sections';

/**
 * The sections that benchmarks add to the report of a run, made of its blocks. Here and not beside the benchmarks themselves, since
 * stacks and the driver have no use for them.
 */
export const BENCHMARK_SECTIONS = [metadata, storageAnswer, studyTables, pipelineSection, storageCosts];
