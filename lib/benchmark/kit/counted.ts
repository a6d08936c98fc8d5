import type { Sample } from '../../schema/sample';

/** Returns the tools' samples from the measured phases of a run, without superseded attempts. */
export function countedSamples({
  record,
  superseded,
}: {
  readonly record: { readonly samples: readonly Sample[] };
  readonly superseded: readonly Sample[];
}): Sample[] {
  const gone = new Set(superseded);
  return record.samples.filter(
    (sample) => sample.phase === 'measure' && sample.source === 'client' && !gone.has(sample),
  );
}
