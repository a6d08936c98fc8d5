import { NFS_OVER_LOOPBACK } from '../kit/standIns';
import type { StandIn } from '../standIn';
import type { OpenZfsStorage } from './configuration';

/** What clients mount is NFS; nothing behind it compresses here, so that an arm with compression has nothing in its place. */
export const standIns = ({ compression = 'none' }: OpenZfsStorage): readonly StandIn[] =>
  compression === 'none' ? [NFS_OVER_LOOPBACK] : [];
