import { LustreDashboardStack } from '../../lib/constructs/storage/lustre/dashboard';
import { appWithFlags } from './cdk';

export const FILE_SYSTEM = 'fs-0a1b2c3d4e5f60718';

/** The stack that watches a file system of somebody else. */
export function lustreDashboard(
  props: { metadataIops?: number; alarmEmail?: string; kmsKeyArn?: string } = {},
): LustreDashboardStack {
  const env = { region: 'us-east-1' };
  return new LustreDashboardStack(appWithFlags(), 'LustreDashboard', { env, fileSystemId: FILE_SYSTEM, ...props });
}
