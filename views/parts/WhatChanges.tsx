import type { Content } from '../../streams/signatures/signature.ts'
import { selectShownInMessage } from '../../streams/insertion/selectors.ts'
import { useId, useMemo } from 'react'
import { changeBetween } from '../../streams/html/change.ts'
import type { SignatureEntry } from '../../streams/signatures/entry.ts'
import type { Sanitize } from '../../streams/html/plan.ts'
import { useAppState } from '../hooks/app.tsx'
import { useSanitizer } from '../hooks/sanitizer.ts'
import { useTexts } from '../text/texts.ts'
import * as css from './WhatChanges.module.css'

const MARKS = { added: '+', removed: '−', same: '' } as const

/** What changes when this entry replaces the signature in the message: text, pictures, size. */
export function WhatChanges({ entry }: { entry: SignatureEntry }) {
  const t = useTexts()
  const shown = useAppState(selectShownInMessage)
  const sanitize = useSanitizer()
  const before = shown?.content ?? null
  if (before?.html === entry.html) return <p>{t('change.nothing')}</p>
  if (sanitize === 'failed') return <p>{t('preview.unavailable')}</p>
  if (sanitize === null) return null
  return (
    <>
      {shown !== null && before === null && <p className={css['quiet']}>{t('change.unknown')}</p>}
      <Changes before={before} after={entry} sanitize={sanitize} />
    </>
  )
}

/** Compares both as they are inserted: sanitised. */
function Changes({
  before,
  after,
  sanitize,
}: {
  before: Content | null
  after: Content
  sanitize: Sanitize
}) {
  const t = useTexts()
  const textId = useId()
  const picturesId = useId()
  const { lines, imagesAdded, imagesRemoved, bytesBefore, bytesAfter } = useMemo(() => {
    const clean = ({ html, images }: Content): Content => ({ html: sanitize(html, 'insert'), images })
    return changeBetween(before && clean(before), clean(after))
  }, [before, after, sanitize])
  const pictures = [
    ...imagesRemoved.map((name) => ({ kind: 'removed', text: name }) as const),
    ...imagesAdded.map((name) => ({ kind: 'added', text: name }) as const),
  ]
  return (
    <>
      <section className={css['part']} aria-labelledby={textId}>
        <h3 id={textId}>{t('change.text')}</h3>
        {lines.every(({ kind }) => kind === 'same') ? (
          <p className={css['quiet']}>{t('change.sameText')}</p>
        ) : (
          <Lines lines={lines} />
        )}
      </section>
      <section className={css['part']} aria-labelledby={picturesId}>
        <h3 id={picturesId}>{t('change.pictures')}</h3>
        {pictures.length === 0 ? (
          <p className={css['quiet']}>{t('change.samePictures')}</p>
        ) : (
          <Lines lines={pictures} />
        )}
      </section>
      <p>
        <span className={css['term']}>{t('change.size')}</span>{' '}
        {t('change.bytes', { before: bytesBefore / 1000, after: bytesAfter / 1000 })}
      </p>
    </>
  )
}

/** The lines of a comparison. A sign marks the added and removed ones; screen readers read words instead. */
function Lines({
  lines,
}: {
  lines: readonly Readonly<{ kind: 'same' | 'added' | 'removed'; text: string }>[]
}) {
  const t = useTexts()
  return (
    <ul className={css['lines']}>
      {lines.map(({ kind, text }, index) => (
        <li key={index} className={css[kind]}>
          <span aria-hidden="true" className={css['mark']}>
            {MARKS[kind]}
          </span>
          <span className={css['text']}>
            {kind !== 'same' && (
              <span className={css['unseen']}>
                {t(kind === 'added' ? 'change.added' : 'change.removed')}:{' '}
              </span>
            )}
            {text}
          </span>
        </li>
      ))}
    </ul>
  )
}
