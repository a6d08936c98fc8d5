import type { ArmDefinition, Benchmark } from '../../benchmark/benchmark';
import { labDeploymentOf, labDeployments, labFleet } from '../../benchmark/lab';
import { bySlurm } from '../../fleet/common/slurm';
import { thisMachine } from '../../fleet/common/thisMachine';
import type { ModelRequest } from '../../lab/model';
import { nodesOf, type SlurmRequest } from '../../lab/slurm';
import type { StorageConfiguration } from '../../schema/deployment';
import { storageOf } from '../../storage/lookup';
import { UsageError } from '../context';

/** The chosen arms of a benchmark's lab deployment, else its usual ones. @throws UsageError unless one deployment has all of them */
export function chosenArms(definition: Benchmark, arms?: readonly string[]): string[] {
  const [own = [], ...others] = labDeployments(definition).map(({ arms: all }) => all.map(({ name }) => name));
  if (arms === undefined) return [...(definition.lab.arms ?? own.slice(0, 2))];
  const known = [own, ...others].some((names) => arms.every((name) => names.includes(name)));
  if (!known || arms.length === 0 || new Set(arms).size !== arms.length) {
    const allowed = [own, ...others].map((names) => names.join(', ')).join(', or of ');
    throw new UsageError(`'arms' must be some of ${allowed}, each once, got '${arms.join(' ')}'`);
  }
  return [...arms];
}

const LAUNCHERS = [thisMachine, bySlurm].map(({ name }) => name);

/** The Slurm that a benchmark's clients need; `undefined` where this computer starts everything itself. @throws UsageError naming the launchers */
export function slurmFor(
  definition: Benchmark,
  chosen = (definition.lab.slurmNodes === undefined ? thisMachine : bySlurm).name,
): SlurmRequest | undefined {
  if (!LAUNCHERS.includes(chosen))
    throw new UsageError(`'launcher' must be one of ${LAUNCHERS.join(', ')}, got '${chosen}'`);
  const { clients: nodes, ranksPerClient: processors } = labFleet(definition);
  return chosen === bySlurm.name ? { nodes, processors } : undefined;
}

/** Returns the additional throttles of a benchmark's model, next to its storages' own limits. */
export function heldBy({ lab: { disk, slurmNodes }, fleet }: Benchmark, slurm: SlurmRequest | undefined) {
  const { instanceType } = fleet('smoke');
  const clients = slurmNodes && slurm && { count: nodesOf(slurm), instanceType };
  return { disk, clients: clients || undefined };
}

/** `--model none`: file systems as fast as they are. */
const NO_MODEL = 'none';

/** Returns the modelled configuration of each storage, in their order, and the same as `-c` settings of the stacks. */
export function modelledConfigurations(
  definition: Benchmark,
  chosen: readonly string[],
  text: string | true | undefined,
): { readonly arms: ModelRequest['arms']; readonly settings: readonly string[] } {
  if (text === NO_MODEL) return { arms: [], settings: [] };
  const own = labArms(definition, chosen);
  if (text === undefined || text === true) return { arms: own, settings: [] };
  const read = own.map(({ name, storage }) => ({ name, ...configurationFrom(text, storage) }));
  const settings = read.flatMap((one) => Object.entries(one.settings).map(([key, value]) => `${key}=${value}`));
  const arms = read.map(({ name, configuration }) => ({ name, storage: configuration }));
  return { arms, settings: [...new Set(settings)] };
}

export const labArms = (definition: Benchmark, chosen: readonly string[]): ArmDefinition[] =>
  labDeploymentOf(definition, chosen).arms.filter(({ name }) => chosen.includes(name));

function configurationFrom(text: string, configuration: StorageConfiguration) {
  const storage = storageOf(configuration);
  const { shorthand } = storage.configuration;
  if (shorthand === undefined)
    throw new Error(`'model' ('${text}') cannot be combined with ${storage.label}: use it without a value`);
  try {
    return shorthand.read(text, configuration);
  } catch (error) {
    throw new Error(`'model' ${(error as Error).message}`);
  }
}
