/** Variables that name the Region, and the profile: the first that is set, as the CDK reads them (aws-cdk 2, `AwsCliCompatible.region`). */
export const REGION_VARIABLES = ['AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION'] as const;
const PROFILE_VARIABLES = ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE'] as const;

/**
 * Makes an environment mean to the SDK what it means to the CDK and the AWS CLI. Of each kind of variable the SDK reads the first alone, and takes an
 * empty one for a name; next to a profile it takes no keys. Otherwise stacks are deployed in one Region, or account, and looked for in another.
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
