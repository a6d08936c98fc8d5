import type { RunSession, RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';

/** A period in which a driver worked on the run. */
export interface Session extends RunSession {
  readonly endedAt: string;
}

/** If a session is known only from samples, a gap of this many seconds between two of them ends it. */
const SILENCE_SECONDS = 600;

/**
 * The sessions of a run, in order.
 *
 * @param status of the run, or `null` if it is lost: sessions are then inferred from the samples, with a lower bound of their duration
 */
export function sessionsOf(
  status: Pick<RunStatus, 'updatedAt' | 'endedAt' | 'sessions'> | null,
  samples: readonly Sample[],
): Session[] {
  if (status === null) return spansOf(samples);
  const { updatedAt, endedAt, sessions } = status;
  // A killed driver left its last status, without an end.
  return sessions.map((session) => ({ ...session, endedAt: session.endedAt ?? endedAt ?? updatedAt }));
}

/** From the first start to the last end of samples without long gaps. */
function spansOf(samples: readonly Sample[]): Session[] {
  const spans: Session[] = [];
  for (const { startedAt, endedAt } of [...samples].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))) {
    const span = spans.at(-1);
    if (span === undefined || secondsFrom(span.endedAt, startedAt) > SILENCE_SECONDS)
      spans.push({ startedAt, endedAt });
    else if (Date.parse(endedAt) > Date.parse(span.endedAt)) spans[spans.length - 1] = { ...span, endedAt };
  }
  return spans;
}

/** Seconds within and between sessions; `null` if a time is not a date or runs backwards. */
export interface SessionTimes {
  readonly worked: number | null;
  readonly between: number | null;
}

export function timesOf(sessions: readonly Session[]): SessionTimes {
  const sum = (parts: readonly number[]): number | null =>
    parts.some((part) => !(part >= 0)) ? null : parts.reduce((total, part) => total + part, 0);
  if (sessions.length === 0) return { worked: null, between: null };
  return {
    worked: sum(sessions.map(({ startedAt, endedAt, seconds }) => seconds ?? secondsFrom(startedAt, endedAt))),
    between: sum(
      sessions.slice(1).map(({ startedAt }, index) => secondsFrom(sessions[index]?.endedAt ?? '', startedAt)),
    ),
  };
}

const secondsFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;
