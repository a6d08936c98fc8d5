import { durationsIn, measured, sizesIn } from '../../lib/common/quantity';
import { readSettings } from '../../lib/config/app';
import { fsxbenchIn } from './support';

const fsxbench = async (line: string) => {
  const { status, out, err } = await fsxbenchIn({}, line.split(' '));
  expect([line, status, err]).toEqual([line, 0, '']);
  return JSON.parse(out);
};

test.each([
  ['12TiB', 12 * 2 ** 40],
  ['500GB', 500e9],
  ['500 GB', 500e9],
  ['128K', 2 ** 17],
  ['128KiB', 2 ** 17],
  ['4kB', 4000],
  ['110KB', 110_000],
  ['1.5g', 1.5 * 2 ** 30],
  ['2PB', 2e15],
  ['7', 7],
  ['7 elephants', Number.NaN],
  ['', Number.NaN],
])('a size reads %s as %d bytes', (text, bytes) => expect(measured(text, sizesIn(1, 1))).toBe(bytes));

test.each([
  ['90s', 90],
  ['30m', 1800],
  ['30min', 1800],
  ['2h', 7200],
  ['1d', 86_400],
  ['3', 10_800],
  ['1y', Number.NaN],
])('a duration reads %s as %d seconds, hours where the option says so', (text, seconds) =>
  expect(measured(text, durationsIn(1, 3600))).toBe(seconds),
);

const predict = (options: string) =>
  fsxbench(`predict --json --deployment PERSISTENT_1 --per-unit 200 --clients 4 --instance c5n.9xlarge ${options}`);

test('predict takes a capacity in AWS’s TiB, as the short form of a configuration does', async () => {
  const { throughputMBps } = await predict('--capacity 12TiB');
  expect(throughputMBps).toEqual((await predict('--capacity 12000')).throughputMBps);
});

test('advise takes every size in every unit of size', async () => {
  const advise = (options: string) => fsxbench(`advise --json --write 1 ${options}`);
  expect((await advise('--capacity 10000GB')).requirement).toEqual((await advise('--capacity 10')).requirement);
  expect((await advise('--capacity 1TiB --working-set 1TiB')).requirement).toEqual(
    (await advise('--capacity 1024GiB --working-set 1024GiB')).requirement,
  );
});

test('lint and estimate read the same sizes: 96GiB is 96G, and GB is 10^9', async () => {
  const findings = async (memory: string) =>
    JSON.parse(
      (await fsxbenchIn({}, ['lint', '--json', '--server-memory', memory, '--', 'fio --name=a --rw=read --size=100g']))
        .out,
    ).findings.map(({ message }: { message: string }) => message);
  expect(await findings('96GiB')).toEqual(await findings('96G'));
  expect(await findings('200TB')).not.toEqual(await findings('1G'));
});

test.each([
  ['storageCapacityGiB', '12TiB', 12_000],
  ['storageCapacityGiB', '1.1TiB', undefined],
  ['storageCapacityGiB', '14.4TiB', 14_400],
  ['storageCapacityGiB', '4800GiB', 4800],
  ['expiresAfterHours', '2d', 48],
  ['expiresAfterHours', '90m', 1.5],
  ['bootTimeoutMinutes', '1h', 60],
  ['rootVolumeGiB', '1TiB', 1024],
  ['ebsVolumeGiB', '2TiB', 2048],
  ['moosefsVolumeGiB', '500GiB', 500],
  ['openzfsStorageCapacity', '1TiB', 1024],
  ['lustreZfsRecordKiB', '128K', 128],
  ['recordSizesKiB', '1MiB,128KiB', [1024, 128]],
])('the setting %s takes %s as %j', (key, text, value) => {
  if (value === undefined) expect(() => readSettings({ [key]: text }, 'CompressionBench')).toThrow(`'${key}' must be`);
  else expect(readSettings({ [key]: text }, 'CompressionBench')).toEqual({ [key]: value });
});

test.each([
  ['CompressionBench', 'paired', 'seconds=10m', 'seconds=600'],
  ['CompressionBench', 'paired', 'maxMiBPerArm=2GiB', 'maxMiBPerArm=2048'],
  ['CompressionBench', 'published', 'minutes=12h', 'minutes=720'],
  ['MetadataBench', 'paired', 'roundSeconds=1m', 'roundSeconds=60'],
  ['StorageBench', 'paired', 'smallBytes=500kB', 'smallBytes=500000'],
])('%s: the %s plan with %s is that with %s', async (benchmark, plan, quantity, number) => {
  const planWith = async (set: string) =>
    (await fsxbench(`plan ${benchmark} --plan ${plan} --json --set ${set}`)).steps;
  expect(await planWith(quantity)).toEqual(await planWith(number));
});

test('a parameter says what it takes', async () => {
  const { status, err } = await fsxbenchIn({}, ['plan', 'CompressionBench', '--set', 'seconds=1w']);
  expect([status, err]).toEqual([
    2,
    expect.stringContaining(
      "'seconds' must be a whole number from 1 to 172800, or a duration such as 90s, 30m or 2h, got '1w'",
    ),
  ]);
});
