import type { AppState } from '../../streams/pane/state.ts'
import type { DefaultChange } from '../../streams/message/defaults/state.ts'
import { selectEntry, selectInMessage } from '../../streams/message/signatures/selectors.ts'
import { useAppState } from '../hooks/app.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as textCss from './Text.module.css'

/** The name of the signature that was copied last; null when none was copied. */
const selectCopied = (state: AppState): string | null => {
  const { copy } = state.signatures
  return copy?.attempt.status === 'success' ? (selectEntry(copy.entryId)(state)?.name ?? null) : null
}

function useSignedIn(): string | null {
  const t = useTexts()
  const email = useAppState(({ auth }) =>
    auth.status === 'success' && auth.asked ? auth.session.email : null,
  )
  return email === null ? null : t('signIn.done', { email })
}

function useInserted(): string | null {
  const t = useTexts()
  const inMessage = useAppState((state) =>
    state.insertion.latest?.attempt.status === 'success' ? selectInMessage(state) : null,
  )
  const isNewVersion = useAppState(({ insertion }) => insertion.latest?.replacesOlder === true)
  if (!inMessage) return null
  const { combinedIds, name, reason } = inMessage
  if (combinedIds === '') return t('message.removed')
  if (isNewVersion) return t('message.newVersion')
  if (name === '') return t('message.insertedUnnamed')
  return t(reason.origin === 'putBack' ? 'message.putBack' : 'message.inserted', { name })
}

function useCopied(): string | null {
  const t = useTexts()
  const name = useAppState(selectCopied)
  return name === null ? null : t('copy.done', { name })
}

/** The announcement of a changed default; null when the name of its signature is unknown. */
function changeText(change: DefaultChange, name: string | null, t: Translate): string | null {
  if (change.use === 'organisation') return t('defaults.changedOrganisation')
  if (change.use === 'sender' && change.combinedIds === null)
    return t('defaults.changedSenderNone', { sender: change.address })
  if (name === null) return null
  if (change.use === 'sender') return t('defaults.changedSender', { name, sender: change.address })
  return t(change.use === 'master' ? 'defaults.changed' : 'defaults.changedReply', { name })
}

function useDefaultChanged(): string | null {
  const t = useTexts()
  const change = useAppState(({ defaults }) => defaults.made)
  const name = useAppState(
    ({ signatures: { own, delegated } }) =>
      [...own.entries, ...delegated.entries].find(({ combinedIds }) => combinedIds === change?.combinedIds)
        ?.name ?? null,
  )
  return change && changeText(change, name, t)
}

function useRefreshed(): string | null {
  const t = useTexts()
  return useAppState(({ signatures }) => signatures.refresh.status === 'success')
    ? t('lastUpdated.updated')
    : null
}

/**
 * Announces each outcome once to screen readers, with one live region per kind of outcome. A region is cleared when the
 * next of its kind begins, so that the same text is announced again.
 */
export function Announcer() {
  return [useSignedIn(), useInserted(), useCopied(), useDefaultChanged(), useRefreshed()].map(
    (said, kind) => (
      <p key={kind} role="status" className={textCss['announced']}>
        {said}
      </p>
    ),
  )
}
