import type { RuleOutcome } from '../../analysis/validity';
import { column, method, tableOf } from '../blocks';
import type { Section } from './section';

/** Every rule that was applied to the finished run, also those that found nothing. */
export const checks: Section = {
  id: 'checks',
  title: 'What was checked',
  blocks({ analysis, cells, issues: all }) {
    const applying = analysis.checks.filter(({ state }) => state !== 'does not apply');
    if (cells.length === 0) return [];
    // A warning of the plan stays unless the finished run could be checked.
    const warnedOf = ({ id, state }: Pick<RuleOutcome, 'id' | 'state'>) =>
      state === 'not checked' ? all.find((issue) => issue.id === id) : undefined;
    return [
      method(
        'Each row is a check of the finished run; its issues are listed under “Validity”. A passed check states what it could have found in this run; a smaller effect may still be present. A check that was inconclusive or not made gives the reason, and counts as neither passed nor failed. Checks that do not apply to this run are left out.',
      ),
      tableOf(applying, { caption: 'Checks of the finished run', captionHidden: true }, [
        column('Checked', ({ checks: what }) => what),
        column('Outcome', ({ id, state, issues }) => {
          const found = state === 'found' ? (issues[0]?.severity ?? 'found') : warnedOf({ id, state })?.severity;
          return found === undefined ? state : { strong: found };
        }),
        column('Found, could have been found, or why not', ({ id, state, reason, couldFind, issues }) => {
          // A long reason is stated once.
          const same = applying.find((one) => one.reason === reason && (reason ?? '').length > 60);
          const why =
            (same && same.id !== id ? `as for ${same.id}` : reason) ??
            (state === 'passed' ? `could have found ${couldFind}` : issues.map(({ actual }) => actual).join('; '));
          return warnedOf({ id, state }) ? `by the plan; the finished run was not checked: ${why}` : why;
        }),
        column('Id', ({ id }) => ({ code: id })),
      ]),
    ];
  },
};
