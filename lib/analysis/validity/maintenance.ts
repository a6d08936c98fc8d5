import { counted, moment } from '../../common/format/units';
import { changingOf } from '../../storage/lookup';
import { inapplicable, judged, type RuleFinding, some, unchecked, type ValidityRule } from './rule';

/** A file system that was patched stood still, and answered from empty caches afterwards. */
export const maintenanceWindow: ValidityRule = {
  id: 'maintenance-window',
  checks: 'nothing was measured in a weekly maintenance window',
  check({ arms, elsewhere, measured }) {
    if (elsewhere !== null) return inapplicable(elsewhere.claims);
    const known = arms.flatMap(({ name, configuration, storage }) => {
      const words = configuration && storage?.documented.maintenance?.words(configuration);
      return words == null ? [] : [{ name, configuration, words, maintenance: storage?.documented.maintenance }];
    });
    if (known.length === 0) return inapplicable('no maintenance window is known of any arm');
    const findings = known.flatMap(({ name, configuration, words, maintenance }): RuleFinding | [] => {
      const met = measured.flatMap((task) => {
        const window = task.arm === name && configuration ? (maintenance?.within(configuration, task) ?? null) : null;
        return window === null ? [] : { step: task.step, window };
      });
      const [first] = met;
      if (first === undefined) return [];
      return {
        severity: 'warning',
        message: `${name}: ${met.length} of its measured phases ${met.length === 1 ? 'was' : 'were'} in its weekly maintenance window, during which it may have stalled.`,
        expected: 'phases outside of maintenance',
        actual: `maintenance on ${words}, from ${moment(new Date(first.window.from).toISOString())}`,
        suggestion: `look for a gap in the metrics; repeat these phases, or move the window with ${maintenance?.setting}`,
        where: some(met.map(({ step }) => step)),
      };
    });
    const without = arms.length - known.length;
    return judged(
      findings,
      `a phase in the window of ${known.map(({ name }) => name).join(' or ')}${without === 0 ? '' : `; ${counted(without, 'arm')} more without a known window`}`,
    );
  },
};

/** A service that moves data to new disks takes their throughput from whoever measures meanwhile. */
export const changingFileSystem: ValidityRule = {
  id: 'changing-file-system',
  checks: 'no service was still changing a file system when the run began',
  check({ arms, elsewhere }) {
    const asked = arms.filter(({ storage }) => storage?.documented.maintenance !== undefined);
    if (elsewhere !== null || asked.length === 0) return inapplicable('no service changes these file systems');
    const known = asked.flatMap(({ deployed }) => (deployed?.describe ? [deployed] : []));
    if (known.length === 0) return unchecked('the descriptions of the file systems were not recorded');
    const findings = known.flatMap((arm): RuleFinding | [] => {
      const changing = changingOf(arm);
      if (changing === null) return [];
      return {
        severity: 'warning',
        message: `${arm.name}: its service was still changing it when the run began, which takes throughput from the clients.`,
        expected: 'a file system at rest',
        actual: changing,
        suggestion: 'measure again once the change is complete',
        where: arm.name,
      };
    });
    return judged(findings, `a change in progress on any of ${counted(known.length, 'file system')}`);
  },
};
