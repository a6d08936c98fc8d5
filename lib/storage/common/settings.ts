import { omitUndefined } from '../../common/collections';
import type { Field } from '../../common/field';
import { labelsOf, type Warning } from '../../common/violation';

export const isWhole = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Warnings by their ids; false for one that nothing calls for. */
export const warnings = (messages: Readonly<Record<string, string | false>>): Warning[] =>
  Object.entries(messages).flatMap(([id, message]) => (message === false ? [] : { id, message }));

/** The settings of a configuration, each with the property that it is. */
type Settable<C> = Readonly<Record<string, Field & { readonly property: keyof C & string }>>;

export const sets = <P extends string, F extends Field>(property: P, field: F) => ({ ...field, property });

/** A configuration with the user's settings on it: what is not asked for stays as it is, and out of what is written down. */
export const withProperties =
  <C extends object>(settable: Settable<C>) =>
  (configuration: C, settings: Readonly<Record<string, unknown>>): C => ({
    ...configuration,
    ...omitUndefined(
      Object.fromEntries(Object.entries(settable).map(([key, { property }]) => [property, settings[key]])),
    ),
  });

/** Settings that are properties: the context keys, a configuration with them on it, and the words in which each property is its setting. */
export const settingsThatSet = <C extends object>(settable: Settable<C>) => ({
  settings: settable,
  withSettings: withProperties(settable),
  words: labelsOf(Object.fromEntries(Object.entries(settable).map(([key, { property }]) => [property, key]))),
});

/** The settings that make a configuration what it is. */
export const settingsBy =
  <C extends object>(settable: Settable<C>) =>
  (configuration: C): Readonly<Record<string, string | number | boolean>> =>
    omitUndefined(
      Object.fromEntries(Object.entries(settable).map(([key, { property }]) => [key, configuration[property]])),
    ) as Record<string, string | number | boolean>;
