import type { RunRecord } from '../../lib/report';
import { type SyntheticOptions, syntheticRun } from './syntheticRun';

/** A synthetic run at an hour of one day, with a separate id. */
export function runAt(
  hour: number,
  options: SyntheticOptions = {},
  change: (record: RunRecord) => RunRecord = (r) => r,
) {
  const record = change(syntheticRun({ seed: hour, ...options }));
  const time = `${String(hour).padStart(2, '0')}`;
  const run = `20261121T${time}0000Z-paired-t${time}`;
  const startedAt = `2026-11-21T${time}:00:00.000Z`;
  return {
    ...record,
    run,
    samples: record.samples.map((sample) => ({ ...sample, run })),
    manifest: record.manifest && { ...record.manifest, run, bucket: null },
    status: record.status && {
      ...record.status,
      run,
      startedAt,
      sessions: [{ startedAt, endedAt: record.status.endedAt }],
    },
    raw: [],
  } satisfies RunRecord;
}
