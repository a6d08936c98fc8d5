import { Aws, Fn, Lazy } from 'aws-cdk-lib';
import { LIMITS } from '../../../lib/common/aws/services';
import { buildEnvironment, cloudConfig, machineUserData } from '../../../lib/constructs/machine/userData';
import { emptyStack } from '../../support/cdk';

const render = (environment: Record<string, string>, script = '#!/bin/bash\ntrue\n') =>
  machineUserData(environment, script).render();

test('sets the environment before the script, in the one form that cloud-init can check', () => {
  expect(render({ A: '1', B: 'two' }, '#!/bin/bash\nmain "$@"\n')).toBe(
    cloudConfig("#!/bin/bash\nexport A='1'\nexport B='two'\n#!/bin/bash\nmain \"$@\"\n"),
  );
});

test('lets no value end its quotes', () => {
  expect(render({ A: "it's $HOME; `id`" })).toContain("export A='it'\\''s $HOME; `id`'\n");
});

/** The text of a value as CloudFormation makes it, with a word for each reference. */
function filledIn(value: unknown): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join, 'Fn::Sub': sub } = value as { 'Fn::Join'?: [string, unknown[]]; 'Fn::Sub'?: string };
  return join === undefined ? (sub ?? '<name>') : join[1].map(filledIn).join(join[0]);
}

test.each<[string, string, string]>([
  ['Lazy', Lazy.string({ produce: () => "echo 'a'\necho b" }), "echo '\\''a'\\''\n      echo b"],
  ['Fn.join', Fn.join("'", ["it'", Aws.STACK_NAME, 'a\nb']), "it'\\'''\\''<name>'\\''a\n      b"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in
  ['Fn.sub', Fn.sub("echo '${AWS::StackName}'\nid"), "echo '\\''${AWS::StackName}'\\''\n      id"],
])('lets no word of a value that comes later end its quotes or its block: %s', (_, value, expected) => {
  const text = filledIn(emptyStack().resolve(Fn.base64(render({ A: value })))['Fn::Base64']);
  expect(text).toContain(`export A='${expected}'\n`);
});

test('refuses more than EC2 takes, with the figure', () => {
  const script = 'x'.repeat(LIMITS.userDataBytes.most - cloudConfig('#!/bin/bash\nx').length + 1);
  expect(() => render({}, script)).not.toThrow();
  expect(() => render({}, `${script}x`)).toThrow(
    'user data must be at most 16384 bytes, got 16385. Move what can wait into the bundle that it downloads (assets/client).',
  );
});

test('counts bytes, not characters', () => {
  expect(() => render({}, 'ß'.repeat(8192))).toThrow(`got ${16_384 + cloudConfig('#!/bin/bash\nx').length - 1}`);
});

test('allows for the length of what CloudFormation fills in', () => {
  const token = Lazy.string({ produce: () => 'fs-0a1b2c3d4e5f60718' });
  const rest = LIMITS.userDataBytes.most - cloudConfig("#!/bin/bash\nexport A=''\nx").length + 1 - 128;
  expect(() => render({ A: token }, 'x'.repeat(rest))).not.toThrow();
  expect(() => render({ A: token }, 'x'.repeat(rest + 1))).toThrow('got 16385');
});

test('says what differs from the build that the scripts make by themselves, and no more', () => {
  const versions = { iorVersion: '3.3.0', openMpiVersion: '4.1.8' };
  const said = { FSXBENCH_IOR_VERSION: '3.3.0', FSXBENCH_OPENMPI_VERSION: '4.1.8' };
  expect(buildEnvironment({ ...versions, install: 'source', mpiEfa: false })).toEqual(said);
  expect(buildEnvironment({ ...versions, install: 'spack', mpiEfa: true })).toEqual({
    ...said,
    FSXBENCH_INSTALL: 'spack',
    FSXBENCH_MPI_EFA: 'true',
  });
});
