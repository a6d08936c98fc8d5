import type { StorageConfiguration } from '../schema/storage';

/** The sizes at which every benchmark can be deployed. */
export const SCALES = ['published', 'smoke'] as const;
export type Scale = (typeof SCALES)[number];

/** How the Lustre client is tuned: what AWS advises for the size of the machine, or what the metadata study set besides. */
export const TUNINGS = ['advised', 'published-metadata'] as const;
export type Tuning = (typeof TUNINGS)[number];

/**
 * Where clients are put: all close together, wherever there is room, or in partitions of which no two share a rack
 * (EC2 user guide, placement-strategies).
 */
export const PLACEMENTS = ['cluster', 'none', 'partition'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** One storage configuration under test. */
export interface ArmDefinition {
  /** Short, lower case: it becomes a directory, a label and a construct id. */
  readonly name: string;
  readonly storage: StorageConfiguration;
}

/** The clients of a benchmark. */
export interface FleetDefinition {
  readonly instanceType: string;
  /** All clients together; a multiple of the arms where these are driven at once, each by an equal part of the fleet. */
  readonly clients: number;
  readonly ranksPerClient: number;
}

export type { Benchmark as BenchmarkDefinition } from './benchmark';
