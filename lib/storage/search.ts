import type { LogGroup } from '@aws-sdk/client-cloudwatch-logs';
import { type Account, type Tagged, tagOf } from '../common/aws/account';
import { counted } from '../common/format/units';
import { unknownQuantity } from '../price/line';
import type { PriceBook } from '../price/prices';
import type { CostLine } from '../schema/cost';
import type { StorageConfiguration } from '../schema/deployment';

/** Something in an account that costs money. */
export interface FoundResource {
  readonly id: string;
  /** In words: `backup of fs-0a1b2c3d4e5f60718`. */
  readonly what: string;
  /** Name of the stack that made it, from its tag. @default - it has none */
  readonly stack?: string | undefined;
  readonly lines: readonly CostLine[];
  readonly remove: string;
  /** True if it stays when its stack is deleted, since it holds results or logs. @default false */
  readonly kept?: boolean;
  /** Configuration of a file system. */
  readonly configuration?: StorageConfiguration;
}

export interface SearchOptions {
  readonly region: string;
  readonly book: PriceBook;
  /** Names of the stacks that may have made them, for services that list no tags. */
  readonly stacks: readonly string[];
}

/** Finds resources of one kind in an account, deployed by fsxbench or not. */
export interface ResourceSearch {
  /** `FSx for Lustre` */
  readonly label: string;
  find(account: Account, options: SearchOptions): Promise<readonly FoundResource[]>;
}

/** The tag that CloudFormation puts on its resources (CloudFormation guide, resource-tags). */
const STACK_NAME_TAG = 'aws:cloudformation:stack-name';

/** Our own tag, for resources whose stack tag names another stack or is missing: a service copies no tag that begins with `aws:`. */
export const STACK_TAG = 'fsxbench:stack';

/** EC2's filter for what a stack made. */
export const OF_STACKS = { Name: 'tag-key', Values: [STACK_TAG, STACK_NAME_TAG] };

/** The benchmark's stack that made something, by its tags. */
export const stackOf = (resource: Tagged): string | undefined =>
  tagOf(resource, STACK_TAG) ?? tagOf(resource, STACK_NAME_TAG);

/** The stack whose name a resource's begins with, in CloudFormation's way: `<stack>-<resource>`, in lower case for buckets. */
export const stackInName = (stacks: readonly string[], name: string, resource = ''): string | undefined =>
  stacks.find((stack) => name.toLowerCase().startsWith(`${stack}-${resource}`.toLowerCase()));

/** A log group that a stack made, as something that costs money. */
export const foundLogGroup = (
  { logGroupName: id = '', storedBytes = 0, retentionInDays: days }: LogGroup,
  region: string,
): Omit<FoundResource, 'stack'> => ({
  id,
  what: `log group, ${(storedBytes / 1e6).toFixed(1)} MB${days === undefined ? '' : `, events expire after ${counted(days, 'day')}`}`,
  lines: [unknownQuantity('logs', null, { reason: 'stored logs cost cents' })],
  remove: `aws logs delete-log-group --log-group-name ${id} --region ${region}`,
});
