import type { LogGroup } from '@aws-sdk/client-cloudwatch-logs';
import { counted } from '../common/format/units';
import type { FoundResource } from '../storage/search';
import { unknownQuantity } from './line';

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
