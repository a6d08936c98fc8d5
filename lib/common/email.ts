import * as z from 'zod';

export const emailAddress = z.email();

/** ARN of a standard topic of Amazon SNS. */
export const topicArn = z.string().regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/);
