declare module '*/page.css'

/** The tokens of the theme, imported for its effect. */
declare module '*/theme.css' {}

declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>
  export = classNames
}
