import { Aws, Fn } from 'aws-cdk-lib';

/** Eight hexadecimal digits of the stack's own id, which tell it from one of the same name before or after it. */
export const stackDigits = (): string => Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));
