import type { Warning } from '../slices/configuration';

/** True for a whole number within bounds. */
export const isWhole = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Warnings by their ids, which begin alike; false for one that a configuration does not call for. */
export const warnings = (prefix: string, messages: Readonly<Record<string, string | false>>): Warning[] =>
  Object.entries(messages).flatMap(([id, message]) => (message === false ? [] : { id: `${prefix}-${id}`, message }));
