import type { ReactElement } from 'react'
import * as textCss from './Text.module.css'
import * as css from './Terms.module.css'

/** A value that is shown as a warning. */
type Warning = Readonly<{ warning: string }>

/** A name and its values. */
export type Term = readonly [name: string, ...values: readonly (string | ReactElement | Warning)[]]

const isWarning = (value: string | ReactElement | Warning): value is Warning =>
  typeof value === 'object' && 'warning' in value

/** A list of names with values: words, small numbers, or large numbers in boxes. */
export function Terms({ look, terms }: { look: 'facts' | 'counts' | 'figures'; terms: readonly Term[] }) {
  return (
    <dl className={css[look]}>
      {terms.map(([name, ...values], place) => (
        <div key={place}>
          <dt>{name}</dt>
          {values.map((value, index) => (
            <dd key={index} className={isWarning(value) ? textCss['warning'] : undefined}>
              {isWarning(value) ? value.warning : value}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
