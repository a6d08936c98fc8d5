import { fuzz } from './fuzz';

/** `npm run fuzz` parses a million. */
const count = Number(process.env.FSXBENCH_FUZZ ?? 3000);

if (count > 3000) jest.setTimeout(7_200_000);

test(`${count} mutated outputs crash no parser, hang none, and leave no nonsense that passes as valid`, () => {
  const finds = fuzz(20261122, count);
  expect(finds.map(({ source, mutation, why }) => `${source}, ${mutation}: ${why}`)).toEqual([]);
});
