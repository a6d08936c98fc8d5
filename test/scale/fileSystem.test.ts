import { checkId, fsxApi } from '../../lib/scale/fileSystem';
import { Refusal } from '../../lib/storage/lustre/state';

const mockSent: [string, unknown][] = [];
let mockAnswer: () => unknown = () => ({});
jest.mock('@aws-sdk/client-fsx', () => {
  const command = (name: string) =>
    class {
      constructor(readonly input: unknown) {
        mockSent.push([name, input]);
      }
    };
  return {
    DescribeFileSystemsCommand: command('describe'),
    UpdateFileSystemCommand: command('update'),
    FSxClient: class {
      config = { region: async () => 'eu-west-1' };
      send = async () => mockAnswer();
    },
  };
});
beforeEach(() => {
  mockSent.length = 0;
});

const ID = 'fs-0a1b2c3d4e5f60718';
const fail = (name: string) => () => {
  throw Object.assign(new Error(`said ${name}`), { name });
};

test.each([ID, 'fs-01234567'])('%s is the id of a file system', (id) => expect(() => checkId(id)).not.toThrow());

test.each(['fs-0123456', 'fs-0A1B2C3D', 'fs-0a1b2c3d4e5f6071x', `x${ID}`, 'vol-0a1b2c3d4e5f60718', '', `${ID}.fsx`])(
  '%j is none, and AWS is not asked',
  async (id) => {
    expect(() => checkId(id)).toThrow(Refusal);
    expect(() => checkId(id)).toThrow(`got ${id}: aws fsx describe-file-systems lists them`);
    await expect((await fsxApi()).describe(id)).rejects.toThrow(Refusal);
    expect(mockSent).toEqual([]);
  },
);

test('asks for the one file system, in the Region of the environment, and reads what it is', async () => {
  const lustre = { DeploymentType: 'PERSISTENT_2', PerUnitStorageThroughput: 250, DataCompressionType: 'LZ4' };
  const described = { FileSystemId: ID, FileSystemType: 'LUSTRE', Lifecycle: 'AVAILABLE', StorageType: 'SSD' };
  mockAnswer = () => ({ FileSystems: [{ ...described, StorageCapacity: 4800, LustreConfiguration: lustre }] });
  const api = await fsxApi();
  expect(api.region).toBe('eu-west-1');
  expect(await api.describe(ID)).toMatchObject({
    ...{ fileSystemId: ID, lifecycle: 'AVAILABLE' },
    configuration: { storageCapacityGiB: 4800, perUnitStorageThroughput: 250, dataCompressionType: 'LZ4' },
  });
  expect(mockSent).toEqual([['describe', { FileSystemIds: [ID] }]]);
});

test.each([
  [fail('FileSystemNotFound'), true, `must be one of this account and Region, got ${ID}`],
  // Not a reason to look for another id.
  [fail('AccessDeniedException'), false, 'said AccessDeniedException'],
  [() => ({ FileSystems: [] }), false, `FSx describes ${ID} without saying what it is`],
  [() => ({}), false, `FSx describes ${ID} without saying what it is`],
])('what is not described is refused with the reason, %#', async (answer, refused, words) => {
  mockAnswer = answer;
  const error = await (await fsxApi()).describe(ID).catch((reason: unknown) => reason as Error);
  expect([error instanceof Refusal, (error as Error).message]).toEqual([refused, expect.stringContaining(words)]);
});

test('an update is sent as it is, and its refusal is not hidden', async () => {
  const input = { FileSystemId: ID, LustreConfiguration: { DataCompressionType: 'LZ4' as const } };
  mockAnswer = () => ({});
  await (await fsxApi()).update(input);
  expect(mockSent).toEqual([['update', input]]);
  mockAnswer = fail('BadRequest');
  await expect((await fsxApi()).update(input)).rejects.toThrow('said BadRequest');
});
