import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { estimateCompression, makeRandom } from '../../lib/estimate';
import { randomBytes, wordsText } from '../estimate/random';
import { labForTests } from './support';

/** Keys on a page of a list, of which S3 has 1,000. */
const PAGE = 10;
process.env.MOTO_S3_DEFAULT_MAX_KEYS = String(PAGE);
const testLab = labForTests();

test('objects of a bucket give what the same files give', async () => {
  const random = makeRandom(11);
  const words = wordsText(random, 3_000_000);
  const contents: Readonly<Record<string, Buffer>> = {
    'a.txt': words,
    'sub/größe + 1.bin': randomBytes(random, 300_000),
    'sub/empty': Buffer.alloc(0),
    ...Object.fromEntries(Array.from({ length: 2 * PAGE }, (_, n) => [`many/${n}.c`, words.subarray(n, 2000 * n)])),
  };
  const folder = join(testLab().root, 'data');
  const client = new S3Client({ forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: 'estimate-data' }));
  for (const [name, body] of Object.entries(contents)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), body);
    await client.send(new PutObjectCommand({ Bucket: 'estimate-data', Key: `run1/${name}`, Body: body }));
  }
  client.destroy();
  const [local, remote] = [
    await estimateCompression({ paths: [folder], workers: 0 }),
    await estimateCompression({ paths: ['s3://estimate-data/run1'], workers: 0 }),
  ];
  expect(remote.unreadable).toEqual([]);
  expect({ ...remote, seconds: 0, byType: [] }).toEqual({ ...local, seconds: 0, byType: [] });
  expect(remote.files).toBe(2 * PAGE + 3);
});
