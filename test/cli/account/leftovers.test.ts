import { renderLeftovers } from '../../../lib/cli/account/leftovers';
import type { Leftover } from '../../../lib/doctor/aws/leftovers';

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
const rowsOf = (found: readonly Leftover[]): string[] => renderLeftovers(found, found.length, 10, 7300).split('\n');

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
});
