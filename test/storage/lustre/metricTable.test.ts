import { LUSTRE_METRICS } from '../../../lib/storage/lustre/metricTable';

test('no two metrics have the same role: engines ask for one and must get one', () => {
  const roles = LUSTRE_METRICS.flatMap(({ role }) => role ?? []);
  expect(roles).toEqual([...new Set(roles)]);
  expect(roles).toEqual(expect.arrayContaining(['bytes_read', 'bytes_written', 'metadata_operations']));
});
