import { useId, useMemo } from 'react'
import { changeBetween } from '../../streams/signatures/change.ts'
import type { SignatureEntry } from '../../streams/signatures/entry.ts'
import { selectShownInMessage } from '../../streams/signatures/selectors.ts'
import { useAppState } from '../hooks/app.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './WhatChanges.module.css'

const marks = { added: '+', removed: '−', same: '' } as const

/** What the message would get and lose if this entry took the place of what is in it: words, pictures, size. */
export function WhatChanges({ entry }: { entry: SignatureEntry }) {
  const t = useTexts()
  const textId = useId()
  const picturesId = useId()
  const shown = useAppState(selectShownInMessage)
  const before = shown?.content ?? null
  const change = useMemo(() => changeBetween(before, entry), [before, entry])
  const { lines, imagesAdded, imagesRemoved, bytesBefore, bytesAfter } = change
  const isUnknown = shown !== null && before === null
  if (before?.html === entry.html) return <p>{t('change.nothing')}</p>

  const pictures = [
    ...imagesRemoved.map((name) => ({ kind: 'removed', text: name }) as const),
    ...imagesAdded.map((name) => ({ kind: 'added', text: name }) as const),
  ]
  return (
    <>
      {isUnknown && <p className={css['quiet']}>{t('change.unknown')}</p>}
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

/** The lines of a comparison. A sign in front says which come and which go, for the ear in words. */
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
            {marks[kind]}
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
