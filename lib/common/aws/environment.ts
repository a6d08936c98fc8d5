/** Variables that name the Region, and the profile: the first that is set, as the CDK reads them (aws-cdk 2, `AwsCliCompatible.region`). */
export const REGION_VARIABLES = ['AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION'] as const;
const PROFILE_VARIABLES = ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE'] as const;

/**
 * Makes the SDK read the environment as the CDK and the AWS CLI do. The SDK reads only the first variable of each kind, accepts an empty name, and
 * ignores keys next to a profile: it would search another Region or account than the one that the CDK deploys to.
 */
export function readLikeCdk(environment: NodeJS.ProcessEnv): void {
  for (const variables of [REGION_VARIABLES, PROFILE_VARIABLES]) {
    const [first] = variables;
    const value = variables.map((name) => environment[name]).find((named) => named);
    if (value === undefined) delete environment[first];
    else environment[first] = value;
  }
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment;
  // The environment has its profile's Region unless it sets one.
  if (AWS_REGION && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) delete environment.AWS_PROFILE;
}
