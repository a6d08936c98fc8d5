import type { Warning } from '../slices/configuration';

/** True for a whole number within bounds. */
export const isWhole = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Warnings by their ids; false for one that nothing calls for. */
export const warnings = (messages: Readonly<Record<string, string | false>>): Warning[] =>
  Object.entries(messages).flatMap(([id, message]) => (message === false ? [] : { id, message }));
