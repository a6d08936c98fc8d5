import { counted } from '../../common/format/units';
import { changingOf } from '../../storage/lookup';
import { inapplicable, judged, type RuleFinding, unchecked, type ValidityRule } from './rule';

/** A service that moves data to new disks takes their throughput from whoever measures meanwhile. */
export const changingFileSystem: ValidityRule = {
  id: 'changing-file-system',
  checks: 'no file system was still being changed by its service when the run began',
  check({ arms, elsewhere }) {
    const asked = arms.filter(({ storage }) => storage?.account.changing !== undefined);
    if (elsewhere !== null || asked.length === 0) return inapplicable('no service changes these file systems');
    const known = asked.flatMap(({ deployed }) => (deployed?.describe ? [deployed] : []));
    if (known.length === 0) return unchecked('the descriptions of the file systems were not recorded');
    const findings = known.flatMap((arm): RuleFinding[] => {
      const changing = changingOf(arm);
      if (changing === null) return [];
      return [
        {
          severity: 'warning',
          message: `${arm.name}: its service was still changing it when the run began, which takes throughput from the clients.`,
          expected: 'a file system at rest',
          actual: changing,
          suggestion: 'measure again once the change is complete',
          where: arm.name,
        },
      ];
    });
    return judged(findings, `a change under way in any of ${counted(known.length, 'file system')}`);
  },
};
