import { described, whole } from '../../common/field';
import type { Measured } from '../../workload/common/measured';
import type { Filesystem, Settling } from '../filesystem';
import { spread } from './lustreSpread';
import { lustreTargets } from './lustreTargets';
import { capacityOf, LOOK_SECONDS, spaceByDu } from './space';

/**
 * A Lustre on ZFS gives removed space back in the background: targets destroy objects some seconds later, and ZFS frees their blocks in
 * one transaction group after another, five seconds apart (zfs_txg_timeout, OpenZFS module parameters). `lfs df` on a 2.15.8 stood still
 * for up to five seconds between two steps down (test/fixtures/lustre/lfs-df-after-rm): readings are well further apart than that.
 */
export const SETTLING: Settling = {
  everySeconds: 15,
  // Behind a removal, nothing may have begun at the first.
  alike: { 'measure-capacity': 2, 'remove-data': 3 },
  mostSeconds: 900,
};

/** TCP ports of servers and clients. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/limit-access-security-groups.html. */
export const LUSTRE_PORTS: readonly (readonly [first: number, last: number])[] = [
  [988, 988],
  [1018, 1023],
];

/** Mount options of the studies. `flock` lets MPI-IO lock; atime would cost a metadata operation for each read. */
export const LUSTRE_MOUNT_OPTIONS = 'noatime,flock';

/** OSTs that a file is striped over: -1 for all, 0 for the default of the file system. */
export const STRIPE_COUNT = whole(-1, 2000);

/** Lustre, as its client mounts it. */
export const lustreFilesystem: Filesystem = {
  type: 'lustre',
  remote: true,
  space: spaceByDu,
  capacity: {
    source: 'lfs df',
    async read({ commands, mountPoint }) {
      const before = commands.text.length;
      const failure = await commands.run(['lfs', 'df', mountPoint], LOOK_SECONDS);
      return {
        measured: capacityFromLfsDf(commands.text.slice(before)),
        failure: failure === null ? null : `lfs df: ${failure}`,
      };
    },
  },
  layout: {
    parameters: { stripeCount: described(STRIPE_COUNT) },
    commands: (directory, { stripeCount }) =>
      typeof stripeCount === 'number' ? [['lfs', 'setstripe', '-c', String(stripeCount), directory]] : [],
  },
  spread,
  targets: lustreTargets,
  settling: SETTLING,
};

/** From the `filesystem_summary:` line of `lfs df`, which is in KiB. Exit 0 says nothing there: read the output. */
export function capacityFromLfsDf(text: string): Measured[] {
  const cells = /^filesystem_summary:\s+(\d+)\s+(\d+)\s+(\d+)/m.exec(text);
  return capacityOf(cells?.slice(1).map((kib) => Number(kib) * 1024) ?? [], 'lfs df printed no summary');
}
