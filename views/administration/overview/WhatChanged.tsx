import { useMemo, useState } from 'react'
import {
  type ComparedSignature,
  needFormats,
  compareSignatures,
  type ComparedReleases,
} from '../../../streams/administration/overview/comparison.ts'
import { HistoryComparison } from '../../../streams/administration/overview/events.ts'
import { idleStatus } from '../../../streams/kernel/load.ts'
import type { NumberedRelease } from '../../../streams/organisation/facts/history.ts'
import { useTools } from '../../shared/tools.tsx'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { useShowMore } from '../parts/more.tsx'
import { useShownFormats } from '../parts/values.ts'
import { pictureBaseAddress } from '../parts/shown.ts'
import { Loaded } from '../parts/Loaded.tsx'
import { useReleaseName } from '../parts/ReleaseId.tsx'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './History.module.css'

/** The changes in a release. Loads and shows them when it is unfolded. */
export function WhatChanged({ published }: { published: NumberedRelease }) {
  const t = useTexts()
  const record = useGesture()
  const nameOf = useReleaseName()
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={css['changes']}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open)
        if (open) record(HistoryComparison.opened({ number: published.number }))
      }}
    >
      <summary aria-label={t('overview.change.of', { release: nameOf(published) })}>
        {t('overview.change.title')}
      </summary>
      {isOpen && (
        <>
          <Unfolded number={published.number} />
          <p className={textCss['quiet']}>
            {t('overview.change.id')} <code>{published.release}</code>
          </p>
        </>
      )}
    </details>
  )
}

function Unfolded({ number }: { number: number }) {
  const load = useAdministrationState(({ comparison }) => comparison[number] ?? idleStatus)
  return (
    <Loaded load={load} role="Signet.Read">
      {(compared) => <Changes compared={compared} />}
    </Loaded>
  )
}

const SIGNATURES_SHOWN = 3

function Changes({ compared }: { compared: ComparedReleases }) {
  const t = useTexts()
  const { imageOrigins } = useTools()
  const pictures = pictureBaseAddress(imageOrigins)
  const { formats } = useShownFormats(useMemo(() => needFormats(compared), [compared]))
  const changes = useMemo(() => compareSignatures(compared, pictures, formats), [compared, pictures, formats])
  const [shown, more] = useShowMore(changes, SIGNATURES_SHOWN)
  const { before, person } = compared
  return (
    <>
      {before === null && <p>{t('overview.change.first')}</p>}
      {changes.length === 0 ? (
        <p>{t('overview.change.none')}</p>
      ) : (
        <p className={textCss['quiet']}>
          {person === null
            ? t('overview.change.sample')
            : t('overview.change.as', { address: person.addresses[0] ?? person.id })}
        </p>
      )}
      {shown.map((change) => (
        <Change key={`${change.kind} ${change.id}`} change={change} />
      ))}
      {more}
    </>
  )
}

/** One signature before and after. Shows it once if it looks the same for the person. */
function Change({ change: { name, kind, use, before, after } }: { change: ComparedSignature }) {
  const t = useTexts()
  const isSame = before === after
  const sides = [
    ...(kind === 'added' || isSame ? [] : [{ when: t('plan.result.before'), html: before }]),
    ...(kind === 'removed'
      ? []
      : [{ when: t(isSame ? 'overview.change.same' : 'plan.result.after'), html: after }]),
  ]
  return (
    <section aria-label={name}>
      <h2>
        {name} <span className={textCss['mark']}>{t(`overview.change.${kind}`)}</span>
      </h2>
      <div className={css['pair']}>
        {sides.map(({ when, html }) => (
          <figure key={when}>
            <figcaption className={textCss['quiet']}>{when}</figcaption>
            {html === null ? (
              <p className={textCss['quiet']}>{t('plan.result.absent')}</p>
            ) : (
              <SignatureFrame
                html={html}
                title={t('plan.result.frame', { name, use: t(`plan.use.${use}`), when })}
              />
            )}
          </figure>
        ))}
      </div>
    </section>
  )
}
