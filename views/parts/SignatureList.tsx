import type { SignatureList as LoadedList } from '../../streams/signatures/list.ts'
import { Defaults } from '../../streams/defaults/events.ts'
import { useId } from 'react'
import { selectDestination } from '../../streams/mailbox/selectors.ts'
import { type Failure, passes } from '../../streams/kernel/failure.ts'
import { failureOf } from '../../streams/kernel/load.ts'
import { selectList, selectRefreshFailure } from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useRetry } from '../hooks/loading.ts'
import { bringIntoSight } from '../hooks/seen.ts'
import { explainFailure } from '../text/failure.ts'
import { useTexts } from '../text/texts.ts'
import { Chooser } from './Chooser.tsx'
import { Folders } from './Folders.tsx'
import { AtFoot } from './Foot.tsx'
import { FailureNotice } from './Notice.tsx'
import { SkeletonSignature } from './Skeleton.tsx'
import * as css from './SignatureList.module.css'

const selectOwn = selectList('own')
const selectDelegated = selectList('delegated')

/** An empty list that is loading, or waits for the sign-in. */
const isLoading = ({ load: { status }, entries }: LoadedList, isSignedIn: boolean): boolean =>
  entries.length === 0 && (status === 'pending' || (status === 'idle' && !isSignedIn))

/** Which list: the one below the message, that of all signatures on its own, or only those that others share. */
export type Folder = 'mine' | 'all' | 'shared'

const HEADINGS = { mine: 'list.heading', all: 'list.all', shared: 'list.shared' } as const

/** The user's signatures and those that others share, to choose from. */
export function SignatureList({ folder }: { folder: Folder }) {
  const Heading = folder === 'mine' ? 'h2' : 'h1'
  const shared = folder === 'shared'
  const t = useTexts()
  const headingId = useId()
  const own = useAppState(selectOwn)
  const delegated = useAppState(selectDelegated)
  const isSignedIn = useAppState(({ auth }) => auth.status === 'success')

  const destination = useAppState(selectDestination)
  const mayHaveNone = destination === 'ready'

  const lists = shared ? [delegated] : [own, delegated]
  const hasEntries = lists.some(({ entries }) => entries.length > 0)
  const isWaiting =
    !hasEntries && (isLoading(lists[0] ?? own, isSignedIn) || (!shared && own.load.status === 'idle'))
  const isEmpty =
    !hasEntries &&
    !isWaiting &&
    lists.every(({ load: { status } }) => status !== 'fail' && status !== 'pending')
  const offset = lists.reduce((sum, list) => sum + list.offset, 0)
  const total = lists.reduce((sum, list) => sum + list.total, 0)

  return (
    <section
      aria-labelledby={headingId}
      aria-busy={isWaiting || lists.some(({ load }) => load.status === 'pending')}
      className={css['section']}
    >
      <div className={css['head']}>
        <Heading id={headingId}>{t(HEADINGS[folder])}</Heading>
        {offset < total && <span className={css['count']}>{t('list.count', { shown: offset, total })}</span>}
      </div>
      <Folders />
      {isEmpty && (
        <div className={css['empty']}>
          <p>{t('list.empty')}</p>
          <p className={css['quiet']}>{t('list.emptyAction')}</p>
        </div>
      )}
      {isWaiting && <span className={css['unseen']}>{t('list.loading')}</span>}
      {isWaiting && !mayHaveNone && (
        <div className={css['loading']}>
          <div className={css['search']} aria-hidden="true" />
          <SkeletonSignature />
          <SkeletonSignature />
          <SkeletonSignature />
        </div>
      )}
      <DefaultsNotChanged />
      {/* The option for no signature needs no list. */}
      {(hasEntries || mayHaveNone) && (
        <Chooser labelledBy={headingId} isWaiting={isWaiting} shared={shared} />
      )}
      <NotLoaded own={shared ? null : own} delegated={delegated} />
    </section>
  )
}

/** Why a list could not be loaded: one notice for both lists. */
function NotLoaded({ own, delegated }: { own: LoadedList | null; delegated: LoadedList }) {
  const retry = useRetry()
  const ofRefresh = useAppState(selectRefreshFailure)
  if (ofRefresh && (own ?? delegated).entries.length > 0) return <StaleList failure={ofRefresh} />
  const ofOwn = own ? (failureOf(own.load) ?? ofRefresh) : null
  const failure = ofOwn ?? failureOf(delegated.load) ?? ofRefresh
  if (!failure) return null
  const missing = own && own.entries.length > 0 ? 'notice.moreFailed' : 'notice.listFailed'
  return (
    <FailureNotice
      title={ofOwn ? missing : 'notice.sharedFailed'}
      failure={failure}
      purpose="load"
      onRetry={retry}
    />
  )
}

/**
 * The list could not be refreshed, and the last one stays in use. Drawn at the foot, beside its age: there it is in
 * sight and moves no row.
 */
function StaleList({ failure }: { failure: Failure }) {
  const t = useTexts()
  const { what, action, values } = explainFailure(failure, 'load')
  return (
    <AtFoot>
      <div role="alert" className={css['stale']}>
        <p className={css['title']}>{t('notice.listStale')}</p>
        <p>
          {t(what, values)} {passes(failure) ? t('notice.refreshesItself') : t(action, values)}
        </p>
      </div>
    </AtFoot>
  )
}

const NOT_CHANGED = {
  master: 'notice.defaultNotChanged',
  reply: 'notice.replyDefaultNotChanged',
  sender: 'notice.senderChoiceNotChanged',
} as const

/** The changes of a default that failed: at most one for new messages, one for replies, and one for each sender. */
function DefaultsNotChanged() {
  const record = useRecord()
  const refused = useAppState(({ defaults }) => defaults.refused)
  return refused.map(({ change, failure }) => (
    <div key={change.id} ref={bringIntoSight}>
      <FailureNotice
        title={NOT_CHANGED[change.use]}
        failure={failure}
        purpose="setDefault"
        onRetry={() => {
          if (change.use === 'sender') {
            const { address, combinedIds } = change
            record(Defaults.senderChoiceRequested({ address, combinedIds }))
          } else {
            const { use, combinedIds } = change
            record(Defaults.changeRequested({ use, combinedIds }))
          }
        }}
      />
    </div>
  ))
}
