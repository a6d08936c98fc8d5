import { readEnd } from '../../common/files';
import type { Mount } from '../../common/mounts';
import type { Measured } from '../../workload/common/measured';
import type { Filesystem } from '../filesystem';
import type { Substitute } from '../storage';
import { capacityByDf, spaceByDu, spaceOf } from './space';

export const xfsFilesystem: Filesystem = { type: 'xfs', space: spaceByDu, capacity: capacityByDf };

/** NFS 4. `df` of EFS shows a fixed size of 8 EiB and a meaningless free space. `du` and `df` of OpenZFS count data after compression. */
export const nfsFilesystem: Filesystem = { type: 'nfs4', remote: true, space: spaceByDu, capacity: capacityByDf };

/** The id in the DNS name of an AWS mount: `fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/`. The end differs between partitions. */
export const idByDnsName =
  (service: string) =>
  async ({ type, device }: Mount): Promise<string | null> => {
    const [, id, of] = /^(fs-[0-9a-f]{8,40})\.(\w+)\.[a-z]+(?:-[a-z]+)+-\d\.[a-z][a-z0-9.-]+:/.exec(device) ?? [];
    return type.startsWith('nfs') && of === service ? (id ?? null) : null;
  };

/** Btrfs, whose compression `du` does not show (facts-tools, section 8). */
export const btrfs: Filesystem = {
  type: 'btrfs',
  space: {
    source: 'compsize',
    without: 'nothing reports how much space data take on Btrfs',
    async read({ commands, directory, seconds }) {
      const failure = await commands.each(
        [
          ['sync', '-f', directory],
          ['compsize', '-b', directory],
        ],
        seconds,
      );
      return { measured: spaceFromCompsize(commands.output, failure), failure };
    },
  },
  capacity: capacityByDf,
};

export function spaceFromCompsize(file: string, failure: string | null): Measured[] {
  const total = totalOfCompsize(readEnd(file));
  return spaceOf(total?.uncompressed ?? null, total?.disk ?? null, failure ?? 'compsize printed no total');
}

/** `compsize -b`'s line of all data: type, percent, disk usage, uncompressed, referenced. */
function totalOfCompsize(text: string): { disk: number; uncompressed: number } | null {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/));
  const row =
    rows.find(([type]) => type === 'TOTAL') ??
    rows.find((cells) => cells.length === 5 && /^\d+%$/.test(cells[1] ?? ''));
  return row ? { disk: Number(row[2]), uncompressed: Number(row[3]) } : null;
}

/** Stand-in that every machine can have. The lab adds which file system it is on. */
export const PLAIN_DIRECTORY: Substitute = {
  name: 'directory',
  label: 'plain directories',
  filesystem: 'other',
  actually: 'plain directory',
  program: null,
};

/** Btrfs on a loop device, mounted with options such as `compress-force=lzo`. */
export const btrfsOnLoop = (options: string, inWords: string): Substitute => ({
  name: 'btrfs',
  label: 'Btrfs on loop devices',
  filesystem: 'btrfs',
  actually: `Btrfs ${inWords}`,
  program: { path: 'lab/loop', variables: { LOOP_TYPE: 'btrfs', LOOP_OPTIONS: `noatime,${options}` } },
});

export const XFS_ON_LOOP: Substitute = {
  name: 'xfs',
  label: 'XFS on loop devices',
  filesystem: 'other',
  actually: 'XFS on a loop device',
  program: { path: 'lab/loop', variables: { LOOP_TYPE: 'xfs', LOOP_OPTIONS: 'noatime' } },
};

/** For clients that mount NFS, or nothing: results of another file system would not apply to theirs. */
export const NFS_OVER_LOOPBACK: Substitute = {
  name: 'nfs',
  label: 'NFS over loopback',
  filesystem: 'nfs4',
  actually: 'over loopback from NFS-Ganesha, without TLS',
  program: { path: 'lab/nfs', variables: {} },
};
