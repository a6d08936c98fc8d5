import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { cfnLint } from './cfnLint';

/** Findings of cdk-nag in a benchmark's stack that nobody acknowledged, and those of cfn-lint in it and in the results' stack. */
export function findingsOf({ bench, results }: { readonly bench: Stack; readonly results: Stack }) {
  const { violations } = new AwsSolutionsChecks().validateScope(bench);
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-findings-'));
  try {
    const files = [bench, results].map((stack) => {
      const file = join(folder, `${stack.stackName}.json`);
      writeFileSync(file, JSON.stringify(Template.fromStack(stack).toJSON()));
      return file;
    });
    return { nag: violations.map(({ ruleName }) => ruleName), lint: cfnLint(files) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
