import { gp3Lines } from '../../price/gp3';
import { costLine, noPrice } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { CostOptions } from '../slices/price';
import { describeMooseFs, type MooseFsStorage, ROOT_GIB, resolved, volumeOf, volumesOf } from './configuration';

/** List price of the servers and their volumes. The custom metrics of the master are billed by use, as those of a run are. */
export function mooseFsLines(configuration: MooseFsStorage, options: CostOptions): readonly CostLine[] {
  const { region, label = 'MooseFS', book = PUBLISHED } = options;
  const { chunkservers, instanceType, masterInstanceType } = resolved(configuration);
  const servers = (what: string, count: number, type: string, rootGiB: number): readonly CostLine[] => [
    costLine(`${label}: ${what}, EC2 ${type}`, count, book.instancePriceOf(type, region), noPrice(type, region)),
    ...gp3Lines({ sizeGiB: rootGiB }, count, { ...options, label: `${label}: root volume of ${what}` }),
  ];
  return [
    ...servers('master', 1, masterInstanceType, ROOT_GIB.master),
    ...servers('chunkservers', chunkservers, instanceType, ROOT_GIB.chunkserver),
    ...gp3Lines(volumeOf(configuration), volumesOf(configuration), {
      ...options,
      label: `${label}: data (${describeMooseFs(configuration)})`,
    }),
  ];
}
