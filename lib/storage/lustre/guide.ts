/** The address of a page of the FSx for Lustre user guide, as the source of a figure that users see. */
export const guide = (page: string): string => `https://docs.aws.amazon.com/fsx/latest/LustreGuide/${page}.html`;
