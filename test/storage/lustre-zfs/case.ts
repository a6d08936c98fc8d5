import type { StorageCase } from '../cases';
import { STUDY } from './bench';

/** A user's build needs both settings. */
const BUILD = { lustreZfsOffload: 'own-build', lustreZfsBuild: `s3://bucket/zfs.tar.gz#${'0'.repeat(64)}` };

export const storageCase: StorageCase = {
  smallest: { kind: 'lustre-zfs', instanceType: 'i4i.32xlarge', compression: 'off' },
  usual: STUDY,
  settings: {
    lustreZfsServers: { good: '2', changed: 2 },
    lustreZfsInstanceType: { good: 'i7ie.48xlarge', changed: 'i7ie.metal-48xl' },
    lustreZfsRaidDisks: { good: '9', changed: 10 },
    lustreZfsCompression: { good: 'gzip-6', changed: 'zstd-3' },
    lustreZfsRecordKiB: { good: '128', changed: 128 },
    lustreZfsOffload: {
      good: 'own-build',
      changed: 'qat',
      with: { lustreZfsCompression: 'gzip-1', lustreZfsRecordKiB: 128 },
    },
    lustreZfsBuild: { good: BUILD.lustreZfsBuild, changed: `s3://bucket/other.tar.gz#${'0'.repeat(64)}`, with: BUILD },
    lustreZfsImage: { good: '/images/rocky-8.10', changed: 'ami-0a1b2c3d4e5f60718' },
  },
};
