import { App, Stack } from 'aws-cdk-lib';
import { colourOf } from '../../../constructs/dashboard/graph';
import type { LustreConfiguration } from '../configuration';
import { describeLustre } from '../documented';
import { isPublished, metricInfo } from '../metricTable';
import { LustreDashboard } from './dashboard';
import { ForeignLustre } from './fileSystem';
import { iopsPerTarget, serverCeilings } from './view';

/** A file system of the account, whoever made it. */
export interface ShownFileSystem {
  readonly fileSystemId: string;
  readonly region: string;
  readonly configuration: LustreConfiguration;
  /** Metadata IOPS in effect; `null` without a metadata configuration. */
  readonly metadataIops: number | null;
}

/** Metadata IOPS assumed of a target for which AWS publishes no number: the most that one has. */
const ASSUMED_IOPS = 12_000;

/** The body of LustreDashboard for a file system, without a stack that was deployed for it. */
export function bodyOfFileSystem({ fileSystemId, region, configuration, metadataIops }: ShownFileSystem): string {
  const stack = new Stack(new App({ analyticsReporting: false }), 'Shown', { env: { region } });
  const { body } = new LustreDashboard(stack, 'Dashboard', {
    fileSystem: {
      name: fileSystemId,
      colour: colourOf(0),
      storage: new ForeignLustre(stack, 'FileSystem', { fileSystemId }),
      ceilings: serverCeilings(configuration, region),
      publishes: (metric) => isPublished(metricInfo(metric), configuration),
      metadata: null,
      metadataIopsAbove: null,
    },
    fileSystemId,
    description: `${describeLustre(configuration)}${metadataIops === null ? ', no metadata configuration' : ''}`,
    iopsPerTarget: iopsPerTarget(metadataIops ?? ASSUMED_IOPS),
  });
  return filled(stack.resolve(body), region);
}

/** CDK leaves the Region of a graph to CloudFormation, and nothing else. */
function filled(body: string | { readonly 'Fn::Join': readonly [string, readonly unknown[]] }, region: string): string {
  if (typeof body === 'string') return body;
  const [between, parts] = body['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : region)).join(between);
}
