import { listed } from '../../common/format/text';
import { duration, moment } from '../../common/format/units';
import { chanceOfMaintenance, type WeeklyMaintenance } from '../../storage/common/maintenance';
import { storageOf } from '../../storage/lookup';
import type { Check } from '../plan';

/** Probabilities of overlapping a window below this are not reported. */
const WORTH_A_WORD = 0.01;

const EFFECT = 'a file system may then stall for minutes, and its server caches are empty afterwards';

/** The context keys that set the windows. */
const settings = (arms: readonly { readonly maintenance: WeeklyMaintenance }[]): string =>
  listed([...new Set(arms.map(({ maintenance }) => maintenance.setting))]);

/** An issue if a run would overlap a file system's weekly maintenance, or might, if AWS chooses the time. */
export const meetsMaintenance: Check = ({ arms, steps, environment }) => {
  const { lab, startsAt } = environment;
  const fileSystems = arms.flatMap(({ name, configuration }) => {
    const maintenance = configuration && storageOf(configuration).documented.maintenance;
    return maintenance ? [{ name, maintenance, configuration, weekly: maintenance.words(configuration) }] : [];
  });
  if (lab || fileSystems.length === 0) return null;
  const seconds = steps.reduce((sum, { expectedSeconds }) => sum + expectedSeconds, 0);
  const met = fileSystems.flatMap(({ name, maintenance, configuration, weekly }) => {
    if (startsAt === undefined) return [];
    const from = startsAt.getTime();
    const window = maintenance.within(configuration, { from, to: from + seconds * 1000 });
    return window === null ? [] : [{ name, weekly, window }];
  });
  if (met.length > 0) {
    const last = Math.max(...met.map(({ window }) => window.to));
    return {
      id: 'maintenance-window',
      severity: 'warning',
      message: `A run started now would overlap the weekly maintenance of ${listed(met.map(({ name }) => name))}: ${EFFECT}.`,
      expected: `${duration(seconds)} without a maintenance window`,
      actual: met
        .map(({ name, weekly, window }) => `${name}: ${weekly}, next at ${moment(new Date(window.from).toISOString())}`)
        .join('; '),
      suggestion: `start it after ${moment(new Date(last).toISOString())}, or set ${settings(fileSystems)}`,
    };
  }
  const unknown = fileSystems.filter(({ weekly }) => weekly === null);
  const chance = chanceOfMaintenance(seconds);
  if (unknown.length === 0 || chance < WORTH_A_WORD) return null;
  return {
    id: 'maintenance-window',
    severity: 'note',
    message: `AWS chooses the weekly maintenance window of ${listed(unknown.map(({ name }) => name))}, and a run of ${duration(seconds)} overlaps that of a file system in ${Math.round(chance * 100)} % of cases: ${EFFECT}.`,
    expected: 'a maintenance window at a time without a run',
    actual: `no ${settings(unknown)}`,
    suggestion: `set ${settings(unknown)}`,
  };
};
