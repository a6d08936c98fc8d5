import { instanceType } from '../../fleet/instanceTypes';
import type { Breach, StorageCheck } from '../slices/configuration';
import { DEFAULT_IMAGE, type LustreZfsStorage, resolved } from './configuration';
import { COMPRESSIONS, INSTANCE_STORES, QAT_MOST_RECORD_KIB, RECORD_SIZES_KIB } from './documented';

const error = (id: string, message: string): Breach => ({ id: `fsxbench:lustre-zfs-${id}`, message });

/** Errors that would keep it from being made or from working, naming the settings. */
function errorsOf(configuration: LustreZfsStorage): Breach[] {
  const { instanceType: type, raidDisks, compression, recordSizeKiB, offload, build } = resolved(configuration);
  const store = INSTANCE_STORES[type];
  const errors: Breach[] = [];
  if (store === undefined) {
    const types = Object.keys(INSTANCE_STORES).join(', ');
    errors.push(
      error(
        'instance-type',
        `'lustreZfsInstanceType' must be one of ${types}, got ${type}: a server needs at least eight local NVMe SSDs and x86`,
      ),
    );
  } else if (!Number.isInteger(raidDisks) || raidDisks < 3 || raidDisks > store.disks) {
    errors.push(
      error(
        'raid',
        `'lustreZfsRaidDisks' must be a whole number from 3 to the ${store.disks} disks of ${type}, got ${raidDisks}`,
      ),
    );
  }
  if (!COMPRESSIONS.includes(compression)) {
    errors.push(
      error(
        'compression',
        `'lustreZfsCompression' must be off, lz4, gzip-1 to gzip-9 or zstd-1 to zstd-19, got ${compression}`,
      ),
    );
  }
  if (!(RECORD_SIZES_KIB as readonly number[]).includes(recordSizeKiB)) {
    errors.push(
      error('record', `'lustreZfsRecordKiB' must be one of ${RECORD_SIZES_KIB.join(', ')}, got ${recordSizeKiB}`),
    );
  }
  if (offload === 'qat' && !compression.startsWith('gzip-')) {
    errors.push(
      error(
        'qat-gzip',
        `'lustreZfsCompression' must be gzip-1 to gzip-9 with QAT, got ${compression}: it offloads nothing else`,
      ),
    );
  }
  if (offload === 'qat' && recordSizeKiB > QAT_MOST_RECORD_KIB) {
    errors.push(
      error(
        'qat-record',
        `'lustreZfsRecordKiB' must be at most ${QAT_MOST_RECORD_KIB} with QAT, got ${recordSizeKiB}: ZFS never hands it larger records`,
      ),
    );
  }
  if ((offload === 'own-build') !== (build !== undefined)) {
    errors.push(
      error(
        'build',
        `'lustreZfsBuild' must be set with lustreZfsOffload=own-build and with nothing else, got ${build?.url ?? 'none'} with ${offload}`,
      ),
    );
  }
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful, or need something of the user first. */
function warningsOf(configuration: LustreZfsStorage): Breach[] {
  const { instanceType: type, raidDisks, offload, image } = resolved(configuration);
  const { networkBurstMbps } = instanceType(type) ?? {};
  return [
    ...(image === DEFAULT_IMAGE
      ? [
          error(
            'image',
            `the servers boot the image that the parameter ${DEFAULT_IMAGE} of your account names: put the id of an AMI of Rocky Linux or RHEL 8.10 there, or set 'lustreZfsImage' (docs/lustre-zfs.md)`,
          ),
        ]
      : []),
    ...(raidDisks < 9
      ? [
          error(
            'narrow-raid',
            `RAID-Z1 is ${raidDisks - 1}+1 here and 8+1 in the LANL offload slides: their baselines are not comparable`,
          ),
        ]
      : []),
    ...(networkBurstMbps === undefined
      ? []
      : [
          error(
            'burst',
            `${type} has more network bandwidth in a burst than sustained: keep runs short, or take i7ie.48xlarge`,
          ),
        ]),
    ...(offload === 'none'
      ? []
      : [
          error(
            'offload',
            `offloading with ${offload} has not been tried on EC2: samples of an arm whose counters stand still are null`,
          ),
        ]),
  ];
}

export function checkLustreZfs(configuration: LustreZfsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
