import { betterOf } from '../workload/lookup';

/** The heading of the main figures: a run of a user's own program has times and no throughput. */
export function ratesTitle(cells: readonly { readonly operation: string; readonly metric: string }[]): string {
  return cells.length > 0 && cells.every((cell) => betterOf(cell) === 'lower') ? 'Times' : 'Throughput';
}

/** The unit of a figure: `MB/s`; with what is better where that is not the higher one: `s (lower is better)`. */
export function unitWords(figure: {
  readonly operation: string;
  readonly metric: string;
  readonly unit: string;
}): string {
  return betterOf(figure) === 'lower' ? `${figure.unit} (lower is better)` : figure.unit;
}
