import { fuzz } from './fuzz';

/** FSXBENCH_FUZZ=1000000 has parsed a million (docs/verification.md). */
const count = Number(process.env.FSXBENCH_FUZZ ?? 3000);

/** FSXBENCH_FUZZ_SEED has other mutations. */
const seed = Number(process.env.FSXBENCH_FUZZ_SEED ?? 20261122);

if (count > 3000) jest.setTimeout(7_200_000);

test(`${count} mutated outputs crash no parser, hang none, and leave no nonsense that passes as valid`, () => {
  const finds = fuzz(seed, count);
  expect(finds.map(({ source, mutation, why }) => `${source}, ${mutation}: ${why}`)).toEqual([]);
});
