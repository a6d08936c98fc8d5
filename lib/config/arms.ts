import type { ArmDefinition, Benchmark, Scale } from '../benchmark/benchmark';
import { BENCHMARKS } from '../benchmark/registry';
import { breachMessage, unless } from '../common/breach';
import { requireNone } from '../common/configurationError';
import { listed } from '../common/format/strings';
import type { StorageConfiguration } from '../schema/storage';
import { storageOf } from '../storage/lookup';
import { STORAGES } from '../storage/registry';
import type { Settings } from './fields';
import { nearest } from './nearest';

/**
 * The most arms of a stack: with fourteen, and the most metadata servers, alarms and rules stay below CloudFormation's 500
 * resources, and their description below the 8,192 bytes of a parameter.
 */
const MOST_ARMS = 14;

/** Settings of storages and benchmarks other than these: they would be passed over. */
function foreign({ name, settings: own = {} }: Benchmark, arms: readonly ArmDefinition[], settings: Settings) {
  const kinds = new Set(arms.map(({ storage }) => storageOf(storage)));
  const used = [own, ...[...kinds].map((kind) => kind.configuration.settings)];
  const others = [
    ...STORAGES.map((storage) => ({ owner: storage.label, fields: storage.configuration.settings })),
    ...BENCHMARKS.map((benchmark) => ({ owner: benchmark.name, fields: benchmark.settings ?? {} })),
  ];
  return Object.entries(settings).flatMap(([key, value]) => {
    const owners = others.filter(({ fields }) => key in fields).map(({ owner }) => owner);
    const kept = value === undefined || owners.length === 0 || used.some((fields) => key in fields);
    const next = `It is a setting of ${listed(owners)}; put it into the section of a benchmark that has it.`;
    return unless(kept, key, `absent with ${name}`, value, next);
  });
}

/** All arms that can be chosen. Settings that choose arms do not change them: an arm is what its name says. */
function candidates(definition: Benchmark, scale: Scale, settings: Settings): readonly ArmDefinition[] {
  const { chosenBy = [] } = definition;
  const common = Object.fromEntries(Object.entries(settings).filter(([key]) => !chosenBy.includes(key)));
  const arms = definition.arms(scale, settings);
  requireNone(foreign(definition, arms, settings));
  const changed = (storage: StorageConfiguration) => storageOf(storage).configuration.withSettings(storage, common);
  return arms.map((arm) => ({ ...arm, storage: changed(arm.storage) }));
}

function subset(
  { settings: own = {} }: Benchmark,
  arms: readonly ArmDefinition[],
  wanted: Settings['arms'],
): readonly ArmDefinition[] {
  if (wanted === undefined) return arms;
  const names = arms.map(({ name }) => name);
  const [maker] = Object.keys(own);
  const problems = wanted
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearest(name, names);
      const other = maker === undefined ? 'Leave it out for all of them.' : `Others come with '${maker}'.`;
      const step = meant === undefined ? other : `Did you mean '${meant}'?`;
      return { property: 'arms', must: `of ${names.join(', ')}`, got: name, next: step };
    });
  requireNone(problems);
  return arms.filter(({ name }) => wanted.includes(name));
}

/** The arms with the settings applied, checked against AWS's rules. @throws ConfigurationError */
export function armsOf(definition: Benchmark, scale: Scale, settings: Settings): readonly ArmDefinition[] {
  const arms = subset(definition, candidates(definition, scale, settings), settings.arms);
  const storages = arms.map(({ storage }) => storage);
  const problems = storages.flatMap((storage) => {
    const { check, words } = storageOf(storage).configuration;
    return check(storage).errors.map((breach) => breachMessage(breach, words));
  });
  if (arms.length > MOST_ARMS)
    problems.push(
      `${definition.name} must have at most ${MOST_ARMS} arms, got ${arms.length}. Choose some with 'arms'.`,
    );
  for (const kind of new Set(storages.map(storageOf))) {
    const { checkTogether, words } = kind.configuration;
    const errors = checkTogether?.(storages.filter((storage) => storageOf(storage) === kind)) ?? [];
    problems.push(...errors.map((breach) => breachMessage(breach, words)));
  }
  requireNone(problems);
  return arms;
}
