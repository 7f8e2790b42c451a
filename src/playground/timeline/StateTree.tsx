import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brief, partsOf } from './logReading.ts'
import * as css from './timeline.module.css'

/** So many parts of one list are drawn. */
const PARTS = 60
const NOTHING: unique symbol = Symbol('nothing')

/**
 * Plain data as a tree. What is another than in `before` is marked, and unfolded as long as the person does not say
 * otherwise; what a person unfolded stays so when other data of the same shape take its place.
 */
export function StateTree({ value, before }: { value: unknown; before: unknown }) {
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, boolean>>(new Map())
  return (
    <ul className={css.tree}>
      <Parts
        path=""
        value={value}
        before={before}
        unfolded={unfolded}
        onUnfold={(path, isOpen) => setUnfolded((known) => new Map(known).set(path, isOpen))}
      />
    </ul>
  )
}

type Unfolding = Readonly<{
  unfolded: ReadonlyMap<string, boolean>
  onUnfold: (path: string, isOpen: boolean) => void
}>

function Parts({
  path,
  value,
  before,
  ...unfolding
}: { path: string; value: unknown; before: unknown } & Unfolding) {
  const { t } = useTranslation()
  const parts = partsOf(value)
  const former = new Map(partsOf(before))
  const gone = [...former].filter(([name]) => !parts.some(([known]) => known === name))
  return (
    <>
      {parts.slice(0, PARTS).map(([name, part]) => (
        <Part
          key={name}
          name={name}
          path={`${path}/${name}`}
          value={part}
          before={former.has(name) ? former.get(name) : NOTHING}
          {...unfolding}
        />
      ))}
      {parts.length > PARTS && <li>{t('timeline.more', { count: parts.length - PARTS })}</li>}
      {gone.slice(0, PARTS).map(([name, part]) => (
        <li key={name}>
          <del>
            {name}: {brief(part)}
          </del>
        </li>
      ))}
    </>
  )
}

function Part(props: { name: string; path: string; value: unknown; before: unknown } & Unfolding) {
  const { name, path, value, before, unfolded, onUnfold } = props
  const { t } = useTranslation()
  const isChanged = value !== before
  if (partsOf(value).length === 0)
    return (
      <li>
        <span className={css.name}>{name}: </span>
        {isChanged ? (
          <>
            {before !== NOTHING && <del>{literal(before)}</del>} <ins>{literal(value)}</ins>
          </>
        ) : (
          literal(value)
        )}
      </li>
    )
  const isOpen = unfolded.get(path) ?? isChanged
  return (
    <li>
      <details open={isOpen}>
        <summary
          onClick={(event) => {
            // The state says what is open, or an unfolded part would close itself at the next event.
            event.preventDefault()
            onUnfold(path, !isOpen)
          }}
        >
          <span className={isChanged ? css.changedName : css.name}>{name}</span>
          {isChanged && <span className={css.changed}>{t('timeline.changed')}</span>}
          {!isOpen && <span className={css.brief}>{brief(value)}</span>}
        </summary>
        {isOpen && (
          <ul className={css.tree}>
            <Parts path={path} value={value} before={before} unfolded={unfolded} onUnfold={onUnfold} />
          </ul>
        )}
      </details>
    </li>
  )
}

/** A value without parts. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null) return '{}'
  return typeof value === 'string' ? JSON.stringify(brief(value)) : String(value)
}
