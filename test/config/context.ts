import { ConfigurationError } from '../../lib/common/configurationError';
import { readSettings } from '../../lib/config/app';

/** Settings of CompressionBench in a context. */
export const read = (context: Record<string, unknown>) => readSettings(context, 'CompressionBench');

/** The problems of a context that must be refused. */
export function problemsOf(context: Record<string, unknown>): readonly string[] {
  try {
    read(context);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(context)}`);
}
