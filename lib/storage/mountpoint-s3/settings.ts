/** The property that each setting is. */
export const S3_PROPERTIES = { s3PartMiB: 'partMiB' } as const;
