import { gp3Lines } from '../../price/gp3';
import { costLine, noPrice } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { CostOptions } from '../slices/price';
import { describeLustreZfs, type LustreZfsStorage, ROOT_GIB, resolved } from './configuration';

/** List price of the servers, whose price includes their local NVMe. Rocky Linux has none; what RHEL adds is left out. */
export function lustreZfsLines(configuration: LustreZfsStorage, options: CostOptions): readonly CostLine[] {
  const { region, label = 'Lustre on ZFS', book = PUBLISHED } = options;
  const { servers, instanceType: type } = resolved(configuration);
  return [
    costLine(
      `${label}: servers (${describeLustreZfs(configuration)})`,
      servers,
      book.instancePriceOf(type, region),
      noPrice(type, region),
    ),
    ...gp3Lines({ sizeGiB: ROOT_GIB }, servers, { ...options, label: `${label}: root volume of servers` }),
  ];
}
