import { Annotations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { violationMessage } from '../common/violation';
import type { StorageCheck, Warning } from '../storage/slices/configuration';

/** Puts warnings where synthesis shows them. */
export function warn(on: IConstruct, warnings: readonly Warning[]): void {
  for (const { id, message } of warnings) Annotations.of(on).addWarningV2(id, message);
}

/** Reports what the rules find in a construct's configuration. @throws Error with every problem, a line each */
export function checked(construct: IConstruct, { errors, warnings }: StorageCheck): void {
  if (errors.length > 0) throw new Error(errors.map((violation) => violationMessage(violation)).join('\n'));
  warn(construct, warnings);
}
