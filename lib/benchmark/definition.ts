import type { LustreConfiguration } from '../storage/configuration';

/** The sizes at which every benchmark can be deployed. */
export const SCALES = ['published', 'smoke'] as const;
export type Scale = (typeof SCALES)[number];

/** One storage configuration under test. */
export interface ArmDefinition {
  /** Short, lower case: it becomes a directory, a label and a construct id. */
  readonly name: string;
  readonly lustre: LustreConfiguration;
}

/** The clients of a benchmark. */
export interface FleetDefinition {
  readonly instanceType: string;
  /** All clients together; paired plans need an even number. */
  readonly clients: number;
  readonly ranksPerClient: number;
}

/** One benchmark: what its stack, its plans, its dashboard and its report are made from. */
export interface BenchmarkDefinition {
  /** Name of the stack and of the commands' argument. */
  readonly name: string;
  /** The question that it answers, in one sentence. */
  readonly question: string;
  /** The published study that it reproduces. */
  readonly study: string;
  arms(scale: Scale): readonly ArmDefinition[];
  fleet(scale: Scale): FleetDefinition;
}
