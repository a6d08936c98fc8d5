import { HELD_WITHIN } from '../schema/model';
import { filesystemNamed } from '../storage/filesystems';
import { isNeverDeployed, storageOrNone } from '../storage/lookup';
import type { RunRecord } from './record';

/** Location of a run: FSx, the lab, its scale model, directories, network mounts of one computer (FSx or not), or a mount of machines of the user. */
export type Place = 'aws' | 'lab' | 'model' | 'directories' | 'mounted' | 'machines';

/** Local runs of older versions did not record the type of a mount, but their description of an arm starts with it. */
const MOUNT_TYPE = /^(\S+) on /;

/** The type of an arm's mount, `ext4`; `undefined` where it is not recorded. */
export const mountTypeIn = (actually: string | null | undefined): string | undefined =>
  MOUNT_TYPE.exec(actually ?? '')?.[1];

export function placeOf({ manifest, plan }: Pick<RunRecord, 'manifest' | 'plan'>): Place {
  const arms = manifest?.arms ?? [];
  // If the manifest is lost, the plan decides, since figures of local file systems must not be taken for those of Amazon FSx.
  if (manifest?.lab ?? plan?.issues.some(({ id }) => id === 'lab-run'))
    return arms.some(({ model }) => model !== undefined) ? 'model' : 'lab';
  if (arms.length === 0 || !arms.every(({ kind }) => isNeverDeployed(storageOrNone(kind)))) return 'aws';
  if (manifest?.fleet.machines !== undefined) return 'machines';
  const types = arms.flatMap(({ actually }) => mountTypeIn(actually) ?? []);
  return types.some((type) => filesystemNamed(type).remote === true) ? 'mounted' : 'directories';
}

/** Largest systematic error of a ratio between two arms, as a share: scale models are alike only so far. */
export const systematicErrorOf = ({ place }: { readonly place?: string | undefined }): number =>
  place === 'model' ? HELD_WITHIN : 0;

/** True for a run whose arms were directories that the user named. */
export const isLocal = (place: Place): boolean => ['directories', 'mounted', 'machines'].includes(place);

/** Texts for a place that is not a deployment on AWS; each is a clause, without capital and full stop. */
export interface PlatformLabels {
  /** Why no published figure is comparable, and nothing else that only AWS has is known. */
  readonly claims: string;
  /** Why no documented limit is known, and no rate predicted; `null` where limits are known. */
  readonly limits: string | null;
  /** Why there are no counts by the service; `null` where there may be. */
  readonly service: string | null;
  /** Why free space cannot show the written bytes; `null` if it can. */
  readonly space: string | null;
  /** Why reads cannot have come from memory, however little data there are; `null` where they can. */
  readonly memory: string | null;
  readonly cost: string;
  /** Why a measured compression ratio is not compared with that of LZ4; `null` where it is. */
  readonly ratio: string | null;
}

const PLACE_WORDS: Readonly<Record<Exclude<Place, 'aws'>, PlatformLabels>> = {
  lab: {
    claims: 'it is a lab run, whose rates are those of local file systems',
    limits: 'local file systems replaced the deployed ones, and nothing is documented for them',
    service: 'the lab’s file systems do not count the clients’ bytes and operations',
    space: null,
    memory: null,
    cost: 'nothing in the lab costs money',
    ratio: 'another codec replaced it',
  },
  model: {
    claims: 'the run took place in the lab’s scale model, whose rates are documented ones divided by the scale',
    limits: null,
    service: null,
    space: 'the model’s servers report their free space many seconds late',
    memory: 'the model’s clients and servers are one computer, whose memory is emptied before each read',
    cost: 'nothing in the lab costs money',
    ratio: 'another codec replaced it',
  },
  directories: {
    claims: 'the run compared directories of one computer',
    limits: 'nothing is documented for directories of one computer',
    service: 'no service counts what is done in directories of one computer',
    space: null,
    memory: null,
    cost: 'nothing was rented',
    ratio: 'the directories have their own codec',
  },
  mounted: {
    claims: 'the run measured file systems that one computer had mounted, and does not know how they are configured',
    limits: 'the run does not know how the mounted file systems are configured',
    service: 'the run does not know which metrics are those of the mounted file systems',
    space: null,
    memory: null,
    cost: 'the cost of the mounted file systems is not known',
    ratio: null,
  },
  machines: {
    claims: 'the run does not know how the file system that it measured is configured',
    limits: 'the run does not know how the file system is configured: --as says so',
    service: 'the run does not know which metrics are those of the file system',
    space: null,
    memory: null,
    cost: 'the cost of the clients and of the file system is not known',
    ratio: null,
  },
};

/** The texts for a place; `null` for a deployment on AWS. */
export const labelsOf = (place: Place): PlatformLabels | null => (place === 'aws' ? null : PLACE_WORDS[place]);
