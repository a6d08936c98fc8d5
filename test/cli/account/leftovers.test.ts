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
const fleet = ['i-1', 'i-2', 'i-3', 'i-4', 'i-5'];
const rowsOf = (found: readonly Leftover[]): string[] => renderLeftovers(found, found).split('\n');

test('the machines of a fleet are one row, with what they cost together', () => {
  const rows = rowsOf(fleet.map((id) => instance(id)));
  expect(rows[1]).toMatch(
    /^i-1 and 4 more +5 × instance c5n\.9xlarge +CompressionBench +stands +10\.00 +7300\.00 +npx cdk destroy CompressionBench$/,
  );
  expect(rows.filter((row) => row.startsWith('i-'))).toHaveLength(1);
});

test('few of a kind have a row each', () => {
  expect(rowsOf(fleet.slice(0, 3).map((id) => instance(id))).filter((row) => row.startsWith('i-'))).toHaveLength(3);
});

test('machines without a stack keep their rows, since each has a command of its own', () => {
  const rows = rowsOf(fleet.map((id) => instance(id, { standing: false })));
  expect(rows.filter((row) => row.includes('terminate-instances'))).toHaveLength(5);
});

test('an unknown price of a fleet stays unknown', () => {
  const rows = rowsOf(fleet.map((id) => instance(id, { hourlyUsd: null, monthlyUsd: null })));
  expect(rows[1]).toMatch(/5 × instance c5n\.9xlarge +CompressionBench +stands +– +– /);
  expect(rows[3]).toBe('0.00 USD/h, 0.00 USD per month at list prices, without 5 resources whose price is not known');
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
