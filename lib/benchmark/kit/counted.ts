import type { Sample } from '../../schema/sample';

/** What tools measured in the measured phases of a run, without attempts that were made again. */
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
