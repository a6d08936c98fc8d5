import { readFileSync } from 'node:fs';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { assetPath } from '../../kit/assets';

/** Longer than `end-runs` waits for drivers and uploads. */
const SECONDS = 1800;

/** Not in the bundle alone, which a client that was never booted lacks. */
const SCRIPT = readFileSync(assetPath('client/end-runs.sh'), 'utf8');

/** The SSM document that ends the runs on a client, and fails unless everything of them is in the results bucket. */
export function endDocument(scope: Construct, bucketName: string): ssm.CfnDocument {
  return new ssm.CfnDocument(scope, 'EndRuns', {
    documentType: 'Command',
    documentFormat: 'JSON',
    updateMethod: 'NewVersion',
    content: {
      schemaVersion: '2.2',
      description: 'Ends the runs of a client, and fails unless their results are in the bucket',
      mainSteps: [
        {
          action: 'aws:runShellScript',
          name: 'endRuns',
          precondition: { StringEquals: ['platformType', 'Linux'] },
          inputs: {
            timeoutSeconds: String(SECONDS),
            runCommand: [`FSXBENCH_BUCKET='${bucketName}'`, ...SCRIPT.trimEnd().split('\n')],
          },
        },
      ],
    },
  });
}
