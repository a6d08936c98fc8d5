import { counted, duration } from '../../common/format/units';
import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import { inapplicable, judged, some, unchecked, type ValidityRule } from './rule';

/** A stonewall may end a phase a little early. */
const SLACK = 0.95;

/** FSx publishes a point a minute: five whole ones are wanted (IO500 asks for 300 s for the same reason). */
export const phaseTooShort: ValidityRule = {
  id: 'phase-too-short',
  checks: `phases of ${SECONDS_FOR_METRICS} s, so that the service’s one-minute metrics can confirm them`,
  check({ arms, elsewhere, measured }) {
    if (elsewhere !== null) return unchecked(elsewhere.metrics);
    const wanted = SECONDS_FOR_METRICS * SLACK;
    // Metrics are those of an id: an arm that a user called by the name of a service's storage may be on a disk.
    const uncounted = arms.filter(
      ({ storage, deployed }) =>
        deployed?.fileSystemId === null || (storage !== null && storage.account.metrics === undefined),
    );
    const without = new Set(uncounted.map(({ name }) => name));
    const done = measured.filter(({ failed }) => !failed);
    if (done.length === 0) return inapplicable('nothing was measured');
    const seen = done.filter(({ arm }) => !without.has(arm));
    if (seen.length === 0) return inapplicable('no service publishes metrics of these arms');
    const short = seen.filter(({ from, to }) => (to - from) / 1000 < wanted);
    const couldFind = `any of ${counted(seen.length, 'phase')} that took less than ${duration(wanted)}`;
    if (short.length === 0) return judged([], couldFind);
    const shortest = short.reduce((least, { from, to }) => Math.min(least, (to - from) / 1000), wanted);
    return judged(
      [
        {
          severity: 'warning',
          message: `${short.length} of ${seen.length} measured phases were too short for one-minute metrics to confirm them.`,
          expected: `at least ${SECONDS_FOR_METRICS} s`,
          actual: `${duration(shortest)} in the shortest`,
          suggestion: 'raise seconds, and maxMiBPerArm if the amount of data ended the phase',
          where: some(short.map(({ step }) => step)),
        },
      ],
      couldFind,
    );
  },
};

/** Processes may end this share of the time limit later, and this many seconds, before a finding says so. */
const WEAR_OUT = { share: 0.2, seconds: 10 };

/** A stonewall's wear-out lowers the rate, which ends with the slowest process: the others wait. */
export const stonewallWearOut: ValidityRule = {
  id: 'stonewall-wear-out',
  checks: 'processes end together with the time limit',
  check({ plan, measured }) {
    const limit = plan?.parameters.seconds;
    if (typeof limit !== 'number') return unchecked('the plan bounds its phases by something other than time');
    const timed = measured.filter(({ operation, seconds }) => /^(write|read)$/.test(operation) && seconds !== null);
    const most = limit + Math.max(WEAR_OUT.share * limit, WEAR_OUT.seconds);
    const late = timed.filter(({ seconds }) => (seconds ?? 0) > most);
    if (timed.length === 0) return inapplicable('no phase whose time a tool took');
    const couldFind = `an end more than ${duration(most - limit)} after the time limit in any of ${counted(timed.length, 'phase')}`;
    if (late.length === 0) return judged([], couldFind);
    const last = late.reduce((longest, { seconds }) => Math.max(longest, seconds ?? 0), 0);
    return judged(
      [
        {
          severity: 'warning',
          message: `In ${late.length} of ${timed.length} phases some processes ran long past the time limit, and the rate is taken over the time of the slowest.`,
          expected: `an end at ${duration(limit)}, at most ${duration(most)}`,
          actual: `${duration(last)} in the longest`,
          suggestion: 'look for a slow client or server in the raw output; longer phases make it matter less',
          where: some(late.map(({ step, arm }) => `${step} on ${arm}`)),
        },
      ],
      couldFind,
    );
  },
};
