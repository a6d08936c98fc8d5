import { breachMessage } from '../../../../lib/common/breach';
import type { LustreConfiguration } from '../../../../lib/storage/lustre/configuration';
import type { Rules } from '../../../../lib/storage/lustre/rule/rule';
import { checkLustre } from '../../../../lib/storage/lustre/rules';
import { MIN } from '../configurations';

/** Rule, configuration, and the exact words that a person reads. */
export type Case = [id: string, configuration: LustreConfiguration, message: string];

/** Values that JSON or JavaScript can ask for although the types do not allow it. */
export const anything = (configuration: object) => configuration as LustreConfiguration;

export const repository = { fileSystemPath: '/data', dataRepositoryPath: 's3://bucket/data' };
export const link = { importPath: 's3://bucket/in' };
export const cache = (sizeGiB: number) => ({ sizingMode: 'USER_PROVISIONED', sizeGiB }) as const;
export const repositories = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ fileSystemPath: `/d${i}`, dataRepositoryPath: `s3://bucket/d${i}` }));

/** Configuration of the compression study. */
export const PUBLISHED = { ...MIN.persistent1, storageCapacityGiB: 14_400, perUnitStorageThroughput: 200 } as const;

/** The promise of every file of rules: each case breaks the rule that it names and no other, and each rule has one that breaks it. */
export function refuses(rules: Rules, cases: Case[]): void {
  test.each(cases)('%s: %j is refused', (id, configuration, message) => {
    expect(checkLustre(configuration).errors.map((breach) => breachMessage(breach))).toEqual([
      `${message} [fsxbench:lustre-${id}]`,
    ]);
  });

  test('every rule has a configuration that breaks it', () => {
    const shown = new Set(cases.map(([id]) => id));
    expect(Object.keys(rules).filter((id) => !shown.has(id))).toEqual([]);
  });
}
