declare module '*/page.css'

/** The theme's tokens, imported only for their side effect. */
declare module '*/theme.css' {}

declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>
  export = classNames
}
