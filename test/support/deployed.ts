import { BENCHMARKS } from '../../lib/benchmark/registry';
import { resolveAll } from '../../lib/config/app';
import { DEPLOYABLE_KINDS } from '../../lib/constructs/storage/registry';

/** Every benchmark that the application has a stack of. */
export const DEPLOYED = resolveAll(BENCHMARKS, {}, DEPLOYABLE_KINDS).benchmarks.map(({ definition }) => definition);
