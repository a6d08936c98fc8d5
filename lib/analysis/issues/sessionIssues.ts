import { firstThree } from '../../common/format/strings';
import { duration, moment } from '../../common/format/units';
import { ownValue } from '../../common/ownValue';
import type { Issue } from '../../schema/issue';
import { type Session, timesOf } from '../../store/sessions';
import type { Run } from '../run';

/** Reports interruptions, stops and clock changes of a run's drivers. */
export const sessionIssues = ({ sessions }: Run): Issue[] => [
  ...interruptionIssue(sessions),
  ...disturbanceIssues(sessions),
];

const unknownOr = (seconds: number | null): string => (seconds === null ? 'an unknown time' : duration(seconds));

/** Warns that measurements before and after an interruption may not be comparable, and that the deployment cost money meanwhile. */
function interruptionIssue(sessions: readonly Session[]): Issue[] {
  const { worked, between } = timesOf(sessions);
  if (sessions.length < 2) return [];
  const spans = sessions.map(
    ({ startedAt, endedAt, end }) =>
      `${moment(startedAt)} to ${moment(endedAt)}${end === undefined ? '' : ` (${end})`}`,
  );
  return [
    {
      id: 'run-resumed',
      severity: 'note',
      message: `The run was interrupted and resumed: ${sessions.length} sessions${worked === null ? '' : ` of ${duration(worked)} in all`}, with ${unknownOr(between)} between them.`,
      expected: 'one session',
      actual: spans.join('; '),
    },
  ];
}

/** Reports what disturbed the driver. Metrics are looked up by time of day, so those of a task during which the clock was set may be another's. */
function disturbanceIssues(sessions: readonly Session[]): Issue[] {
  const events = sessions.flatMap((session) => session.events ?? []);
  return [...Map.groupBy(events, ({ kind }) => kind)].flatMap(([kind, all]): Issue[] => {
    const disturbance = ownValue(DISTURBANCES, kind) ?? OTHER_DISTURBANCE;
    const actual = firstThree(all.map((event) => `${moment(event.at)}: ${event.message}`));
    return [{ id: `run-disturbed-${kind}`, ...disturbance, actual }];
  });
}

type Disturbance = Pick<Issue, 'message' | 'expected' | 'severity' | 'suggestion'>;

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  stopped: {
    severity: 'note',
    message: 'The driver was stalled during the run.',
    expected: 'a driver that is never stalled',
  },
  clock: {
    severity: 'warning',
    message:
      'The clock was set during the run: durations are right, but metrics that were looked up by the time of day may belong to another time.',
    expected: 'a clock that only runs on',
  },
  reboot: {
    severity: 'warning',
    message:
      'A client rebooted during the run: the step that it interrupted has no value, and steps that ran meanwhile may be wrong.',
    expected: 'clients that run all the time',
    suggestion: 'continue with --resume, and see in the log of the client why it rebooted',
  },
  'slow-results': {
    severity: 'warning',
    message:
      'Writing results held the run up. Figures do not include it, but those of programs timed from outside include what they print, which goes to the same disk.',
    expected: 'less than 5 % of the time',
    suggestion: 'put results on a local disk, as with --results',
  },
  leftovers: {
    severity: 'note',
    message: 'Processes that a killed driver had left behind still ran; they were ended before anything was measured.',
    expected: 'none',
  },
  'other-run': {
    severity: 'warning',
    message: 'Another run worked on the same clients, so each may have slowed the other down.',
    expected: 'one run at a time',
    suggestion: 'wait until the other has ended, and run this again',
  },
  'other-data': {
    severity: 'note',
    message:
      'Data of another run lay on a file system under test: they take space, and somebody may have worked on them.',
    expected: 'no data but those of this run',
    suggestion: 'resume those runs with run --resume, or remove their directories',
  },
};
const OTHER_DISTURBANCE: Disturbance = { severity: 'note', message: 'The run was disturbed.', expected: 'none' };
