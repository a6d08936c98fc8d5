import { type AnyConfiguration, storageOf, withKind } from '../storage/lookup';
import { maxFillOf, type Requirement } from './requirement';

/** The requirement as a phrase. */
export function requirementWords(requirement: Requirement): string {
  const { readMBps, writeMBps, together, capacityTB, createsPerSecond, ratio, workingSetGiB, maxMonthlyUsd, clients } =
    requirement;
  const both = readMBps !== undefined && writeMBps !== undefined;
  const parts = [
    ...(readMBps === undefined ? [] : [`${readMBps / 1000} GB/s of reads`]),
    ...(writeMBps === undefined ? [] : [`${writeMBps / 1000} GB/s of writes`]),
    ...(both ? [together ? 'both at the same time' : 'at different times'] : []),
    ...(capacityTB === undefined
      ? []
      : [`${terabytes(capacityTB)} TB of data, at most ${Math.round(maxFillOf(requirement) * 100)} % full`]),
    ...(createsPerSecond === undefined ? [] : [`${createsPerSecond} file creations per second`]),
    ...(workingSetGiB === undefined ? [] : [`${Math.round(workingSetGiB)} GiB read repeatedly`]),
    ...(ratio === undefined ? [] : [`data that LZ4 compresses ${Number(ratio.toFixed(3))}:1`]),
    ...(clients === undefined ? [] : [`${clients.count} × ${clients.instanceType}${clients.efa ? ' over EFA' : ''}`]),
    ...(maxMonthlyUsd === undefined ? [] : [`at most ${maxMonthlyUsd} USD per month`]),
    ...(requirement.hoursPerMonth === undefined ? [] : [`${Math.round(requirement.hoursPerMonth)} h a month`]),
  ];
  return parts.join(', ');
}

/** Terabytes with four digits: 100 TiB are 110, not 109.9511627776. */
export function terabytes(value: number): number {
  return Number(value.toPrecision(4));
}

/** A configuration in words, with all that tells it from other options. */
export function optionWords(configuration: AnyConfiguration): string {
  const { candidates, describe } = storageOf(configuration);
  return (candidates?.words ?? describe)(withKind(configuration));
}

/** USD of a month as pages print them: whole, with commas. */
export const dollars = (usd: number): string => Math.round(usd).toLocaleString('en-US');

/** MB/s as GB/s with three digits. */
export const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));
