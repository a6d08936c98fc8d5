import { readSettings } from '../../lib/config/app';
import { problemsOf, read } from './context';

test('sets nothing that the user did not set', () => {
  expect(read({})).toEqual({});
});

test('turns the text of -c into numbers and flags', () => {
  expect(read({ clients: '8', efa: 'true', storageCapacityGiB: '14400', metadataIops: 'automatic' })).toEqual({
    clients: 8,
    efa: true,
    storageCapacityGiB: 14_400,
    metadataIops: 'automatic',
  });
});

test('takes the same values as numbers and flags from cdk.json', () => {
  expect(read({ clients: 8, efa: false, stripeCount: -1 })).toEqual({ clients: 8, efa: false, stripeCount: -1 });
});

test('lets -c override what cdk.json says for the benchmark', () => {
  expect(read({ clients: '4', CompressionBench: { clients: 8, scale: 'smoke' } })).toEqual({
    clients: 4,
    scale: 'smoke',
  });
});

test('reads the section of a benchmark from -c as JSON', () => {
  expect(read({ CompressionBench: '{"clients": 4}' })).toEqual({ clients: 4 });
});

test('takes a version that cdk.json holds as a number', () => {
  expect(read({ kernel: 6.12, lustreVersion: 2.15 })).toEqual({ kernel: '6.12', lustreVersion: '2.15' });
});

test.each([
  ['instanceType', 'c5n.0xlarge'],
  ['instanceType', 'c5n.09xlarge'],
  ['storageCapacityGiB', 2_147_484_000],
  ['import', 's3://my..data/x'],
  ['import', 's3://my-.data'],
  ['import', 's3://192.168.1.1/x'],
])('refuses %s %s, which AWS cannot know', (name, value) => {
  expect(problemsOf({ [name]: value })).toHaveLength(1);
});

test.each([
  ['instanceType', 'c7gn.metal'],
  ['instanceType', 'c5n.xlarge'],
  ['import', 's3://my.data.1/a..b/-.c'],
  ['import', 's3://192.168.1.1a'],
])('accepts %s %s', (name, value) => {
  expect(read({ [name]: value })).toEqual({ [name]: value });
});

test("leaves CDK's own context keys and other benchmarks' sections alone", () => {
  const context = {
    'aws:cdk:enable-path-metadata': true,
    '@aws-cdk/core:checkSecretUsage': true,
    'availability-zones:account=123456789012:region=us-east-1': ['us-east-1a'],
    'acknowledged-issue-numbers': [34892],
    'cli-telemetry': false,
    MetadataBench: { anything: 1 },
  };
  expect(readSettings(context, 'CompressionBench', ['CompressionBench', 'MetadataBench'])).toEqual({});
});

test('names every problem at once', () => {
  expect(problemsOf({ clients: 0, scale: 'huge', clientz: 2 })).toHaveLength(3);
});

test.each([
  [{ scael: 'smoke' }, "'scael' is not a setting. Did you mean 'scale'?"],
  [{ clientss: 4 }, "'clientss' is not a setting. Did you mean 'clients'?"],
  [{ storageCapacityGib: 1200 }, "'storageCapacityGib' is not a setting. Did you mean 'storageCapacityGiB'?"],
  [{ CompressionBench: { efaa: true } }, "'efaa' is not a setting of CompressionBench. Did you mean 'efa'?"],
  [{ 'instance-type': 'c5n.large' }, "'instance-type' is not a setting. Did you mean 'instanceType'?"],
  [{ 'storage-capacity': '2400' }, "'storage-capacity' is not a setting. Did you mean 'storageCapacityGiB'?"],
  [{ 'clients ': '4' }, "'clients ' is not a setting. Did you mean 'clients'?"],
  [
    { 'CompressionBench.clients': '4' },
    "'CompressionBench.clients' is not a setting. For one benchmark alone write: -c CompressionBench='{\"clients\": …}'",
  ],
  [
    { 'CompressionBench:scael': 'smoke' },
    "'CompressionBench:scael' is not a setting. For one benchmark alone write: -c CompressionBench='{\"scale\": …}'",
  ],
  [
    { CompressionBench: { 'instance-type': 'c5n.large' } },
    "'instance-type' is not a setting of CompressionBench. Did you mean 'instanceType'?",
  ],
  [{ Compressionbench: {} }, "'Compressionbench' is not a setting. Did you mean 'CompressionBench'?"],
  [
    { CompressionBench: 'yes' },
    '\'CompressionBench\' must be an object of settings such as {"clients": 4}, got "yes". Correct it in cdk.json.',
  ],
])('refuses %j', (context, message) => {
  expect(problemsOf(context)).toEqual([message]);
});

test('knows a name whatever its case, and guesses none that is far from it', () => {
  expect(problemsOf({ INSTANCETYPE: 'c5n.large' })).toEqual([
    "'INSTANCETYPE' is not a setting. Did you mean 'instanceType'?",
  ]);
  for (const far of ['scalXYZ', 'exx']) expect(problemsOf({ [far]: 1 })[0]).toContain('is not a setting. Known are');
});

test('leaves what a library writes alone, however near a name of ours it is', () => {
  expect(read({ '@client/s': true, 'aws:scale': 'x', 'CompressionBench:clients:of': 1 })).toEqual({});
});

test.each([
  ['1500', [1500]],
  [12_000, [12_000]],
  ['1500, 3000,192000', [1500, 3000, 192_000]],
  [
    ['none', 6000, '24000'],
    ['none', 6000, 24_000],
  ],
])('reads %j as a sweep', (metadataIopsSweep, expected) => {
  expect(read({ metadataIopsSweep }).metadataIopsSweep).toEqual(expected);
});

test.each([5000, 13_000, 204_000, 0, -1500, '', 'most'])('takes no %j into a sweep', (metadataIopsSweep) => {
  expect(problemsOf({ metadataIopsSweep })[0]).toContain('1500, 3000, 6000, or a multiple of 12000 up to 192000');
});
