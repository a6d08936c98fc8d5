import { Aws, Fn } from 'aws-cdk-lib';

/** Eight hexadecimal digits of the stack's id, which differ from those of an earlier or later stack with the same name. */
export const stackDigits = (): string => Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));
