import { BENCHMARKS } from '../../lib/benchmark/registry';
import { fsxbench } from './support';

test('lists every benchmark with its question and its plans', async () => {
  const { status, out } = await fsxbench('benchmarks');
  expect(status).toBe(0);
  for (const { name, question, plans } of BENCHMARKS)
    expect(out).toMatch(
      new RegExp(`^${name} +${plans.map((plan) => plan.name).join(', ')} .*${question.slice(-20, -1)}`, 'm'),
    );
  expect(JSON.parse((await fsxbench('benchmarks', '--json')).out)).toMatchObject({
    schema: 'fsxbench.benchmarks/1',
    benchmarks: BENCHMARKS.map(({ name, plans: [first] }) => ({ name, plans: expect.arrayContaining([first?.name]) })),
  });
});

test('a benchmark says every parameter of its plans, with what is allowed and the default at each scale', async () => {
  const { status, out } = await fsxbench('benchmarks', 'CompressionBench');
  expect(status).toBe(0);
  expect(out).toMatch(/^--set with --plan paired +published +smoke +lab +allowed$/m);
  expect(out).toMatch(/^ {2}repeats +5 +2 +5 +a whole number from 1 to 1000$/m);
  expect(out).toMatch(/^ {2}smallestDifferencePercent +2 +2 +2 +from 0 to 50$/m);
  expect((await fsxbench('benchmarks', 'Compression')).status).toBe(2);
});

test.each(BENCHMARKS)('the defaults of $name are those with which it is planned', async ({ name, plans: [plan] }) => {
  const [{ parameters }] = JSON.parse((await fsxbench('benchmarks', name, '--json')).out).benchmarks[0].parameters;
  for (const scale of ['published', 'smoke', 'lab']) {
    const planned = JSON.parse((await fsxbench('plan', name, '--scale', scale, '--json')).out).parameters;
    const listed = parameters.map(({ key, defaults }: { key: string; defaults: Record<string, unknown> }) => [
      key,
      defaults[scale] ?? undefined,
    ]);
    expect([plan?.name, scale, Object.fromEntries(listed)]).toMatchObject([plan?.name, scale, planned]);
  }
});
