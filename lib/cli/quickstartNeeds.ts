import type { Benchmark } from '../benchmark/benchmark';
import { needsOfScript, type Unmet, type Uses, unmetOf } from '../lab/needs';
import { storageOf } from '../storage/lookup';
import { workloadNamed } from '../workload/lookup';
import type { CliContext } from './context';
import { type LabBenchmark, labArms, modelledConfigurations, slurmFor, storagesOf } from './lab';
import { chosenPlan, documentedPlan, type PlanOptions, usage } from './plan';

/**
 * Returns the programs that a benchmark's quick start uses and this machine lacks, as far as packages have them. @throws UsageError if it
 * cannot be started on this machine at all
 */
export async function unmetNeeds(
  { root }: CliContext,
  definition: Benchmark,
  request: LabBenchmark & { readonly set: readonly string[] },
): Promise<Unmet[]> {
  const isRoot = process.getuid?.() === 0;
  return unmetOf(root, [
    ...needsOfTools(definition, request.set),
    ...(slurmFor(definition, request.launcher) === undefined
      ? []
      : [{ of: 'Slurm', uses: await needsOfScript(root, 'lab/slurm/cluster'), without: null }]),
    // Nobody else may mount or limit anything, whatever is installed.
    ...(isRoot ? await needsOfStorages(root, definition, request) : []),
  ]);
}

/** The tools of all its plans, and those that could take their place. */
function needsOfTools(definition: Benchmark, set: readonly string[]): Uses[] {
  const { set: own = [], followedBy = [] } = definition.lab;
  const parts: readonly PlanOptions[] = [{ set: [...own, ...set] }, ...followedBy];
  const ids = parts.flatMap((part) => {
    const { preferred, substitutes = [] } = chosenPlan(definition, part).tools ?? {};
    const { steps } = documentedPlan(definition, { ...part, scale: 'lab' });
    const used = steps.flatMap(({ tasks }) =>
      tasks.flatMap(({ action }) => (action.kind === 'workload' ? action.tool : [])),
    );
    return [...used, ...[preferred, ...substitutes].flatMap((workload) => workload?.id ?? [])];
  });
  return [...new Set(ids)].map(workloadNamed).flatMap(({ label: of, installed }) => {
    return installed === undefined ? [] : { of, uses: installed.uses, without: installed.without };
  });
}

async function needsOfStorages(root: string, definition: Benchmark, { arms, model }: LabBenchmark): Promise<Uses[]> {
  const chosen = storagesOf(definition, arms);
  const { arms: modelled } = usage(() => modelledConfigurations(definition, chosen, model));
  if (modelled.length > 0 && definition.lab.modelled === 'servers') {
    const without = 'nothing limits disks and links, and the figures are those of this machine';
    const server = await needsOfScript(root, 'lab/model/server', { MODEL_NAME: 'needs', MODEL_FOLDER: 'needs' });
    return [
      { of: 'the scale model', uses: await needsOfScript(root, 'lab/model/check'), without },
      {
        of: 'a program on its servers',
        uses: server,
        without: 'disk and link below the file system are not measured alone',
      },
    ];
  }
  const needs: Uses[] = [];
  for (const { name, storage } of labArms(definition, chosen)) {
    const [standIn] = storageOf(storage).lab.standIns(storage, definition.about ?? []);
    if (standIn?.program == null) continue;
    const { path, variables } = standIn.program;
    const without = 'something else stands in for it, or nothing';
    needs.push({ of: name, uses: await needsOfScript(root, path, variables), without });
  }
  return needs;
}
