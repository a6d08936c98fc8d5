import * as z from 'zod';

/** An e-mail address that can subscribe to a topic. */
export const emailAddress = z.email();
