import { COMMAND } from '../plan/command';
import { DATA_WORKLOADS, FILES_WORKLOADS, MAX_TARGET } from '../workload/lookup';
import type { Workload } from '../workload/workload';
import { UsageError } from './context';

/** Version of each tool that a machine has. */
type Tools = Readonly<Record<string, string>>;

/**
 * Parameters that follow from the tools that a machine has: the first workload that the plan would take, of the release that is there, or
 * else one that can do all that the plan asks for by itself.
 *
 * @throws UsageError when none is there
 */
export function toolSettings(tools: Tools, plan: string, subject: 'data' | 'metadata' = 'data'): string[] {
  if (plan === COMMAND) return [];
  const able = subject === 'metadata' ? FILES_WORKLOADS : DATA_WORKLOADS;
  const first = able[0] as Workload;
  if (isUsable(first, tools)) return releaseSetting(first, tools);
  if (plan === 'published') {
    const { id, label, release } = first;
    const found = tools[id] === undefined ? `no ${label}` : `${label} ${tools[id]}`;
    const wanted = [label, release?.versions.join(' or ')].filter((part) => part !== undefined).join(' ');
    throw new UsageError(`the published plan needs ${wanted} and mpirun; here is ${found}: take --plan paired`);
  }
  const others = substitutes(subject);
  const other = others.find((workload) => isUsable(workload, tools));
  if (other === undefined) {
    const known = others.flatMap(({ label, installed }) => (installed ? [label] : [])).join(' nor ');
    throw new UsageError(
      `neither ${first.label} with mpirun nor ${known} is here: install ${others[0]?.label} (npx fsxbench doctor says how)`,
    );
  }
  const empty = subject === 'metadata' && other.files?.fills === false;
  return [`tool=${other.id}`, ...releaseSetting(other, tools), ...(empty ? ['fileBytes=0'] : [])];
}

/** Why a plan takes another tool than its first, in a sentence; `null` where it does not, or where `set` chooses the tool. */
export function otherTool(
  tools: Tools,
  subject: 'data' | 'metadata' | undefined,
  set: readonly string[],
): string | null {
  const { id, label, launch, release } = (subject === 'metadata' ? FILES_WORKLOADS : DATA_WORKLOADS)[0] as Workload;
  const other = substitutes(subject).find((workload) => isUsable(workload, tools));
  if (other === undefined || set.some((text) => text.startsWith('tool='))) return null;
  const version = tools[id];
  if (version === undefined) return `${other.label} is used in place of ${label}, which is not on this machine`;
  if (launch.by === 'mpi' && tools.openmpi === undefined)
    return `${other.label} is used in place of ${label} ${version}, since mpirun is not on this machine`;
  if (release === undefined || release.versions.includes(version)) return null;
  return `${other.label} is used in place of ${label} ${version}: plans support ${release.versions.join(' and ')} only`;
}

/** What can do all that a plan asks for, where its first tool is not there; in the order of preference. */
function substitutes(subject: 'data' | 'metadata' | undefined): readonly Workload[] {
  return subject === 'metadata' ? FILES_WORKLOADS.slice(1) : DATA_WORKLOADS.slice(1).filter(writesEveryTarget);
}

/** True where a tool is there, of a release that is known, with what starts it. */
function isUsable({ id, launch, release }: Workload, tools: Tools): boolean {
  const version = tools[id];
  if (version === undefined || (launch.by === 'mpi' && tools.openmpi === undefined)) return false;
  return release === undefined || release.versions.includes(version);
}

function releaseSetting({ id, release }: Workload, tools: Tools): string[] {
  return release === undefined ? [] : [`${release.parameter}=${tools[id]}`];
}

const writesEveryTarget = ({ data }: Workload): boolean =>
  [1, MAX_TARGET].every((target) => data?.ofRatio(target, undefined) != null);
