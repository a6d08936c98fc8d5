/** With a capital at its beginning. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** With a small letter at its beginning: `FileSystemId` as the name of a property or of a metric in an expression. */
export const camelCase = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
