import * as z from 'zod';
import {
  amount,
  described,
  type Field,
  fieldOf,
  flag,
  instanceTypeField,
  list,
  numeric,
  oneOfNumbers,
  oneOfWords,
  orWords,
  valueIn,
  whole,
  wholeFrom,
} from '../../lib/common/field';
import {
  IN_BYTES,
  IN_GIB,
  IN_HOURS,
  IN_KIB,
  IN_MBPS,
  IN_MIB,
  IN_MINUTES,
  IN_SECONDS,
  NUMBER,
} from '../../lib/common/quantity';

const VERSION = oneOfWords(['2.12', '2.15', 'latest']);
const LZ4 = oneOfWords(['LZ4', 'NONE']);
const TIERS = oneOfNumbers([125, 250], 'see the page', IN_MBPS);
const ARMS = { schema: list(z.string()), allowed: 'arms' };
const NODES = { schema: list(numeric(z.number().int())), allowed: 'nodes' };
const AUTO = { schema: orWords(['auto'], numeric(z.number().min(1))), allowed: 'auto or a number' };

// As text from a command line, or as the value that cdk.json has; what is refused is told as it came.
test.each<[Field, unknown, unknown]>([
  [VERSION, '2.15', '2.15'],
  [VERSION, 2.15, '2.15'],
  [VERSION, ' Latest ', 'latest'],
  [VERSION, 2.1, undefined],
  [VERSION, true, undefined],
  [VERSION, '', undefined],
  [LZ4, 'lz4', 'LZ4'],
  [LZ4, 'zstd', undefined],
  [TIERS, '250', 250],
  [TIERS, '250MB/s', 250],
  [TIERS, 250, 250],
  [TIERS, 200, undefined],
  [TIERS, '250GB/s', undefined],
  [flag(), 'true', true],
  [flag(), false, false],
  [flag(), 'false', false],
  [flag(), 'yes', undefined],
  [flag(), 0, undefined],
  [ARMS, 'a, b', ['a', 'b']],
  [ARMS, ['a', 'b'], ['a', 'b']],
  [ARMS, [], undefined],
  [NODES, '1,2', [1, 2]],
  [NODES, 4, [4]],
  [NODES, '1,x', undefined],
  [AUTO, 'AUTO', 'auto'],
  [AUTO, '3', 3],
  [AUTO, '0', undefined],
  [whole(1, 8), '8', 8],
  [whole(1, 8), 1, 1],
  [whole(1, 8), 9, undefined],
  [whole(1, 8), '0', undefined],
  [whole(1, 8), '1.5', undefined],
  [whole(1, 8), '', undefined],
  [whole(1, 8), '8 s', undefined],
  [wholeFrom(3), '3', 3],
  [wholeFrom(3), '2', undefined],
  [amount('', { min: -5, max: 5, units: NUMBER.units }), '-5', -5],
  [amount('', { min: -5, max: 5, units: NUMBER.units }), '5.01', undefined],
  [instanceTypeField('c5.large', ''), 'u-6tb1.112xlarge', 'u-6tb1.112xlarge'],
  [instanceTypeField('c5.large', ''), 'c5large', undefined],
  [instanceTypeField('c5.large', ''), 'C5.large', undefined],
  // A setting is in the unit that its name says; a unit may be given.
  [whole(1, 1e9, '', undefined, IN_BYTES), '64KiB', 65_536],
  [whole(1, 1e9, '', undefined, IN_BYTES), '64kB', 64_000],
  [whole(1, 1e9, '', undefined, IN_KIB), '1MiB', 1024],
  [whole(1, 1e9, '', undefined, IN_MIB), '2GiB', 2048],
  [whole(1, 1e9, '', undefined, IN_MIB), '300', 300],
  [whole(1, 1e9, '', undefined, IN_GIB), '1TiB', 1024],
  [whole(1, 1e9, '', undefined, IN_GIB), '1TB', undefined],
  [whole(1, 1e9, '', undefined, IN_SECONDS), '2h', 7200],
  [whole(1, 1e9, '', undefined, IN_MINUTES), '1h', 60],
  [whole(1, 1e9, '', undefined, IN_MINUTES), '7', 7],
  [whole(1, 1e9, '', undefined, IN_HOURS), '2d', 48],
  [whole(1, 1e9, '', undefined, IN_HOURS), '90m', undefined],
])('%j reads %j as %j', (of, got, value) => {
  const { allowed, next } = of;
  const violation = { property: 'key', must: allowed, got, next };
  expect(valueIn(of, 'key', got)).toEqual(value === undefined ? { violation } : { value });
});

test.each<[Field, string]>([
  [LZ4, 'LZ4 or NONE'],
  [VERSION, 'one of 2.12, 2.15, latest'],
  [TIERS, 'one of 125, 250'],
  [whole(1, 8, ' of GiB'), 'a whole number of GiB from 1 to 8'],
  [whole(1, 8, '', '', IN_HOURS), 'a whole number from 1 to 8, or a duration such as 36h or 2d'],
  [wholeFrom(3), 'a whole number from 3'],
  [fieldOf(described(whole(1, 8))), 'a whole number from 1 to 8'],
  [fieldOf(described(whole(1, 8)).optional()), 'a whole number from 1 to 8'],
  [fieldOf(described(whole(1, 8)).nullable()), 'a whole number from 1 to 8'],
])('a field says what is allowed: %j', ({ allowed }, words) => expect(allowed).toBe(words));
