import { changesOnlyBlocks } from '../../../streams/message/insertion/automatic.ts'
import { selectNewerVersion } from '../../../streams/pane/insertion/selectors.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import type { DefaultChange } from '../../../streams/message/defaults/state.ts'
import type { SignatureVersion } from '../../../streams/message/signatures/entry.ts'
import { REPLY_VERSION } from '../../../streams/wire/signatures.ts'
import { hasSameBlocks } from '../../../streams/message/signatures/blocks.ts'
import { selectEntry, selectSignatureInMessage } from '../../../streams/pane/signatures/selectors.ts'
import { useAppState } from '../app.tsx'
import { useBlocks } from '../blocks.ts'
import { blocksText } from '../text/blocks.ts'
import { presentSignatureName, signatureName } from '../text/signatureName.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import * as textCss from '../../shared/Text.module.css'

/** The signature that was copied last; null if none was copied. */
const selectCopied = (state: AppState): SignatureVersion | null => {
  const { copy } = state.signatures
  return copy?.attempt.status === 'success' ? selectEntry(copy.entryId)(state) : null
}

function useSignedIn(): string | null {
  const t = useTexts()
  const email = useAppState(({ auth }) =>
    auth.status === 'success' && auth.asked ? auth.session.email : null,
  )
  return email === null ? null : t('signIn.done', { email })
}

/**
 * Whether only the blocks of the signature changed. Always true for an automatic update of a signature that the user
 * chose.
 */
const selectHasOtherBlocks = ({ insertion: { latest, inMessage, previous } }: AppState): boolean =>
  latest?.target.kind === 'default' &&
  inMessage !== null &&
  (changesOnlyBlocks(latest.target, inMessage) ||
    (previous?.inMessage?.combinedIds === inMessage.combinedIds &&
      !hasSameBlocks(previous.inMessage, inMessage)))

function useInserted(): string | null {
  const t = useTexts()
  const inMessage = useAppState((state) =>
    state.insertion.latest?.attempt.status === 'success' ? selectSignatureInMessage(state) : null,
  )
  const blocks = blocksText(useBlocks(inMessage ?? {}), t)
  const isNewVersion = useAppState(({ insertion }) => insertion.latest?.replacesOlder === true)
  const hasOtherBlocks = useAppState(selectHasOtherBlocks)
  if (!inMessage) return null
  const { combinedIds, reason } = inMessage
  const name = presentSignatureName(inMessage, t)
  if (combinedIds === '') return t('message.removed')
  if (isNewVersion) return t('message.newVersion')
  if (hasOtherBlocks) return inMessage.blocks ? blocks : t('blocks.gone')
  if (name === '') return t('message.insertedUnnamed')
  const said = t(reason.origin === 'putBack' ? 'message.putBack' : 'message.inserted', { name })
  return blocks === null ? said : `${said} ${blocks}`
}

/** Announces that the pane offers a newer version of the message's signature. */
function useNewerVersion(): string | null {
  const t = useTexts()
  const newer = useAppState(selectNewerVersion)
  return newer && t('message.hasNewer', { name: signatureName(newer, t) })
}

function useCopied(): string | null {
  const t = useTexts()
  const copied = useAppState(selectCopied)
  return copied && t('copy.done', { name: signatureName(copied, t) })
}

/** The entry that the list marks as the new default; null when no list has it. */
const selectChosenDefault = ({ defaults: { made }, signatures }: AppState): SignatureVersion | null => {
  const versions = [...signatures.own.entries, ...signatures.delegated.entries].filter(
    ({ combinedIds }) => combinedIds === made?.combinedIds,
  )
  const ofReplies = made?.use === 'reply' ? versions.find(({ code }) => code === REPLY_VERSION) : undefined
  return ofReplies ?? versions[0] ?? null
}

/** The announcement of a changed default; null when its signature is unknown. */
function changeText(change: DefaultChange, chosen: SignatureVersion | null, t: Translate): string | null {
  if (change.use === 'organisation') return t('defaults.changedOrganisation')
  if (change.use === 'sender' && change.combinedIds === null)
    return t('defaults.changedSenderNone', { sender: change.address })
  if (chosen === null) return null
  const name = signatureName(chosen, t)
  if (change.use === 'sender') return t('defaults.changedSender', { name, sender: change.address })
  return t(change.use === 'master' ? 'defaults.changed' : 'defaults.changedReply', { name })
}

function useDefaultChanged(): string | null {
  const t = useTexts()
  const change = useAppState(({ defaults }) => defaults.made)
  const chosen = useAppState(selectChosenDefault)
  return change && changeText(change, chosen, t)
}

function useRefreshed(): string | null {
  const t = useTexts()
  return useAppState(({ signatures }) => signatures.refresh.status === 'success')
    ? t('lastUpdated.updated')
    : null
}

/**
 * Announces each outcome once to screen readers, with one live region per kind of outcome. A region is cleared when the
 * next outcome of its kind begins, so that the same text is announced again.
 */
export function Announcer() {
  return [
    useSignedIn(),
    useInserted(),
    useNewerVersion(),
    useCopied(),
    useDefaultChanged(),
    useRefreshed(),
  ].map((said, kind) => (
    <p key={kind} role="status" className={textCss['announced']}>
      {said}
    </p>
  ))
}
