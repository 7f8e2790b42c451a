import { useId } from 'react'
import * as textCss from './Text.module.css'
import * as css from './Segments.module.css'

/** Radio buttons that look like one control. Screen readers read the `name` of the control. */
export function Segments<Value extends string>({
  name,
  texts,
  chosen,
  onChoose,
}: {
  name: string
  texts: Readonly<Record<Value, string>>
  chosen: Value
  onChoose: (value: Value) => void
}) {
  const group = useId()
  return (
    <fieldset className={css['segments']}>
      <legend className={textCss['unseen']}>{name}</legend>
      {(Object.keys(texts) as Value[]).map((each) => (
        <label key={each}>
          <input
            type="radio"
            className={textCss['unseen']}
            name={group}
            checked={each === chosen}
            onChange={() => onChoose(each)}
          />
          <span>{texts[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
