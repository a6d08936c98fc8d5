import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

/** Patterns for the parameters of the document: anchored, and without a character that a shell would act on. */
export const ALLOWED_PATTERNS = {
  Benchmark: '^[A-Za-z][A-Za-z0-9]{0,63}$',
  RunId: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
  // Bucket naming rules (S3 docs).
  Bucket: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
  Sums: '^[0-9a-f]{64} [0-9a-f]{64} [0-9a-f]{64}$',
} as const;

/**
 * The SSM document that starts a run on the leader. It returns as soon as the driver runs: SSM ends commands after 48 hours
 * at most, keeps 24,000 characters of output, and a laptop may close.
 */
export class RunDocument extends Construct {
  readonly documentName: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const parameter = (allowedPattern: string, description: string) => ({
      type: 'String',
      allowedPattern,
      description,
    });
    const document = new ssm.CfnDocument(this, 'Document', {
      documentType: 'Command',
      documentFormat: 'JSON',
      // In place: a replacement would break the name that running clients of the command line hold.
      updateMethod: 'NewVersion',
      content: {
        schemaVersion: '2.2',
        description: 'Starts the driver of a run on the leader and returns at once',
        parameters: {
          Benchmark: parameter(ALLOWED_PATTERNS.Benchmark, 'Name of the benchmark'),
          RunId: parameter(ALLOWED_PATTERNS.RunId, 'Id of the run, whose plan is in the bucket'),
          Bucket: parameter(ALLOWED_PATTERNS.Bucket, 'Results bucket'),
          Sums: parameter(ALLOWED_PATTERNS.Sums, 'SHA-256 of plan, manifest and driver, which clients may write'),
        },
        mainSteps: [
          {
            action: 'aws:runShellScript',
            name: 'startRun',
            precondition: { StringEquals: ['platformType', 'Linux'] },
            inputs: {
              timeoutSeconds: '300',
              runCommand: [
                // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell of the leader expands it
                '"${FSXBENCH_HOME:-/opt/fsxbench}/bin/start-run" "{{ Benchmark }}" "{{ RunId }}" "{{ Bucket }}" "{{ Sums }}"',
              ],
            },
          },
        ],
      },
    });
    this.documentName = document.ref;
  }
}
