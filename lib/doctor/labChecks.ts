import { join } from 'node:path';
import { BENCHMARKS } from '../benchmark/registry';
import { assignments } from '../common/format/shell';
import { storageOf } from '../storage/lookup';
import type { StandInProgram } from '../storage/standIn';
import { checked, type MachineCheck } from './check';

/** Two images of 3 GiB and the emulator's packages. */
const LAB_BYTES = 8 * 2 ** 30;

/** Runs a script's own check, which tells its user what is missing. */
const ofScript =
  (name: string, script: string, variables: StandInProgram['variables'], without: string): MachineCheck =>
  ({ isRoot, ask, root }) => {
    const words = assignments(variables);
    const [path = '', ...args] = script.split(' ');
    const ok = isRoot && ask(['env', ...words, 'bash', join(root, 'assets', path), ...args]) !== null;
    const command = [...words, 'bash', join('assets', path), ...args].join(' ');
    const found = ok ? 'available' : isRoot ? 'something is missing' : 'not root';
    return checked(name, ['lab'], found, ok ? null : `${without}; ${command} names what is missing`, 'limited');
  };

/** Stand-ins that the lab would use for each arm of a benchmark. */
const STAND_INS = BENCHMARKS.flatMap(({ about, arms }) =>
  arms('smoke').flatMap(({ storage }) => storageOf(storage).lab.standIns(storage, about)),
);

/** Checks of the stand-ins, made by their programs. */
const STAND_IN_CHECKS: readonly MachineCheck[] = [
  ...new Map(STAND_INS.flatMap(({ label, program }) => (program === null ? [] : [[label, program] as const]))),
].map(([label, { path, variables }]) =>
  ofScript(
    label,
    `${path} check`,
    { ...variables, STAND_IN_NAME: 'doctor' },
    'without it the lab uses the next best in its place, or leaves arms out',
  ),
);

const disk: MachineCheck = ({ root, freeBytes }) => {
  const free = freeBytes(root);
  const advice = free >= LAB_BYTES ? null : `free up ${LAB_BYTES / 2 ** 30} GiB in ${root}`;
  return checked('free disk', ['lab'], `${(free / 2 ** 30).toFixed(0)} GiB`, advice);
};

/** Checks of what the lab alone needs. */
export const LAB_CHECKS: readonly MachineCheck[] = [
  ...STAND_IN_CHECKS,
  ofScript('scale model', 'lab/model/check', {}, 'without it nothing limits the lab’s file systems'),
  disk,
];
