import { columns, method, table } from '../blocks';
import type { Section } from './section';

/** Every rule that was applied to the finished run, also those that found nothing. */
export const checks: Section = {
  id: 'checks',
  title: 'What was checked',
  blocks({ analysis, cells, issues: all }) {
    const applying = analysis.checks.filter(({ state }) => state !== 'does not apply');
    if (cells.length === 0) return [];
    const planned = (id: string) => all.find((issue) => issue.id === id);
    return [
      method(
        'Each row is a check of the finished run; its issues are listed under “Validity”. A passed check states what it could have found in this run; a smaller effect may still be present. A check that was inconclusive or not made gives the reason, and counts as neither passed nor failed. Checks that do not apply to this run are left out.',
      ),
      table({
        caption: 'Checks of the finished run',
        captionHidden: true,
        columns: columns('Checked', 'Outcome', 'Found, could have been found, or why not', 'Id'),
        rows: applying.map(({ id, checks: what, state, reason, couldFind, issues }) => {
          // A warning of the plan stays unless the finished run could be checked.
          const warned = state === 'not checked' ? planned(id) : undefined;
          const found = state === 'found' ? (issues[0]?.severity ?? 'found') : warned?.severity;
          // A long reason is stated once.
          const same = applying.find((one) => one.reason === reason && (reason ?? '').length > 60);
          const why =
            (same && same.id !== id ? `as for ${same.id}` : reason) ??
            (state === 'passed' ? `could have found ${couldFind}` : issues.map(({ actual }) => actual).join('; '));
          return [
            what,
            found === undefined ? state : { strong: found },
            warned === undefined ? why : `by the plan; the finished run was not checked: ${why}`,
            { code: id },
          ];
        }),
      }),
    ];
  },
};
