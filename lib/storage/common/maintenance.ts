import * as z from 'zod';
import { field } from '../../common/field';
import type { StorageConfiguration } from '../../schema/deployment';
import type { Window } from '../../schema/metrics';
import type { Described } from '../../schema/run';

/** `d:HH:MM` in UTC, d from 1 for Monday to 7 (docs.aws.amazon.com/fsx/latest/APIReference/API_FileSystem.html, of each type). */
export const MAINTENANCE_TIME = /^([1-7]):([01]\d|2[0-3]):([0-5]\d)$/;

/** The setting of a window. */
export const MAINTENANCE_FIELD = field(
  z.string().regex(MAINTENANCE_TIME),
  'd:HH:MM in UTC with 1 for Monday, such as 7:03:30',
  'Choose a time at which no run is planned.',
);

/**
 * Length of the window. Within it a file system pauses for some minutes, every few weeks, and its servers' caches are empty
 * afterwards (docs.aws.amazon.com/fsx/latest/LustreGuide/maintenance-windows.html). That of OpenZFS is taken to be as long.
 */
const WINDOW_SECONDS = 1800;

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;
/** 1970-01-01 was a Thursday. */
const FIRST_MONDAY_SECONDS = 4 * DAY_SECONDS;

/** The first maintenance window that a time touches; `null` if it touches none, or `weekly` is not valid. */
export function maintenanceWithin({ from, to }: Window, weekly: string): Window | null {
  const [, day, hour, minute] = MAINTENANCE_TIME.exec(weekly)?.map(Number) ?? [];
  if (day === undefined || hour === undefined || minute === undefined) return null;
  const start = (FIRST_MONDAY_SECONDS + (day - 1) * DAY_SECONDS + hour * 3600 + minute * 60) * 1000;
  const [week, length] = [WEEK_SECONDS * 1000, WINDOW_SECONDS * 1000];
  // The first window that ends after the beginning.
  const first = start + Math.floor((from - length - start) / week + 1) * week;
  return first < to ? { from: first, to: first + length } : null;
}

/** Probability that a period, begun at any moment of the week, touches the window. @param seconds its length */
export const chanceOfMaintenance = (seconds: number): number => Math.min(1, (seconds + WINDOW_SECONDS) / WEEK_SECONDS);

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** `Sunday 06:00 UTC` */
export function describeMaintenance(weekly: string): string {
  const [, day, hour, minute] = MAINTENANCE_TIME.exec(weekly) ?? [];
  return day === undefined ? weekly : `${DAYS[Number(day) - 1]} ${hour}:${minute} UTC`;
}

/** A window in each week in which the service may stop a file system. */
export type WeeklyMaintenance = ReturnType<typeof weeklyMaintenance>;

type Weekly = StorageConfiguration & { readonly weeklyMaintenanceStartTime?: string };

/**
 * The weekly window of an FSx type. @param setting the context key, or the property of the service, that chooses it
 * @param section the part of DescribeFileSystems' answer that has it: the service chooses one if none was requested
 */
export const weeklyMaintenance = (setting: string, section: 'LustreConfiguration' | 'OpenZFSConfiguration') => ({
  setting,
  /** `Sunday 06:00 UTC`; `null` where the service chose it and has not said it. */
  words: ({ weeklyMaintenanceStartTime: weekly }: Weekly): string | null =>
    weekly === undefined ? null : describeMaintenance(weekly),
  /** The first window that a time touches; `null` if it touches none or none is known. */
  within: ({ weeklyMaintenanceStartTime: weekly }: Weekly, span: Window): Window | null =>
    weekly === undefined ? null : maintenanceWithin(span, weekly),
  /** The configuration with the window that the service chose if none was requested. */
  chosen<C extends StorageConfiguration>(configuration: C, described: Described | null): C {
    const { WeeklyMaintenanceStartTime: weekly } = (described?.[section] ?? {}) as Described;
    return typeof weekly === 'string' ? { ...configuration, weeklyMaintenanceStartTime: weekly } : configuration;
  },
});
