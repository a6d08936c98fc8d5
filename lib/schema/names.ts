import * as z from 'zod';

/** A name that becomes part of a path, a key or an argument: it begins neither with a dot nor with a hyphen, and holds no slash. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+=-]{0,127}$/;
const WANTED = 'a name of letters, digits and . _ + = - that begins with a letter or a digit, at most 128 of them';

/** Name of an arm, a step, a unit or a run in any file, object or plan. */
export const name = z.string().regex(NAME, `must be ${WANTED}`);

/** Names with `/` between them: a file below a run's folder. */
export const relativePath = z
  .string()
  .refine(
    (text) => text.split('/').every((part) => NAME.test(part)),
    `must be names with / between them, each ${WANTED}`,
  );

/** S3's rules (S3 docs, "General purpose bucket naming rules"). */
export const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of an S3 bucket');

/** An address, never a host name or an option: it follows `ssh` and is in the host file of mpirun. */
export const address = z.union([z.ipv4(), z.ipv6()], 'must be an IP address');

/** @throws unless a text is a name, saying what it should name */
export function checkedName(what: string, text: string): string {
  if (NAME.test(text)) return text;
  throw new Error(`'${what}' must be ${WANTED}, got ${JSON.stringify(text.slice(0, 200))}`);
}
