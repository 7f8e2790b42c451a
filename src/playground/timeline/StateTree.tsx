import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { briefText, valueParts } from './logReading.ts'
import * as css from './timeline.module.css'

/** The maximum number of parts shown for one object or array. */
const MAX_PARTS = 60
/**
 * Changed parts are expanded down to this depth, because a log file may be nested more deeply than HTML elements can
 * be.
 */
const MAX_EXPANDED_DEPTH = 20
const ABSENT: unique symbol = Symbol('absent')

/**
 * Shows plain data as a tree. Parts that differ from `before` are marked, and expanded until the user collapses them.
 * The user's choice also applies to later data at the same paths.
 */
export function StateTree({ value, before }: { value: unknown; before: unknown }) {
  const [expanded, setExpanded] = useState<ReadonlyMap<string, boolean>>(new Map())
  return (
    <ul className={css.tree}>
      <Parts
        path=""
        depth={0}
        value={value}
        before={before}
        expanded={expanded}
        onToggle={(path, isOpen) => setExpanded((known) => new Map(known).set(path, isOpen))}
      />
    </ul>
  )
}

type Expansion = Readonly<{
  expanded: ReadonlyMap<string, boolean>
  onToggle: (path: string, isOpen: boolean) => void
}>

function Parts({
  path,
  depth,
  value,
  before,
  ...expansion
}: { path: string; depth: number; value: unknown; before: unknown } & Expansion) {
  const { t } = useTranslation()
  const parts = valueParts(value)
  const previous = new Map(valueParts(before))
  const names = new Set(parts.map(([name]) => name))
  const removed = [...previous].filter(([name]) => !names.has(name))
  return (
    <>
      {parts.slice(0, MAX_PARTS).map(([name, part]) => (
        <Part
          key={name}
          name={name}
          path={`${path}/${name}`}
          depth={depth}
          value={part}
          before={previous.has(name) ? previous.get(name) : ABSENT}
          {...expansion}
        />
      ))}
      {parts.length > MAX_PARTS && <li>{t('timeline.more', { count: parts.length - MAX_PARTS })}</li>}
      {removed.slice(0, MAX_PARTS).map(([name, part]) => (
        <li key={name}>
          <del>
            {name}: {briefText(part)}
          </del>
        </li>
      ))}
    </>
  )
}

function Part(
  props: { name: string; path: string; depth: number; value: unknown; before: unknown } & Expansion,
) {
  const { name, path, depth, value, before, expanded, onToggle } = props
  const { t } = useTranslation()
  const isChanged = value !== before
  if (valueParts(value).length === 0)
    return (
      <li>
        <span className={css.name}>{name}: </span>
        {isChanged ? (
          <>
            {before !== ABSENT && <del>{literal(before)}</del>} <ins>{literal(value)}</ins>
          </>
        ) : (
          literal(value)
        )}
      </li>
    )
  const isOpen = expanded.get(path) ?? (isChanged && depth < MAX_EXPANDED_DEPTH)
  return (
    <li>
      <details open={isOpen}>
        <summary
          onClick={(event) => {
            // React controls `open`; the browser must not toggle it as well.
            event.preventDefault()
            onToggle(path, !isOpen)
          }}
        >
          <span className={isChanged ? css.changedName : css.name}>{name}</span>
          {isChanged && <span className={css.changed}>{t('timeline.changed')}</span>}
          {!isOpen && <span className={css.brief}>{briefText(value)}</span>}
        </summary>
        {isOpen && (
          <ul className={css.tree}>
            <Parts
              path={path}
              depth={depth + 1}
              value={value}
              before={before}
              expanded={expanded}
              onToggle={onToggle}
            />
          </ul>
        )}
      </details>
    </li>
  )
}

/** The text of a value that has no parts. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null) return '{}'
  return typeof value === 'string' ? JSON.stringify(briefText(value)) : String(value)
}
