import { instanceType } from '../../fleet/instanceTypes';
import { type Breach, type Phrase, refusing } from '../../kit/breach';
import { warnings } from '../kit/rules';
import type { StorageCheck, Warning } from '../slices/configuration';
import { DEFAULT_IMAGE, type LustreZfsStorage, resolved } from './configuration';
import { COMPRESSIONS, INSTANCE_STORES, QAT_MOST_RECORD_KIB, RECORD_SIZES_KIB } from './documented';

/** Errors that would keep it from being made or from working, by property. */
function errorsOf(configuration: LustreZfsStorage): Breach[] {
  const { instanceType: type, raidDisks, compression, recordSizeKiB, offload, build } = resolved(configuration);
  const { errors, refuse } = refusing(resolved(configuration), 'fsxbench:lustre-zfs');
  const store = INSTANCE_STORES[type];
  const types = `one of ${Object.keys(INSTANCE_STORES).join(', ')}`;
  if (store === undefined)
    refuse('instance-type', 'instanceType', types, 'A server needs at least eight local NVMe SSDs and x86.');
  else if (!Number.isInteger(raidDisks) || raidDisks < 3 || raidDisks > store.disks) {
    const disks = `a whole number from 3 to the ${store.disks} disks of ${type}`;
    refuse('raid', 'raidDisks', disks, 'One of them is the parity.');
  }
  if (!COMPRESSIONS.includes(compression)) {
    const known = 'off, lz4, gzip-1 to gzip-9 or zstd-1 to zstd-19';
    refuse('compression', 'compression', known, 'A higher level compresses more and takes longer.');
  }
  if (!(RECORD_SIZES_KIB as readonly number[]).includes(recordSizeKiB)) {
    const sizes = `one of ${RECORD_SIZES_KIB.join(', ')}`;
    refuse('record', 'recordSizeKiB', sizes, 'It is the size of a record in KiB.');
  }
  if (offload === 'qat' && !compression.startsWith('gzip-'))
    refuse('qat-gzip', 'compression', 'gzip-1 to gzip-9 with QAT', 'It offloads nothing else.');
  if (offload === 'qat' && recordSizeKiB > QAT_MOST_RECORD_KIB) {
    const most = `at most ${QAT_MOST_RECORD_KIB} with QAT`;
    refuse('qat-record', 'recordSizeKiB', most, 'ZFS never hands it larger records.');
  }
  if (offload === 'own-build' && build === undefined)
    refuse('build', 'build', 'given with own-build', 'Set it to the archive of your build (docs/lustre-zfs.md).');
  if (offload !== 'own-build' && build !== undefined) {
    const next: Phrase = ({ name }) => `Leave it out, or set '${name('offload')}' to own-build.`;
    errors.push({
      id: 'fsxbench:lustre-zfs-build',
      property: 'build',
      must: `absent with ${offload}`,
      got: build.url,
      next,
    });
  }
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful, or need something of the user first. */
function warningsOf(configuration: LustreZfsStorage): Warning[] {
  const { instanceType: type, raidDisks, offload, image } = resolved(configuration);
  const { networkBurstMbps } = instanceType(type) ?? {};
  return warnings('fsxbench:lustre-zfs', {
    image:
      image === DEFAULT_IMAGE &&
      `the servers boot the image that the parameter ${DEFAULT_IMAGE} of your account names: put the id of an AMI of Rocky Linux or RHEL 8.10 there, or set 'lustreZfsImage' (docs/lustre-zfs.md)`,
    'narrow-raid':
      raidDisks < 9 &&
      `RAID-Z1 is ${raidDisks - 1}+1 here and 8+1 in the LANL offload slides: their baselines are not comparable`,
    burst:
      networkBurstMbps !== undefined &&
      `${type} has more network bandwidth in a burst than sustained: keep runs short, or take i7ie.48xlarge`,
    offload:
      offload !== 'none' &&
      `offloading with ${offload} has not been tried on EC2: samples of an arm whose counters stand still are null`,
  });
}

export function checkLustreZfs(configuration: LustreZfsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
