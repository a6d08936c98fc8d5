import { join } from 'node:path';
import { isSupportedNode, NODE_FLOOR } from '../common/nodeFloor';
import { FLEETS } from '../fleet/registry';
import { type CheckResult, checked, type MachineCheck, type Purpose } from './check';
import { LAB_CHECKS } from './labChecks';
import type { Machine } from './machine';
import { TOOL_CHECKS } from './toolChecks';

const node: MachineCheck = ({ nodeVersion }) =>
  checked(
    'Node.js',
    ['deploy', 'local run', 'lab'],
    nodeVersion,
    isSupportedNode(nodeVersion) ? null : `install Node.js ${NODE_FLOOR} or newer`,
  );

const packages: MachineCheck = ({ root, exists }) => {
  const ok = exists(join(root, 'node_modules', 'aws-cdk-lib')) && exists(join(root, 'node_modules', '.bin', 'cdk'));
  return checked('npm packages', ['deploy', 'lab'], ok ? 'installed' : 'not installed', ok ? null : 'npm ci');
};

const credentials: MachineCheck = ({ environment, exists }) => {
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID, HOME = '' } = environment;
  const shared = exists(join(HOME, '.aws', 'credentials')) || exists(join(HOME, '.aws', 'config'));
  const profile = AWS_PROFILE ? `AWS_PROFILE=${AWS_PROFILE}` : shared ? '~/.aws' : null;
  const found = AWS_ACCESS_KEY_ID ? 'AWS_ACCESS_KEY_ID' : profile;
  const advice = found ? null : 'aws configure sso, or set AWS_PROFILE; the lab needs none';
  return checked('AWS credentials', ['deploy'], found ?? 'none', advice);
};

const python: MachineCheck = ({ ask }) => {
  const [found = 'none', major, minor] = /Python (\d+)\.(\d+)/.exec(ask(['python3', '--version']) ?? '') ?? [];
  const ok = Number(major) > 3 || Number(minor) >= 9;
  return checked('Python', ['lab'], found, ok ? null : 'install Python 3.9 or newer');
};

const pythonVenv: MachineCheck = ({ ask, root, exists }) => {
  const ready = exists(join(root, '.lab', 'venv', 'bin', 'python'));
  const ok = ready || ask(['python3', '-c', 'import ensurepip, venv']) !== null;
  const found = ready ? 'made' : ok ? 'available' : 'not available';
  return checked('Python venv', ['lab'], found, ok ? null : 'apt-get install python3-venv');
};

/** Checks by fleets of their own configurations; without them a deployment finds the faults. */
const FLEET_CHECKS: readonly MachineCheck[] = FLEETS.flatMap(({ checkOffline }) => {
  if (checkOffline === undefined) return [];
  return ({ root }: Machine): CheckResult => {
    const { ok, ...check } = checkOffline(root);
    return { ...check, neededFor: ['deploy'], state: ok ? 'ok' : 'limited' };
  };
});

const CHECKS: readonly MachineCheck[] = [
  node,
  packages,
  credentials,
  python,
  pythonVenv,
  ...FLEET_CHECKS,
  ...TOOL_CHECKS,
  ...LAB_CHECKS,
];

/** Makes all checks. */
export const examine = (machine: Machine): CheckResult[] => CHECKS.map((check) => check(machine));

/** Purposes for which nothing is missing. */
export function capabilities(findings: readonly CheckResult[]): Record<Purpose, boolean> {
  const works = (purpose: Purpose): boolean =>
    findings.every((finding) => finding.state !== 'missing' || !finding.neededFor.includes(purpose));
  return { deploy: works('deploy'), 'local run': works('local run'), lab: works('lab') };
}
