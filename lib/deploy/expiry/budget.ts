import { Stack } from 'aws-cdk-lib';
import * as budgets from 'aws-cdk-lib/aws-budgets';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

const THRESHOLDS = [80, 100];

export interface CostTag {
  readonly key: string;
  readonly value: string;
}

/** Notifies a topic when the bill of everything with a tag, in a calendar month, reaches 80 and 100 % of a budget. */
export function notifyOfBill(
  scope: Construct,
  { usd, tag, topic }: { readonly usd: number; readonly tag: CostTag; readonly topic: sns.ITopic },
): void {
  // An existing topic keeps its policy, which its owner writes (docs/security.md).
  topic.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'BudgetsOfThisAccount',
      principals: [new iam.ServicePrincipal('budgets.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  new budgets.CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: usd, unit: 'USD' },
      // User guide of Budgets, budgets-create-filters; of tags of users the key has this prefix.
      costFilters: { TagKeyValue: [`user:${tag.key}$${tag.value}`] },
    },
    notificationsWithSubscribers: THRESHOLDS.map((threshold) => ({
      notification: {
        notificationType: 'ACTUAL',
        comparisonOperator: 'GREATER_THAN',
        threshold,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  });
}

/** Information at synth about a limit on costs. */
export const describeBill = (usd: number, { key }: CostTag): string =>
  `'maxCostUsd' ends this stack by list prices, which leave out discounts, data transfer and requests. An AWS Budget of ${usd} USD per month watches the real bill: ` +
  `activate the cost allocation tag ${key} in Billing, without which it sees nothing. It lags by 8 to 12 hours or more (docs/expiry.md)`;
