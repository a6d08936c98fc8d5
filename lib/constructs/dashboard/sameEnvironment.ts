import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Checks that alarms and graphs are in their metrics' account and Region: elsewhere they find no data. @throws Error if they are known to differ */
export function requireSameEnvironment(watching: IConstruct, watched: IConstruct): void {
  const [here, there] = [Stack.of(watching), Stack.of(watched)];
  for (const part of ['region', 'account'] as const) {
    const [own, other] = [here[part], there[part]];
    if (own === other || Token.isUnresolved(own) || Token.isUnresolved(other)) continue;
    throw new Error(
      `'fileSystem' must be in ${part} ${own}, that of ${watching.node.path}, got ${watched.node.path} in ${other}: make both in stacks of one ${part}`,
    );
  }
}
