import * as z from 'zod';

/** An e-mail address that can subscribe to a topic. */
export const emailAddress = z.email();

/** ARN of a standard topic of Amazon SNS. */
export const topicArn = z.string().regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/);
