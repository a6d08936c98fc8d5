import { breachMessage } from '../../common/breach';
import type { StorageCheck, Warning } from '../slices/configuration';
import type { LustreConfiguration } from './configuration';
import { describeLustre } from './documented';
import { ADVICE } from './rule/advice';
import { METADATA_RULES } from './rule/metadata';
import { OPERATION_RULES } from './rule/operations';
import { REPOSITORY_RULES } from './rule/repositories';
import { ID_PREFIX, type Rules } from './rule/rule';
import { SIZE_RULES } from './rule/size';
import { TIERING_RULES } from './rule/tiering';
import { TYPE_RULES } from './rule/type';

/**
 * Every rule whose breach AWS answers with an error, minutes after a deployment has begun and often without naming the property.
 * cfn-lint and CDK's own construct let most of them pass.
 */
export const LUSTRE_RULES: Rules = {
  ...TYPE_RULES,
  ...SIZE_RULES,
  ...TIERING_RULES,
  ...METADATA_RULES,
  ...REPOSITORY_RULES,
  ...OPERATION_RULES,
};

/** Findings on a configuration: AWS would refuse its `errors`, `warnings` are unwise. */
export function checkLustre(configuration: LustreConfiguration): StorageCheck {
  const errors = findings(LUSTRE_RULES, configuration).map(([id, refused]) => ({
    id,
    got: valueAt(configuration, refused.property),
    ...refused,
  }));
  // Advice on a configuration that cannot exist would only distract.
  return { errors, warnings: errors.length > 0 ? [] : adviceOn(configuration) };
}

/** Advice on a configuration that AWS accepts. */
export const adviceOn = (configuration: LustreConfiguration, rules = ADVICE): Warning[] =>
  findings(rules, configuration).map(([id, message]) => ({ id, message }));

/** Throws an error that lists every rule that the configuration breaks; returns the warnings. */
export function validateLustre(configuration: LustreConfiguration): readonly Warning[] {
  const { errors, warnings } = checkLustre(configuration);
  if (errors.length === 0) return warnings;
  const list = errors.map((breach) => `- ${breachMessage(breach)}`).join('\n');
  throw new Error(`AWS would refuse this file system (${describeLustre(configuration)}):\n${list}`);
}

const findings = <Finding>(rules: Rules<Finding>, configuration: LustreConfiguration) =>
  Object.entries(rules).flatMap(([id, check]): (readonly [id: string, found: Finding])[] => {
    const found = check(configuration);
    return found === undefined || found === false ? [] : [[`${ID_PREFIX}${id}`, found]];
  });

/** The value of a property by its path: `metadata.iops`. */
const valueAt = (configuration: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], configuration);
