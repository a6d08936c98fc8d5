import type { Check } from '../benchmark/plan';
import { duration, moment } from '../kit/format/units';
import { storageOf } from '../storage/lookup';
import type { MaintenanceCapability } from '../storage/storage';

/** A run that meets a window less often than this need not think of it. */
const WORTH_A_WORD = 0.01;

const EFFECT = 'a file system may stand still for minutes then, and the caches of its servers are empty afterwards';

/** The context keys that choose the windows. */
const settings = (arms: readonly { readonly maintenance: MaintenanceCapability }[]): string =>
  [...new Set(arms.map(({ maintenance }) => maintenance.setting))].join(' and ');

/** A run that would meet the weekly maintenance of a file system, or may, where AWS chooses when it is. */
export const meetsMaintenance: Check = ({ arms, steps, surroundings }) => {
  const { lab, startsAt } = surroundings;
  const fileSystems = arms.flatMap(({ name, configuration }) => {
    const maintenance = configuration && storageOf(configuration).maintenance;
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
      message: `A run started now would meet the weekly maintenance of ${met.map(({ name }) => name).join(' and ')}: ${EFFECT}.`,
      expected: `${duration(seconds)} without a maintenance window`,
      actual: met
        .map(({ name, weekly, window }) => `${name}: ${weekly}, next at ${moment(new Date(window.from).toISOString())}`)
        .join('; '),
      suggestion: `start it after ${moment(new Date(last).toISOString())}, or set ${settings(fileSystems)}`,
    };
  }
  const unknown = fileSystems.filter(({ weekly }) => weekly === null);
  const chance = Math.max(0, ...unknown.map(({ maintenance }) => maintenance.chance(seconds)));
  if (unknown.length === 0 || chance < WORTH_A_WORD) return null;
  return {
    id: 'maintenance-window',
    severity: 'note',
    message: `AWS chooses when the weekly maintenance of ${unknown.map(({ name }) => name).join(' and ')} is, and a run of ${duration(seconds)} meets that of a file system in ${Math.round(chance * 100)} % of cases: ${EFFECT}.`,
    expected: 'a maintenance window at a time without a run',
    actual: `no ${settings(unknown)}`,
    suggestion: `set ${settings(unknown)}`,
  };
};
