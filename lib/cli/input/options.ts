import { Option } from 'commander';

/** Collects the values of an option that can be given several times. */
export const collect = (value: string, earlier: string[]): string[] => [...earlier, value];

/** Options that several commands have. */
export const JSON_DOCUMENT = new Option('--json', 'print one JSON document');
export const RESULTS = new Option('--results <folder>', 'local results folder').default('results');
export const REGION = new Option('--region <region>', 'Region of the list prices; default: AWS_REGION, else us-east-1');
export const PRICES = new Option(
  '--prices <file>',
  'price file that overrides the built-in prices; default: prices.json, if it exists',
);
export const PARAMETERS = new Option('--set <key=value>', 'a parameter of the plan; repeatable')
  .default([])
  .argParser(collect);
export const ALLOW = new Option('--allow <id>', 'a finding of the command that stops nothing; repeatable')
  .default([])
  .argParser(collect);
