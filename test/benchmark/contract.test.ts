import { AwsSolutionsChecks } from 'cdk-nag';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { stacksWith } from '../support/cdk';
import { contractOf } from './contract';

describe.each(BENCHMARKS.map((benchmark) => [benchmark.name, benchmark] as const))('%s', (_, benchmark) => {
  contractOf(() => benchmark);

  test('its smallest deployment leaves no finding of cdk-nag', () => {
    const { bench } = stacksWith({ scale: 'smoke' }, undefined, undefined, benchmark);
    expect(new AwsSolutionsChecks().validateScope(bench).violations.map(({ ruleName }) => ruleName)).toEqual([]);
  });
});

test('each has a name of its own, which is a stack’s', () => {
  const names = BENCHMARKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
});
