import type { StorageConfiguration } from '../../schema/storage';
import type { MetricRole } from '../role';
import type { StandIn } from '../standIn';

/** A storage in the lab. */
export interface LabSlice<C extends StorageConfiguration = StorageConfiguration> {
  /**
   * Stand-ins of the lab for a configuration, the best first; it takes the first that the machine can have, and leaves the
   * arm out where it can have none.
   *
   * @param about roles of the metrics that the benchmark is about
   */
  standIns(configuration: C, about: readonly MetricRole[]): readonly StandIn[];
}
