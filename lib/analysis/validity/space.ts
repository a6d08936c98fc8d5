import { bytes, counted, plain } from '../../common/format/units';
import { coarseBelow, FEWEST_STEPS } from '../figures/space';
import { inapplicable, judged, place, type RuleFinding, unchecked, type ValidityRule } from './rule';

/** Allowed difference between the file system's free space and the blocks of its files: metadata, rounded parity, other writers. */
const TOLERANCE = 0.1;
/** Less than this is a file system's own housekeeping. */
const LEAST_BYTES = 64 * 2 ** 20;

/** A small run moves the file system's own figure by a few of its steps, and the ratio by it may be far off. */
export const freeSpaceCoarse: ValidityRule = {
  id: 'free-space-coarse',
  checks: 'used space grew by many of the steps that it is reported in',
  check({ space, elsewhere }) {
    const both = space.flatMap((cell) =>
      cell.readings.flatMap((reading) => (reading.grownBytes === null ? [] : [{ cell, reading }])),
    );
    if (both.length === 0 || (elsewhere?.space ?? null) !== null)
      return inapplicable('there is no ratio by free space');
    const findings = both.flatMap(({ cell, reading }): RuleFinding[] => {
      const least = coarseBelow(cell, reading);
      if (least === null) return [];
      const { arm, compressibility, freeSpaceStepBytes: step } = cell;
      const grown = Math.abs(reading.grownBytes as number);
      return [
        {
          severity: 'note',
          message: `${place(arm, 'space', compressibility)}, repeat ${reading.repeat}: the used space of the file system changed by ${bytes(grown)}, but is reported in steps of ${bytes(step as number)}: the ratio by free space is rough.`,
          expected: `${bytes(least)} or more`,
          actual: bytes(grown),
          suggestion: `trust ${reading.source}, or write more data`,
          where: arm,
        },
      ];
    });
    return judged(
      findings,
      `a change of fewer than ${FEWEST_STEPS} steps in any of ${counted(both.length, 'reading')}`,
    );
  },
};

/** Two ways to one figure: where they differ, one of them counted something else. */
export const freeSpaceDisagrees: ValidityRule = {
  id: 'free-space-disagrees',
  checks: 'used space grew by what the files take',
  check({ space, elsewhere }) {
    const late = elsewhere?.space ?? null;
    if (late !== null) return unchecked(late);
    const both = space.flatMap(({ arm, compressibility, readings }) =>
      readings.flatMap(({ repeat, allocatedBytes, grownBytes, source }) =>
        allocatedBytes === null || grownBytes === null
          ? []
          : [{ arm, compressibility, repeat, allocatedBytes, grownBytes, source }],
      ),
    );
    if (both.length === 0) {
      const reasons = [...new Set(space.flatMap(({ freeSpaceReasons }) => freeSpaceReasons))];
      return reasons.length > 0
        ? unchecked(`free space was not read: ${reasons.join('; ')}`)
        : inapplicable('free space was not read before and after');
    }
    const findings = both.flatMap(
      ({ arm, compressibility, repeat, allocatedBytes, grownBytes, source }): RuleFinding[] => {
        const apart = Math.abs(grownBytes - allocatedBytes);
        if (apart <= Math.max(LEAST_BYTES, TOLERANCE * allocatedBytes)) return [];
        return [
          {
            severity: 'warning',
            message: `${place(arm, 'space', compressibility)}, repeat ${repeat}: the used space of the file system ${grownBytes < 0 ? 'shrank' : 'grew'} by ${bytes(Math.abs(grownBytes))}, but the files take ${bytes(allocatedBytes)} by ${source}.`,
            expected: `growth of ${bytes(allocatedBytes)}, within ${plain(TOLERANCE * 100)} % or ${bytes(LEAST_BYTES)}`,
            actual: `${grownBytes < 0 ? '−' : ''}${bytes(Math.abs(grownBytes))}`,
            suggestion: `trust ${source}; look for other writers, and for data removed before that were still being freed`,
            where: arm,
          },
        ];
      },
    );
    return judged(
      findings,
      `a difference above ${plain(TOLERANCE * 100)} % and ${bytes(LEAST_BYTES)} in any of ${counted(both.length, 'reading')}`,
    );
  },
};
