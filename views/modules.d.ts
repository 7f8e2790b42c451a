declare module '*/pane.css'

declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>
  export = classNames
}
