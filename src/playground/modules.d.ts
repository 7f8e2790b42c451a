/** The tokens of the theme, imported for what they do. */
declare module '*/theme.css' {}
