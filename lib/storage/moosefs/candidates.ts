import { instanceType } from '../../fleet/instanceTypes';
import { type CandidatesCapability, dataGiB, type Family, type StorageNeed } from '../candidates';
import { GP3 } from '../common/ebs';
import { MBPS_PER_MIBPS } from '../common/limits';
import { settingsBy } from '../common/settings';
import { inBlocks } from '../common/space';
import { MOOSEFS_SETTINGS, MOST_CHUNKSERVERS, MOST_VOLUMES, type MooseFsStorage, VOLUME_GIB } from './configuration';

/** Chunkservers to choose from: c6in has the most sustained EBS bandwidth for its price, of known types. Its sizes cost the same per MB/s. */
export const CHUNKSERVERS = ['c6in.xlarge', 'c6in.4xlarge', 'c6in.16xlarge'] as const;

/** A file takes blocks of 64 KiB, and each of its chunks of 64 MiB a header with checksums. Source: https://moosefs.com/faq/. */
const CHUNK = { blockBytes: 64 * 2 ** 10, bytes: 64 * 2 ** 20, headerBytes: 5 * 2 ** 10 } as const;

const fileBytes = (bytes: number): number =>
  inBlocks(CHUNK.blockBytes, CHUNK.headerBytes * Math.ceil(bytes / CHUNK.bytes))(bytes);

const SERIES = { 1: 'MooseFS, 1 copy', 2: 'MooseFS, 2 copies' } as const;
const COPIES = [1, 2] as const;

/** MooseFS on servers that could be rented, by their number: with one copy of everything, and with two. */
export const candidates: CandidatesCapability<MooseFsStorage> = {
  families: (need) => CHUNKSERVERS.flatMap((type) => COPIES.map((copies) => family(type, copies, need))),
  fileBytes,
  settings: settingsBy(MOOSEFS_SETTINGS),
  series: Object.values(SERIES),
  seriesOf: ({ copies = 1 }) => (copies === 1 || copies === 2 ? SERIES[copies] : null),
};

/**
 * Volumes that carry what the server has to EBS: as many as it takes with the throughput that the price of gp3 includes, and more throughput each once
 * there are no more device names.
 */
function volumesOf(type: string): { readonly volumesPerServer: number; readonly volumeThroughputMiBps?: number } {
  const wanted = (instanceType(type)?.ebsBaselineMBps ?? 0) / MBPS_PER_MIBPS;
  const volumesPerServer = Math.min(MOST_VOLUMES, Math.ceil(wanted / GP3.throughputMiBps.min));
  const each = Math.ceil(wanted / volumesPerServer);
  return { volumesPerServer, ...(each > GP3.throughputMiBps.min && { volumeThroughputMiBps: each }) };
}

function family(type: string, copies: (typeof COPIES)[number], need: StorageNeed): Family<MooseFsStorage> {
  const volumes = volumesOf(type);
  return {
    sizes: MOST_CHUNKSERVERS - copies + 1,
    at(size) {
      const chunkservers = copies + size;
      const each = Math.ceil((dataGiB(need) * copies) / (chunkservers * volumes.volumesPerServer));
      return {
        kind: 'moosefs',
        chunkservers,
        instanceType: type,
        ...volumes,
        copies,
        volumeGiB: Math.min(VOLUME_GIB.max, Math.max(VOLUME_GIB.min, each)),
      };
    },
  };
}
