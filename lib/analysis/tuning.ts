type Facts = Readonly<Record<string, unknown>>;

/** One setting of a client: what was wanted and what is in effect, as text. */
export interface TuningSetting {
  readonly name: string;
  readonly wanted: string;
  readonly effective: string;
  readonly applied: boolean;
  readonly message: string;
}

/** The tuning that a node described (`lib/schema/environment.ts`); none where it described none, or in another form. */
export function tuningOf(facts: Facts): TuningSetting[] {
  const tuning = asFacts(facts.tuning);
  const settings = Array.isArray(tuning.settings) ? tuning.settings : [];
  return settings.flatMap((entry): TuningSetting[] => {
    const { name, wanted, effective, applied, message } = asFacts(entry);
    if (typeof name !== 'string') return [];
    const values = Array.isArray(effective) ? effective.map(String) : effective == null ? [] : [String(effective)];
    return [
      {
        name,
        wanted: String(wanted ?? ''),
        effective: values.join(', '),
        applied: applied === undefined ? values.every((value) => value === String(wanted)) : applied === true,
        message: typeof message === 'string' ? message : '',
      },
    ];
  });
}

/** A value as an object; an empty one where it is none. */
export function asFacts(value: unknown): Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Facts) : {};
}
