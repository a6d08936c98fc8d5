import { CfnResource, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Logical ids in a template's JSON: of Ref, Fn::GetAtt and Fn::Sub. */
const REFERENCES = [/"(?:Ref|Fn::GetAtt)":\[?"([A-Za-z0-9]+)"/g, /\$\{([A-Za-z0-9]+)(?:\.[^}]*)?\}/g] as const;

/** CDK hides from its types what it writes for a resource, and offers nothing else that has the references in it. */
type Written = CfnResource & { _toCloudFormation(): object };

/**
 * Resources of the same stack that those below a construct refer to or wait for, directly or through others. They must be there before it, so
 * nothing can have them made after it.
 */
export function neededBy(construct: Construct): ReadonlySet<CfnResource> {
  const stack = Stack.of(construct);
  const resources = (of: Construct): CfnResource[] => of.node.findAll().filter(CfnResource.isCfnResource);
  const byId = new Map(
    resources(stack)
      .filter((resource) => resource.stack === stack)
      .map((resource) => [stack.resolve(resource.logicalId) as string, resource]),
  );
  const needs = (resource: CfnResource): (CfnResource | undefined)[] => {
    const text = JSON.stringify(stack.resolve((resource as Written)._toCloudFormation()));
    return [
      ...REFERENCES.flatMap((form) => [...text.matchAll(form)].map(([, id = '']) => byId.get(id))),
      ...resource.node.scopes.flatMap(({ node }) => node.dependencies).flatMap((root) => resources(root as Construct)),
    ];
  };
  const needed = new Set<CfnResource>();
  const open = resources(construct);
  for (let resource = open.pop(); resource !== undefined; resource = open.pop()) {
    for (const other of needs(resource)) {
      if (other === undefined || needed.has(other)) continue;
      needed.add(other);
      open.push(other);
    }
  }
  return needed;
}
