import { checkedName } from '../schema/names';

/** Identifies a run and the location of its files. */
export interface RunReference {
  readonly benchmark: string;
  readonly run: string;
}

/** Prefix of a run's files in the bucket. @throws unless both are names */
export const prefixOf = ({ benchmark, run }: RunReference): string =>
  `runs/${checkedName('benchmark', benchmark)}/${checkedName('run', run)}`;
