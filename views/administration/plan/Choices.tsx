import * as planCss from './Plan.module.css'
import * as css from './Workbench.module.css'

/** A choice in the list. `colour` is a CSS colour, shown before the text; `title` a technical name, shown on hover. */
export type Choice<Value> = Readonly<{
  key: string
  text: string
  detail?: string
  colour?: string
  title?: string
  isCurrent?: boolean
  value: Value
}>

/** A list of buttons for choosing one value. */
export function Choices<Value>({
  label,
  choices,
  onChoose,
}: {
  label: string
  choices: readonly Choice<Value>[]
  onChoose: (value: Value) => void
}) {
  return (
    <ul className={planCss['people']} aria-label={label}>
      {choices.map(({ key, text, detail, colour, title, isCurrent = false, value }) => (
        <li key={key}>
          <button
            type="button"
            className={planCss['template']}
            title={title}
            aria-current={isCurrent || undefined}
            onClick={() => onChoose(value)}
          >
            <span className={planCss['path']}>
              {colour !== undefined && (
                <span aria-hidden="true" className={css['swatch']} style={{ background: colour }} />
              )}
              {text}
            </span>
            {detail !== undefined && <span className={planCss['quiet']}>{detail}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
