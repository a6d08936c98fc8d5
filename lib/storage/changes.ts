import { raiseMetadata } from '../scale/raise';
import { read } from '../schema/document';
import type { ChangeAction } from '../schema/plan';
import type { StorageChange } from './change';

const CHANGES: readonly StorageChange[] = [raiseMetadata];

/** Finds the change that a step makes; `undefined` for one of another release, or with wrong fields. */
export function changeOrNone(action: ChangeAction): StorageChange | undefined {
  const found = CHANGES.find(({ kind }) => kind === action.kind);
  return found && 'document' in read(found.schema, action) ? found : undefined;
}

/** The change that a step makes. @throws Error for one that is not known here, or with wrong fields */
export function changeOf(action: ChangeAction): StorageChange {
  const found = changeOrNone(action);
  if (found) return found;
  throw new Error(
    `a change of a plan must be one of ${CHANGES.map(({ kind }) => kind).join(', ')} with its fields, got ${JSON.stringify(action)}. A plan with another was made by another release of fsxbench: run it with that one.`,
  );
}
