import { checkedName } from '../schema/names';

/** Which run, and where its files are kept. */
export interface RunReference {
  readonly benchmark: string;
  readonly run: string;
}

/** Where the files of a run are in the bucket. @throws unless both are names */
export function prefixOf({ benchmark, run }: RunReference): string {
  return `runs/${checkedName('benchmark', benchmark)}/${checkedName('run', run)}`;
}
