/**
 * Colours of arms, in their order: Okabe–Ito and six more, darkened or lightened until text and marks stand out. Reports and dashboards
 * share them, so that an arm looks the same on both. Twelve, since a dashboard has no shapes to tell arms of one colour apart.
 */
export const ARM_COLOURS = [
  ...['#0068a8', '#c04f00', '#00785a', '#a3447c', '#7a6500', '#44484d'],
  ...['#5f3dc4', '#0a7f94', '#7d3c14', '#4f7d00', '#c2168f', '#1d2a78'],
] as const;

/** Colours of arms on a dark page. */
export const DARK_ARM_COLOURS = [
  ...['#62b5ec', '#f59a4c', '#45c9a3', '#e69bc6', '#dcc74f', '#b9bec4'],
  ...['#a48cff', '#4fdcf0', '#c98a5e', '#a6d63f', '#ff7ad9', '#8f8f3c'],
] as const;
