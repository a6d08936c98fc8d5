/**
 * Colours of arms, in their order, on paper: Okabe–Ito, darkened until text and marks stand out. Reports and dashboards share them, so that an arm
 * looks the same on both.
 */
export const ARM_COLOURS = ['#0068a8', '#c04f00', '#00785a', '#a3447c', '#7a6500', '#44484d'] as const;
