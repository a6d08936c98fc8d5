import type { Sample } from '../../schema/sample';

/** Returns the tools' samples from the measured phases of a run, without superseded attempts. */
export const countedSamples = ({
  record: { counted },
}: {
  readonly record: { readonly counted: readonly Sample[] };
}): Sample[] => counted.filter(({ phase, source }) => phase === 'measure' && source === 'client');
