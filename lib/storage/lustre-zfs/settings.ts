import * as z from 'zod';
import { field, instanceTypeField, oneOfNumbers, oneOfWords, type SettingsOf, whole } from '../../kit/field';
import { IN_KIB } from '../../kit/quantity';
import { withProperties } from '../kit/settings';
import { type LustreZfsStorage, OFFLOADS } from './configuration';
import { COMPRESSIONS, RECORD_SIZES_KIB } from './documented';

/** More keep a dashboard's graphs no longer readable; Lustre has no such limit. */
export const MOST_SERVERS = 40;

/** The widest that an instance type has. */
const MOST_DISKS = 16;

/** The context keys of a Lustre on ZFS. */
export const LUSTRE_ZFS_SETTINGS = {
  lustreZfsServers: whole(1, MOST_SERVERS, '', 'Each is an instance with an OST on its local NVMe.'),
  lustreZfsInstanceType: instanceTypeField(
    'i7ie.48xlarge',
    'It has the disks, the network and the processors that compress.',
  ),
  lustreZfsRaidDisks: whole(3, MOST_DISKS, '', 'One of them is the parity.'),
  lustreZfsCompression: oneOfWords(
    COMPRESSIONS as readonly [string, ...string[]],
    'It holds for every arm; a benchmark that compares compressions has arms for that.',
  ),
  lustreZfsRecordKiB: oneOfNumbers(
    RECORD_SIZES_KIB,
    'It is the size of a record in KiB; QAT takes 128 at most.',
    IN_KIB,
  ),
  lustreZfsOffload: oneOfWords(OFFLOADS, 'Hardware must be there for it.'),
  lustreZfsBuild: field(
    z.string().regex(/^s3:\/\/[a-z0-9.-]+\/\S+\.tar\.gz#[0-9a-f]{64}$/),
    's3://BUCKET/KEY.tar.gz#SHA256',
    'The archive holds the programs install and counters (docs/lustre-zfs.md).',
  ),
  lustreZfsImage: field(
    z.string().regex(/^(?:ami-[0-9a-f]{8,}|\/[\w./-]+)$/),
    'the id of an AMI (ami-…) or the name of a parameter that holds one (/…)',
    'It must be Rocky Linux or RHEL 8.10, x86.',
  ),
} as const;

export const LUSTRE_ZFS_PROPERTIES = {
  lustreZfsServers: 'servers',
  lustreZfsInstanceType: 'instanceType',
  lustreZfsRaidDisks: 'raidDisks',
  lustreZfsCompression: 'compression',
  lustreZfsRecordKiB: 'recordSizeKiB',
  lustreZfsOffload: 'offload',
  lustreZfsImage: 'image',
} as const;

/** With the user's settings on it. */
export function withSettings(
  configuration: LustreZfsStorage,
  settings: SettingsOf<typeof LUSTRE_ZFS_SETTINGS>,
): LustreZfsStorage {
  const [url = '', sha256 = ''] = settings.lustreZfsBuild?.split('#') ?? [];
  const asked = withProperties<LustreZfsStorage>(LUSTRE_ZFS_PROPERTIES)(configuration, settings);
  return url === '' ? asked : { ...asked, build: { url, sha256 } };
}
