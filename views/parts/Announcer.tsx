import type { AppState } from '../../streams/pane/state.ts'
import type { DefaultChange } from '../../streams/message/defaults/state.ts'
import { selectEntry, selectInMessage } from '../../streams/message/signatures/selectors.ts'
import { useAppState } from '../hooks/app.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as css from './Announcer.module.css'

/** The name of what was copied last; null when nothing was. */
const selectCopied = (state: AppState): string | null => {
  const { copy } = state.signatures
  return copy?.attempt.status === 'success' ? (selectEntry(copy.entryId)(state)?.name ?? null) : null
}

/**
 * Announces each outcome once to screen readers, with one live region per kind of outcome. A region is cleared when the
 * next of its kind begins, so that the same text is announced again.
 */
export function Announcer() {
  return (
    <>
      <SignedIn />
      <Inserted />
      <Copied />
      <DefaultChanged />
      <Refreshed />
    </>
  )
}

function SignedIn() {
  const t = useTexts()
  const email = useAppState(({ auth }) =>
    auth.status === 'success' && auth.asked ? auth.session.email : null,
  )
  return (
    <p role="status" className={css['unseen']}>
      {email !== null && t('signIn.done', { email })}
    </p>
  )
}

function Inserted() {
  const t = useTexts()
  const inMessage = useAppState((state) =>
    state.insertion.latest?.attempt.status === 'success' ? selectInMessage(state) : null,
  )
  const isNewVersion = useAppState(({ insertion }) => insertion.latest?.replacesOlder === true)
  return (
    <p role="status" className={css['unseen']}>
      {inMessage &&
        (inMessage.combinedIds === ''
          ? t('message.removed')
          : isNewVersion
            ? t('message.newVersion')
            : inMessage.name === ''
              ? t('message.insertedUnnamed')
              : t(inMessage.reason.origin === 'putBack' ? 'message.putBack' : 'message.inserted', {
                  name: inMessage.name,
                }))}
    </p>
  )
}

function Copied() {
  const t = useTexts()
  const name = useAppState(selectCopied)
  return (
    <p role="status" className={css['unseen']}>
      {name !== null && t('copy.done', { name })}
    </p>
  )
}

/** The announcement of a changed default; null without the name of its signature. */
function changeText(change: DefaultChange, name: string | null, t: Translate): string | null {
  if (change.use === 'organisation') return t('defaults.changedOrganisation')
  if (change.use === 'sender' && change.combinedIds === null)
    return t('defaults.changedSenderNone', { sender: change.address })
  if (name === null) return null
  if (change.use === 'sender') return t('defaults.changedSender', { name, sender: change.address })
  return t(change.use === 'master' ? 'defaults.changed' : 'defaults.changedReply', { name })
}

function DefaultChanged() {
  const t = useTexts()
  const change = useAppState(({ defaults }) => defaults.made)
  const name = useAppState(
    ({ signatures: { own, delegated } }) =>
      [...own.entries, ...delegated.entries].find(({ combinedIds }) => combinedIds === change?.combinedIds)
        ?.name ?? null,
  )
  return (
    <p role="status" className={css['unseen']}>
      {change && changeText(change, name, t)}
    </p>
  )
}

function Refreshed() {
  const t = useTexts()
  const isDone = useAppState(({ signatures }) => signatures.refresh.status === 'success')
  return (
    <p role="status" className={css['unseen']}>
      {isDone && t('lastUpdated.updated')}
    </p>
  )
}
