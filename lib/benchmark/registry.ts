import type { Benchmark } from './benchmark';
import { clusterBench } from './cluster';
import { compressionBench } from './compression';
import { metadataBench } from './metadata';
import { mountBench } from './mount';
import { offloadBench } from './offload';
import { storageBench } from './storage';

/** All benchmarks; the lab's default is first. A new one is a folder and a line here, nothing else (test/benchmark/seam.test.ts). */
export const BENCHMARKS: readonly [Benchmark, ...Benchmark[]] = [
  compressionBench,
  metadataBench,
  storageBench,
  clusterBench,
  offloadBench,
];

/** The benchmark behind `run --on`. */
export const MOUNT_BENCHMARK = mountBench;
