import { App, Stack } from 'aws-cdk-lib';
import type { LustreConfiguration } from '../configuration';
import { describeLustre } from '../documented';
import { LustreDashboard } from './dashboard';
import { ForeignLustre } from './fileSystem';

/** A file system of the account, deployed by fsxbench or not. */
export interface ShownFileSystem {
  readonly fileSystemId: string;
  readonly region: string;
  readonly configuration: LustreConfiguration;
  /** Metadata IOPS in effect; `null` without a metadata configuration. */
  readonly metadataIops: number | null;
}

/** The body of LustreDashboard for a file system, without a stack that was deployed for it. */
export function bodyOfFileSystem({ fileSystemId, region, configuration, metadataIops }: ShownFileSystem): string {
  const stack = new Stack(new App({ analyticsReporting: false }), 'Shown', { env: { region } });
  const { body } = new LustreDashboard(stack, 'Dashboard', {
    fileSystem: new ForeignLustre(stack, 'FileSystem', { fileSystemId, configuration, metadataIops }),
    description: `${describeLustre(configuration)}${metadataIops === null ? ', no metadata configuration' : ''}`,
  });
  return filled(stack.resolve(body), region);
}

/** CDK leaves the Region of a graph to CloudFormation, and nothing else. */
function filled(body: string | { readonly 'Fn::Join': readonly [string, readonly unknown[]] }, region: string): string {
  if (typeof body === 'string') return body;
  const [between, parts] = body['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : region)).join(between);
}
