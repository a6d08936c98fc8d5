import type { Action } from '../../../schema/plan';

/** What a plan calls a raise of metadata IOPS. */
export const RAISE_METADATA = 'raise-metadata';
export type RaiseMetadata = Extract<Action, { kind: typeof RAISE_METADATA }>;
