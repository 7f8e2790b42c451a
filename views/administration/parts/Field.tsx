import { type ComponentProps, type ReactNode, useId } from 'react'
import * as css from './Field.module.css'
import * as textCss from './Text.module.css'

type About = Readonly<{
  label: string
  hint?: string | undefined
  /** The problem with the value; undefined or null if it is valid. */
  problem?: string | null | undefined
}>
/** The attributes that connect a field to its label, hint and problem. */
type Attributes = Readonly<{
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}>

/** A field with its label above, and its hint and problem below. */
function Labelled({
  label,
  hint,
  problem = null,
  children,
}: About & { children: (attributes: Attributes) => ReactNode }) {
  const id = useId()
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`]
  const describedBy = [...(hint === undefined ? [] : [hintId]), ...(problem === null ? [] : [problemId])]
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy.join(' ') || undefined,
        'aria-invalid': problem === null ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={hintId} className={textCss['quiet']}>
          {hint}
        </p>
      )}
      {problem !== null && (
        <p id={problemId} className={textCss['warning']}>
          {problem}
        </p>
      )}
    </div>
  )
}

type Own<Tag extends 'input' | 'select' | 'textarea'> = Omit<ComponentProps<Tag>, 'id' | 'aria-describedby'>

/** An input with its label above, and its hint and problem below. */
export const Field = ({ label, hint, problem, ...input }: Own<'input'> & About) => (
  <Labelled label={label} hint={hint} problem={problem}>
    {(attributes) => <input {...attributes} {...input} />}
  </Labelled>
)

/** A text area with one value per line. Its height follows the number of lines. */
export const LinesField = ({
  label,
  hint,
  problem,
  value,
  ...area
}: Own<'textarea'> & About & { value: string }) => (
  <Labelled label={label} hint={hint} problem={problem}>
    {(attributes) => (
      <textarea
        {...attributes}
        spellCheck={false}
        autoCapitalize="off"
        rows={Math.min(8, value.split('\n').length + 1)}
        value={value}
        {...area}
      />
    )}
  </Labelled>
)

/** A select field. The choices map each value to its text. */
export const ChoiceField = ({
  label,
  hint,
  problem,
  options,
  ...select
}: Own<'select'> & About & { options: readonly (readonly [value: string, text: string])[] }) => (
  <Labelled label={label} hint={hint} problem={problem}>
    {(attributes) => (
      <select {...attributes} {...select}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)

/** A checkbox with its label beside it and its hint below. */
export const CheckField = ({
  label,
  hint,
  isOn,
  onSwitch,
}: Pick<About, 'label' | 'hint'> & { isOn: boolean; onSwitch: (isOn: boolean) => void }) => {
  const id = useId()
  return (
    <div className={css['check']}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onSwitch(checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={textCss['quiet']}>
          {hint}
        </p>
      )}
    </div>
  )
}
