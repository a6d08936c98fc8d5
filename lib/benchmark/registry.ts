import type { Benchmark } from './benchmark';
import { clusterBench } from './cluster';
import { compressionBench } from './compression';
import { metadataBench } from './metadata';
import { mountBench } from './mount';
import { offloadBench } from './offload';
import { storageBench } from './storage';

/**
 * Every benchmark there is; the first is the one that the lab runs. A new one is a folder and a line here; nothing else imports those
 * folders (test/benchmark/seam.test.ts).
 */
export const BENCHMARKS: readonly [Benchmark, ...Benchmark[]] = [
  compressionBench,
  metadataBench,
  storageBench,
  clusterBench,
  offloadBench,
];

/** The benchmark behind `run --on`. */
export const MOUNT_BENCHMARK = mountBench;
