import { bytes } from '../../../common/format/units';
import { check } from '../checks';

/** Data that a node reads back, or has yet to write, may never leave its memory. */
export const dataFitInMemory = check('data-fit-in-memory', 'warning', ({ parameters, environment }) => {
  const { clientMemoryBytes } = environment;
  const { maxMiBPerNode, direct } = parameters;
  if (clientMemoryBytes === undefined || typeof maxMiBPerNode !== 'number' || direct === true) return null;
  const moved = maxMiBPerNode * 2 ** 20;
  if (moved > clientMemoryBytes) return null;
  return {
    message: 'The data that a node writes fit into its memory, so its reads may come from there.',
    expected: `more than ${bytes(clientMemoryBytes)}`,
    actual: bytes(moved),
    suggestion: `--set maxMiBPerNode=${Math.ceil((1.5 * clientMemoryBytes) / 2 ** 20)} or --set direct=true`,
  };
});
