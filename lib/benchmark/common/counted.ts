import type { Sample } from '../../schema/sample';

/** Returns the tools' samples from the measured phases of a run, without superseded attempts. */
export const countedSamples = ({ record }: { readonly record: { readonly counted: readonly Sample[] } }): Sample[] =>
  record.counted.filter(({ phase, source }) => phase === 'measure' && source === 'client');
