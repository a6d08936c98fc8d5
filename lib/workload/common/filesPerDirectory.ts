/**
 * Files of a directory up to which AWS advises to stay on PERSISTENT_2. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html
 */
export const FILES_PER_DIRECTORY = 100_000;
