import { type Words, wordsOf } from '../../kit/breach';
import { omitUndefined } from '../../kit/omitUndefined';

/** The property of a configuration that each setting is. */
type Properties<C> = Readonly<Record<string, keyof C & string>>;

/** Words in which each property is its setting. */
export const settingWords = (properties: Readonly<Record<string, string>>): Words =>
  wordsOf(Object.fromEntries(Object.entries(properties).map(([key, property]) => [property, key])));

/** A configuration with the user's settings on it: what is not asked for stays as it is, and out of what is written down. */
export const withProperties =
  <C extends object>(properties: Properties<C>) =>
  (configuration: C, settings: Readonly<Record<string, unknown>>): C => ({
    ...configuration,
    ...omitUndefined(
      Object.fromEntries(Object.entries(properties).map(([key, property]) => [property, settings[key]])),
    ),
  });

/** The settings that make a configuration what it is. */
export const settingsBy =
  <C extends object>(properties: Properties<C>) =>
  (configuration: C): Readonly<Record<string, string | number | boolean>> =>
    omitUndefined(
      Object.fromEntries(
        Object.entries(properties).map(([key, property]) => [
          key,
          configuration[property] as string | number | boolean | undefined,
        ]),
      ),
    );
