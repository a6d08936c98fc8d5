import type { PlanDefinition } from '../../benchmark/plan';
import { listed } from '../../common/format/text';
import type { Workload } from '../../workload/workload';
import { UsageError } from '../context';

type Tools = Readonly<Record<string, string>>;

/** Parameters for the plan's preferred tool, or one that can replace it. @param usual the plan to suggest otherwise @throws UsageError if none is installed */
export function toolSettings(tools: Tools, plan: Pick<PlanDefinition, 'name' | 'tools'>, usual: string): string[] {
  if (plan.tools === undefined) return [];
  const { preferred, substitutes } = plan.tools;
  if (isUsable(preferred, tools)) return releaseSetting(preferred, tools);
  if (substitutes.length === 0) {
    const { id, label, version } = preferred;
    const found = tools[id] === undefined ? `no ${label}` : `${label} ${tools[id]}`;
    const wanted = [label, version?.release?.versions.join(' or ')].filter((part) => part !== undefined).join(' ');
    throw new UsageError(`the ${plan.name} plan needs ${wanted} and mpirun, found ${found}: use --plan ${usual}`);
  }
  const other = substitutes.find((workload) => isUsable(workload, tools));
  if (other === undefined) {
    const known = substitutes.flatMap(({ label, installed }) => (installed ? [label] : []));
    const wanted = preferred.launch.by === 'mpi' ? `${preferred.label} with mpirun` : preferred.label;
    throw new UsageError(
      known.length === 0
        ? `${wanted} is not installed: install it (npx fsxbench doctor says how)`
        : `neither ${[wanted, ...known].join(' nor ')} is installed: install ${substitutes[0]?.label} (npx fsxbench doctor says how)`,
    );
  }
  return [`tool=${other.id}`, ...releaseSetting(other, tools), ...(plan.tools.settings?.(other) ?? [])];
}

/** Why a plan uses another tool than it prefers, in a sentence; `null` if it does not, or if `set` chooses the tool. */
export function otherTool(
  installed: Tools,
  { tools }: Pick<PlanDefinition, 'tools'>,
  set: readonly string[],
): string | null {
  const other = tools?.substitutes.find((workload) => isUsable(workload, installed));
  if (tools === undefined || other === undefined || set.some((text) => text.startsWith('tool='))) return null;
  const { id, label, launch, version: asked } = tools.preferred;
  const { release } = asked ?? {};
  const version = installed[id];
  if (version === undefined) return `using ${other.label} in place of ${label}, which is not installed`;
  if (launch.by === 'mpi' && installed.openmpi === undefined)
    return `using ${other.label} in place of ${label} ${version}, since mpirun is not installed`;
  if (release === undefined || release.versions.includes(version)) return null;
  return `using ${other.label} in place of ${label} ${version}: plans support ${listed(release.versions)} only`;
}

/** Tools that a machine lacks for what a plan prefers, or for anything that it can use; none if `set` chooses the tool. */
export function missingTools(
  installed: Tools,
  { tools }: Pick<PlanDefinition, 'tools'>,
  set: readonly string[],
): string[] {
  if (tools === undefined || set.some((text) => text.startsWith('tool='))) return [];
  const { preferred, substitutes } = tools;
  const some = [preferred, ...substitutes].some((tool) => isUsable(tool, installed));
  const wanted = (some ? [preferred] : [preferred, ...substitutes]).flatMap(({ id, launch }) =>
    launch.by === 'mpi' ? [id, 'openmpi'] : [id],
  );
  return [...new Set(wanted)].filter((tool) => installed[tool] === undefined);
}

/** True if a tool is installed, in a supported release, with its launcher. */
function isUsable({ id, launch, version }: Workload, tools: Tools): boolean {
  const found = tools[id];
  if (found === undefined || (launch.by === 'mpi' && tools.openmpi === undefined)) return false;
  return version?.release === undefined || version.release.versions.includes(found);
}

const releaseSetting = ({ id, version }: Workload, tools: Tools): string[] =>
  version?.release === undefined ? [] : [`${version.release.parameter}=${tools[id]}`];
