import { NFS_OVER_LOOPBACK } from '../kit/standIns';
import type { StandIn } from '../standIn';
import type { OpenZfsStorage } from './configuration';

/** Clients mount it by NFS; nothing behind it compresses here, so an arm with compression has no stand-in. */
export const standIns = ({ compression = 'none' }: OpenZfsStorage): readonly StandIn[] =>
  compression === 'none' ? [NFS_OVER_LOOPBACK] : [];
