import type { Check } from '../benchmark/plan';
import { duration, moment } from '../kit/format/units';
import { chanceOfMaintenance, maintenanceWithin, maintenanceWords } from '../storage/lustre/maintenance';

/** A run that meets a window less often than this need not think of it. */
const WORTH_A_WORD = 0.01;

const EFFECT = 'a file system may stand still for minutes then, and the caches of its servers are empty afterwards';

/** A run that would meet the weekly maintenance of a file system, or may, where AWS chooses when it is. */
export const meetsMaintenance: Check = ({ arms, steps, surroundings }) => {
  const { lab, startsAt } = surroundings;
  const fileSystems = arms.flatMap(({ name, configuration }) => (configuration ? [{ name, configuration }] : []));
  if (lab || fileSystems.length === 0) return null;
  const seconds = steps.reduce((sum, { expectedSeconds }) => sum + expectedSeconds, 0);
  const met = fileSystems.flatMap(({ name, configuration: { weeklyMaintenanceStartTime: weekly } }) => {
    if (weekly === undefined || startsAt === undefined) return [];
    const from = startsAt.getTime();
    const window = maintenanceWithin({ from, to: from + seconds * 1000 }, weekly);
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
        .map(
          ({ name, weekly, window }) =>
            `${name}: ${maintenanceWords(weekly)}, next at ${moment(new Date(window.from).toISOString())}`,
        )
        .join('; '),
      suggestion: `start it after ${moment(new Date(last).toISOString())}, or set weeklyMaintenanceStartTime`,
    };
  }
  const unknown = fileSystems.filter(({ configuration }) => configuration.weeklyMaintenanceStartTime === undefined);
  const chance = chanceOfMaintenance(seconds);
  if (unknown.length === 0 || chance < WORTH_A_WORD) return null;
  return {
    id: 'maintenance-window',
    severity: 'note',
    message: `AWS chooses when the weekly maintenance of ${unknown.map(({ name }) => name).join(' and ')} is, and a run of ${duration(seconds)} meets that of a file system in ${Math.round(chance * 100)} % of cases: ${EFFECT}.`,
    expected: 'a maintenance window at a time without a run',
    actual: 'no weeklyMaintenanceStartTime',
    suggestion: 'set weeklyMaintenanceStartTime',
  };
};
