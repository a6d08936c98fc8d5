import { renderLeftovers } from '../../../lib/cli/account/leftovers';
import type { Leftover, Leftovers } from '../../../lib/doctor/aws/leftovers';
import { fsxbenchIn } from '../support';

let mockAnswer: Partial<Leftovers>;
jest.mock('../../../lib/doctor/aws/account', () => ({
  environmentsAccount: async () => ({ region: 'us-east-1' }),
  identity: async () => ({ accountId: '123456789012', findings: [] }),
}));
jest.mock('../../../lib/doctor/aws/leftovers', () => ({
  ...jest.requireActual('../../../lib/doctor/aws/leftovers'),
  findLeftovers: async () => ({ found: [], failures: [], unknown: [], ...mockAnswer }),
}));

const instance = (id: string, more: Partial<Leftover> = {}): Leftover => ({
  lines: [],
  id,
  what: 'instance c5n.9xlarge',
  stack: 'CompressionBench',
  standing: true,
  hourlyUsd: 2,
  monthlyUsd: 1460,
  remove: `aws ec2 terminate-instances --instance-ids ${id}`,
  ...more,
});
const rowsOf = (found: readonly Leftover[]): string[] => renderLeftovers(found, found, 10, 7300).split('\n');

test('each machine has a row, and an unknown price stays unknown', () => {
  const [, first, , last, , sum] = rowsOf(
    ['i-1', 'i-2', 'i-3'].map((id) => instance(id, { hourlyUsd: null, monthlyUsd: null, standing: id === 'i-1' })),
  );
  expect(first).toMatch(
    /^i-1 +instance c5n\.9xlarge +CompressionBench +stands +– +– +npx cdk destroy CompressionBench$/,
  );
  expect(last).toContain('aws ec2 terminate-instances --instance-ids i-3');
  expect(sum).toBe('10.00 USD/h, 7300.00 USD per month at list prices, without 3 resources whose price is not known');
});

const failure = { stack: 'MountBench', what: 'DELETE_FAILED', reason: 'in use', remove: 'npx cdk destroy MountBench' };
const kept = instance('bucket', { kept: true, hourlyUsd: 0.5, monthlyUsd: 365 });
test.each([
  ['nothing', {}, 0, 0],
  ['what is kept on purpose', { found: [kept] }, 0, 0],
  ['what is kept, and a machine', { found: [kept, instance('i-1')] }, 1, 2],
  ['two machines', { found: [instance('i-1'), instance('i-2', { standing: false })] }, 1, 4],
  ['a stack that does not go', { failures: [failure] }, 1, 0],
  ['a search that failed', { unknown: [{ search: 'volumes', reason: 'denied' }] }, 1, 0],
] as const)('%s: the status and the bill of the command', async (_, answer, status, hourlyUsd) => {
  mockAnswer = answer;
  const asked = await fsxbenchIn({}, ['leftovers', '--json']);
  const { leftovers, ...document } = JSON.parse(asked.out);
  expect({ status: asked.status, ...document }).toMatchObject({ status, hourlyUsd, monthlyUsd: hourlyUsd * 730 });
  expect(leftovers).toHaveLength('found' in answer ? answer.found.length : 0);
  const { out } = await fsxbenchIn({}, ['leftovers']);
  expect(/([\d.]+) USD\/h, /.exec(out)?.[1]).toBe(hourlyUsd === 0 ? undefined : hourlyUsd.toFixed(2));
});
