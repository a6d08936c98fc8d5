import { HELD_WITHIN } from '../schema/model';
import { filesystemNamed } from '../storage/filesystems';
import { isNeverDeployed, storageOrNone } from '../storage/lookup';
import type { RunRecord } from './record';

/**
 * Location of a run: on FSx file systems, in the lab, in the lab's scale model, on local directories, on network mounts of one computer (which may or
 * may not be FSx), or on a mount of several machines of the user.
 */
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
  /** Why no published figure is comparable. */
  readonly claims: string;
  /** Why no documented limit is known; `null` where limits are known. */
  readonly limits: string | null;
  /** Why there are no counts by the service; `null` where there may be. */
  readonly service: string | null;
  /** Why free space cannot show the written bytes; `null` if it can. */
  readonly space: string | null;
  /** Why reads cannot have come from memory, however little data there are; `null` where they can. */
  readonly memory: string | null;
  /** Why there are no one-minute metrics to wait for. */
  readonly metrics: string;
  /** Why the network between clients and file system is unknown. */
  readonly network: string;
  /** Why there is no maintenance window. */
  readonly maintenance: string;
  /** Why there is no cost. */
  readonly cost: string;
  /** The whole statement on cost, as a sentence; `null` if the list price of the deployment is given as well. */
  readonly costSentence: string | null;
  /** Why no rates are predicted; `null` where they are. */
  readonly prediction: string | null;
  /** Why a measured compression ratio is not compared with that of LZ4; `null` where it is. */
  readonly ratio: string | null;
  /** Why there is no purchase advice. */
  readonly purchase: string;
}

const PLACE_WORDS: Readonly<Record<Exclude<Place, 'aws'>, PlatformLabels>> = {
  lab: {
    claims: 'it is a lab run: its rates are those of local file systems',
    limits: 'local file systems replaced the deployed ones, and nothing is documented for them',
    service: 'the lab’s file systems do not count the clients’ bytes and operations',
    space: null,
    memory: null,
    metrics: 'the lab’s metrics are published every few seconds',
    network: 'local file systems have no network',
    maintenance: 'local file systems have no maintenance window',
    cost: 'nothing in the lab costs money',
    costSentence: null,
    prediction:
      'the ceilings and the scaling model of compression are those of the deployed storages, and here local file systems of one computer replaced them',
    ratio: 'another codec replaced it',
    purchase: 'Not available for a run on local file systems',
  },
  model: {
    claims: 'the run took place in the lab’s scale model: its rates are documented ones, divided by the scale',
    limits: null,
    service: null,
    space: 'the model’s servers report their free space many seconds late',
    memory: 'the model’s clients and servers are one computer, whose memory is emptied before each read',
    metrics: 'the lab’s metrics are published every few seconds',
    network: 'the model’s clients are processes of one computer, without network cards',
    maintenance: 'the scale model has no maintenance window',
    cost: 'nothing in the lab costs money',
    costSentence: null,
    prediction: null,
    ratio: 'another codec replaced it',
    purchase: 'Not available for a run in the scale model',
  },
  directories: {
    claims: 'the run compared directories of one computer',
    limits: 'nothing is documented for directories of one computer',
    service: 'no service counts what is done in directories of one computer',
    space: null,
    memory: null,
    metrics: 'no service publishes metrics of directories of one computer',
    network: 'directories of one computer have no network',
    maintenance: 'directories of one computer have no maintenance window',
    cost: 'nothing was rented',
    costSentence: 'Nothing was rented: the run used directories of one computer.',
    prediction:
      'the ceilings and the scaling model of compression are those of Amazon FSx’s servers, and the arms are directories of one computer',
    ratio: 'the directories have their own codec',
    purchase: 'Not available for a run on directories of one computer',
  },
  mounted: {
    claims: 'the run measured file systems that one computer had mounted, and does not know how they are configured',
    limits: 'the run does not know how the mounted file systems are configured',
    service: 'the run does not know which metrics are those of the mounted file systems',
    space: null,
    memory: null,
    metrics: 'the run does not know which metrics are those of the mounted file systems',
    network: 'the network of this computer is not known',
    maintenance: 'the maintenance windows of the mounted file systems are not known',
    cost: 'the cost of the mounted file systems is not known',
    costSentence: 'Not known: the run used file systems that one computer had mounted, and their price is not known.',
    prediction: 'the run does not know how the mounted file systems are configured, nor what limits them',
    ratio: null,
    purchase: 'Not available for mounted file systems, since the run does not know how they are configured',
  },
  machines: {
    claims: 'the run does not know how the file system that it measured is configured',
    limits: 'the run does not know how the file system is configured: --as says so',
    service: 'the run does not know which metrics are those of the file system',
    space: null,
    memory: null,
    metrics: 'the run does not know which metrics are those of the file system',
    network: 'the network of the clients is not known',
    maintenance: 'the maintenance window of the file system is not known',
    cost: 'the cost of the clients and of the file system is not known',
    costSentence: 'Not known: the run used existing clients and an existing file system.',
    prediction: 'the run does not know how the file system is configured, nor what limits it',
    ratio: null,
    purchase: 'Not available, since the run does not know how its file system is configured',
  },
};

/** The texts for a place; `null` for a deployment on AWS. */
export const labelsOf = (place: Place): PlatformLabels | null => (place === 'aws' ? null : PLACE_WORDS[place]);
