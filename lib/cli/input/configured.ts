import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Benchmark, SCALES } from '../../benchmark/benchmark';
import { BENCHMARKS } from '../../benchmark/registry';
import { ConfigurationError } from '../../common/configurationError';
import { readWhole } from '../../common/readWhole';
import { sectionNames } from '../../config/app';
import { type BenchmarkConfiguration, resolveBenchmark } from '../../config/benchmark';
import type { Settings } from '../../config/fields';
import { readSettings } from '../../config/read';
import { UsageError } from '../context';
import { word } from './quantity';

/** The context from cdk.json and `-c`, as for `cdk deploy`. @throws UsageError naming a `-c` that is not key=value */
export function stackContext(root: string, texts: readonly string[]): Record<string, unknown> {
  const set = texts.map((text) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (key === undefined) throw new UsageError(`-c takes key=value, such as clients=4, got '${text}'`);
    return [key, value];
  });
  const file = join(root, 'cdk.json');
  const kept = existsSync(file) ? (JSON.parse(readWhole(file)) as { context?: object }).context : {};
  return { ...kept, ...Object.fromEntries(set) };
}

/** The benchmark as `cdk deploy` would deploy it. @throws UsageError with every invalid setting */
export function configured(
  definition: Benchmark,
  root: string,
  options: { readonly scale?: string | undefined; readonly context: readonly string[]; readonly region?: string },
): BenchmarkConfiguration {
  const scale = options.scale === undefined ? undefined : word('scale', options.scale, SCALES);
  return usage(() => {
    const settings = settingsIn(definition, root, options.context);
    return resolveBenchmark(definition, { ...settings, scale: scale ?? settings.scale }, options.region);
  });
}

/** The benchmark with its settings in cdk.json; `null` where that has none of it. @throws UsageError with every invalid setting */
export function configuredInFile(
  definition: Benchmark,
  root: string,
  options: { readonly scale?: string | undefined; readonly region?: string },
): BenchmarkConfiguration | null {
  const settings = usage(() => settingsIn(definition, root, []));
  return Object.keys(settings).length === 0 ? null : configured(definition, root, { ...options, context: [] });
}

const settingsIn = (definition: Benchmark, root: string, context: readonly string[]): Settings =>
  readSettings(stackContext(root, context), definition.name, sectionNames(BENCHMARKS));

function usage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.problems.join('; '));
    throw error;
  }
}
