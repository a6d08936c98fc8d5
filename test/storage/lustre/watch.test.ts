import { lustreWatch } from '../../../lib/storage/lustre/watch';

const ID = 'fs-0a1b2c3d4e5f60718';
const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b';

test.each([
  [{ fileSystemId: ID }, {}],
  [{ fileSystemId: ID, metadataIops: 12_000 }, { metadataIops: 12_000 }],
  [
    { fileSystemId: ID, alarmEmail: 'a@example.com', kmsKeyArn: KEY },
    { alarmEmail: 'a@example.com', kmsKeyArn: KEY },
  ],
  // Values that no command sets are left out.
  [{ fileSystemId: ID, metadataIops: true, alarmEmail: 7, kmsKeyArn: false }, {}],
])('%j watches %j', (settings, watched) => {
  const asked = lustreWatch.asked(settings as never);
  expect(asked?.watched).toEqual({ fileSystemId: ID, ...watched });
  expect(asked?.errors).toEqual([]);
});

test('nothing is watched without the id of a file system', () => {
  expect(lustreWatch.asked({} as never)).toBeNull();
  expect(lustreWatch.asked({ fileSystemId: 7, metadataIops: 12_000 } as never)).toBeNull();
});

// Those that AWS provisions: 1,500, 3,000, 6,000 and multiples of 12,000 up to 192,000.
test.each([
  ...[1500, 3000, 6000, 12_000, 24_000, 192_000].map((iops) => [iops, true] as const),
  ...[0, 1000, 4500, 9000, 18_000, 204_000, 12_000.5].map((iops) => [iops, false] as const),
])('%d metadata IOPS exist: %p', (metadataIops, exist) => {
  const { errors = [] } = lustreWatch.asked({ fileSystemId: ID, metadataIops } as never) ?? {};
  expect(errors.map(({ property, got }) => [property, got])).toEqual(exist ? [] : [['metadataIops', metadataIops]]);
  if (!exist) expect(errors[0]?.next).toContain(ID);
});
