declare module '*/pane.css'

declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>
  export = classNames
}

/** An icon: the bundler makes a component of the file. */
declare module '*.svg' {
  import type { FunctionComponent, SVGProps } from 'react'
  const Icon: FunctionComponent<SVGProps<SVGSVGElement>>
  export = Icon
}
