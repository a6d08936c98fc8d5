import * as z from 'zod';
import { PLAIN_DIRECTORY } from '../kit/standIns';
import type { Storage } from '../storage';
import { plain, servedFromBtrfs } from './filesystems';

/** A directory of this machine. Which one it is only the machine knows that started the run. */
export interface DirectoryStorage {
  readonly kind: 'directory';
}

/** Existing directories, which `run --local` compares. Nothing is deployed, paid for or documented. */
export const directory: Storage<DirectoryStorage> = {
  kind: 'directory',
  label: 'directory',
  local: true,
  configuration: {
    schema: z.looseObject({ kind: z.literal('directory') }),
    settings: {},
    withSettings: (configuration) => configuration,
    describe: () => 'a directory of this machine',
    check: () => ({ errors: [], warnings: [] }),
  },
  documented: { limits: () => [] },
  price: { cost: () => [], alarmMetrics: () => 0 },
  account: {
    fromDescription: () => null,
    quotas: [],
    addresses: () => 0,
  },
  client: { filesystems: [plain, servedFromBtrfs] },
  lab: { standIns: () => [PLAIN_DIRECTORY] },
};
