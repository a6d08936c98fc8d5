import type * as z from 'zod';
import type { StorageConfiguration } from '../schema/deployment';
import { storageOrNone } from './lookup';

/**
 * Checks a plan's or deployment's arms by their storages' schemas, before prices and limits. An unknown kind passes here, and fails where it is
 * used.
 */
export function checkConfigurations(
  { arms }: { readonly arms: readonly { readonly configuration?: StorageConfiguration | undefined }[] },
  context: z.RefinementCtx,
): void {
  for (const [index, { configuration }] of arms.entries()) {
    if (configuration === undefined) continue;
    const checked = storageOrNone(configuration.kind)?.configuration.schema.safeParse(configuration);
    for (const { path, message } of checked?.error?.issues ?? []) {
      const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)?.[key], configuration);
      context.addIssue({
        code: 'custom',
        path: ['arms', index, 'configuration', ...path],
        message: `${message}, got ${JSON.stringify(value)}`,
      });
    }
  }
}
