import type { MetricSeries } from '../../../schema/metrics';
import type { Sample } from '../../../schema/sample';
import type { LustreConfiguration } from '../../../storage/lustre/configuration';

/** What the results of metadata are made from: plain facts of a run, whoever read them. */
export interface MetadataSubject {
  readonly arms: readonly MetadataArm[];
  /** Samples that count: of each step and arm the latest attempt. */
  readonly samples: readonly Sample[];
  readonly metrics: readonly MetricSeries[];
  /** List price of all clients; `null` with a reason. */
  readonly fleetHourlyUsd: number | null;
  readonly fleetReason?: string;
  /** True when local file systems stood in for Amazon's. */
  readonly lab: boolean;
}

/** One file system of the run. */
export interface MetadataArm {
  readonly name: string;
  /** `null` for what is no file system of FSx, or not described by the plan. */
  readonly configuration: LustreConfiguration | null;
  /** List price; `null` with a reason. */
  readonly hourlyUsd: number | null;
  readonly reason?: string;
}

/** A figure, or why there is none: exactly one of `value` and `reason` is null. */
export interface MetadataFigure {
  readonly value: number | null;
  readonly reason: string | null;
}

export function known(value: number): MetadataFigure {
  return { value, reason: null };
}

export function unknown(reason: string): MetadataFigure {
  return { value: null, reason };
}

/** Why nothing of an arm can be held against what AWS documents, or looked up in its metrics; `null` for a file system of FSx. */
export function standIn(arms: readonly MetadataArm[], name: string, lab: boolean): string | null {
  if (lab) return 'a local file system stood in for Amazon FSx';
  const arm = arms.find((each) => each.name === name);
  return arm?.configuration ? null : 'it is not a file system of FSx for Lustre';
}

/** One operation on files of one size on one arm. */
export interface OperationKey {
  readonly arm: string;
  /** `file_create`, `file_stat`, … as in samples. */
  readonly operation: string;
  /** Size of the files; `null` where the run does not say. */
  readonly fileBytes: number | null;
}

/** Files, directories, and nothing else that has a rate. */
export function isMetadataOperation(operation: string): boolean {
  return /^(file|dir)_(create|stat|read|rename|remove)$/.test(operation);
}
