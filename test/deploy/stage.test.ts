import { Stage } from 'aws-cdk-lib';
import { makeStacks } from '../../lib/deploy/application';
import { appWithFlags } from '../support/cdk';

const env = { account: '123456789012', region: 'us-east-1' };
const CONTEXT = { CompressionBench: { scale: 'smoke' }, fileSystemId: 'fs-0a1b2c3d4e5f60718' };

test('a stage has the stacks of an application, with their names and resources, so that commands find them', () => {
  const app = appWithFlags(CONTEXT);
  makeStacks(app, env);
  const stage = new Stage(appWithFlags(CONTEXT), 'Trial', { env });
  makeStacks(stage, env);
  const resources = (assembly: ReturnType<Stage['synth']>) =>
    Object.fromEntries(
      assembly.stacks.map(({ stackName, template }) => [
        stackName,
        Object.values<{ Type: string }>(template.Resources)
          .map(({ Type }) => Type)
          .sort(),
      ]),
    );
  const staged = resources(stage.synth());
  expect(Object.keys(staged)).toEqual(expect.arrayContaining(['BenchResults', 'CompressionBench', 'LustreDashboard']));
  expect(staged).toEqual(resources(app.synth()));
});
