import { changeWarnings } from '../../lib/run/changing';
import type { DeployedArm, Described } from '../../lib/schema/run';

const arm = (kind: string, describe: Described | null): DeployedArm => ({
  name: 'lz4',
  description: '',
  kind,
  fileSystemId: 'fs-0123456789abcdef0',
  describe,
  hourlyUsd: 1,
  actually: null,
});

const action = (AdministrativeActionType: string, Status: string, ProgressPercent?: number) => ({
  AdministrativeActionType,
  Status,
  ...(ProgressPercent === undefined ? {} : { ProgressPercent }),
});

test('a file system that FSx is still growing is named before anything is measured', () => {
  const AdministrativeActions = [
    action('STORAGE_OPTIMIZATION', 'IN_PROGRESS', 37),
    action('FILE_SYSTEM_UPDATE', 'UPDATED_OPTIMIZING'),
    action('FILE_SYSTEM_UPDATE', 'FAILED'),
  ];
  expect(changeWarnings([arm('lustre', { AdministrativeActions })])).toEqual([
    expect.stringMatching(
      /^FSx for Lustre is still changing fs-0123456789abcdef0 \(lz4\): STORAGE_OPTIMIZATION \(37 %\), FILE_SYSTEM_UPDATE\. .*start it again when the change is complete$/,
    ),
  ]);
});

test.each([
  [
    'whose changes are complete',
    arm('lustre', { AdministrativeActions: [action('STORAGE_OPTIMIZATION', 'COMPLETED', 100)] }),
  ],
  ['that was never changed', arm('openzfs', {})],
  ['that nobody described', arm('lustre', null)],
  ['of a kind whose service does not say', arm('efs', { AdministrativeActions: [action('X', 'IN_PROGRESS')] })],
  ['of another release', arm('unknown', {})],
])('nothing is said of one %s', (_, one) => {
  expect(changeWarnings([one])).toEqual([]);
});
