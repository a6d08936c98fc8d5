/**
 * Bytes that a file takes in whole blocks.
 *
 * @param block bytes of a block
 * @param beside bytes for each file beside its data
 */
export const inBlocks =
  (block: number, beside: number) =>
  (bytes: number): number =>
    Math.ceil(bytes / block) * block + beside;
