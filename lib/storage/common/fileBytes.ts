/**
 * Bytes that a file takes in whole blocks.
 *
 * @param block bytes of a block
 * @param beside bytes for each file next to its data
 */
export const inBlocks =
  (block: number, beside: number) =>
  (bytes: number): number =>
    Math.ceil(bytes / block) * block + beside;
