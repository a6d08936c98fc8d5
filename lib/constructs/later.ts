/** A problem with a value that CloudFormation fills in later, if a rule or the template itself depends on it. */
export const unresolvedTokenMessage = (property: string): string =>
  `'${property}' must be known when the template is made, got a value that CloudFormation fills in later: set it in cdk.json or with -c, not as a template parameter`;
