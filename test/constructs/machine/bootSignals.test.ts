import { offloadBench } from '../../../lib/benchmark/offload';
import { moosefsStacks } from '../../storage/moosefs/bench';
import { ofType, resourcesOf, stacksWith, templateOf, theOnly } from '../../support/cdk';

describe.each([
  ['MooseFS', moosefsStacks().bench],
  ['Lustre on ZFS', stacksWith({}, undefined, {}, offloadBench).bench],
])('the wait condition of a stack with servers of %s', (_, bench) => {
  const resources = resourcesOf(bench);

  test('waits for each client, the builder and each server, and for nothing else', () => {
    const condition = theOnly(resources, 'AWS::CloudFormation::WaitCondition');
    expect(condition).not.toHaveProperty('DependsOn');
    const { MinSize } = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup').Properties;
    const instances = ofType(resources, 'AWS::EC2::Instance').length;
    expect(instances).toBeGreaterThan(1);
    expect(templateOf(bench).Parameters[condition.Properties.Count.Ref]).toMatchObject({
      Type: 'Number',
      Default: Number(MinSize) + instances,
    });
  });

  test('has its address in the user data of every machine', () => {
    const [handleId] = ofType(resources, 'AWS::CloudFormation::WaitConditionHandle').map(([id]) => id);
    const templates = ofType(resources, 'AWS::EC2::LaunchTemplate');
    expect(templates.length).toBeGreaterThan(2);
    for (const [, { Properties }] of templates)
      expect(JSON.stringify(Properties)).toMatch(new RegExp(`export FSXBENCH_SIGNAL_URL='",\\{"Ref":"${handleId}"\\}`));
  });
});
