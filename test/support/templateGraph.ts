import type { Resource } from './cdk';

export type Resources = Readonly<Record<string, Resource>>;

/** Logical ids to which a value of a template refers. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' && typeof inner === 'string') return [inner];
    if (key === 'Fn::GetAtt') return [Array.isArray(inner) ? inner[0] : String(inner).split('.')[0]];
    if (key === 'Fn::Sub') {
      const text = Array.isArray(inner) ? inner[0] : inner;
      return [...String(text).matchAll(/\$\{([A-Za-z0-9]+)/g)].map((match) => match[1] as string);
    }
    return references(inner);
  });
}

/** Resources that CloudFormation creates before another because the resource says so: references and DependsOn. */
function direct({ Properties, DependsOn = [] }: Resource): string[] {
  return [...references(Properties), ...[DependsOn].flat()];
}

/** Everything that is there for certain when CloudFormation begins to create a resource. */
export function createdBefore(resources: Resources, id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const next of direct(resources[name] as Resource)) {
      if (found.has(next) || resources[next] === undefined) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(id);
  return found;
}

/** Resources that wait for themselves. */
export function inCycles(resources: Resources): string[] {
  return Object.keys(resources).filter((id) => createdBefore(resources, id).has(id));
}
