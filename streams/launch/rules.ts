import type { LaunchAppState } from './state.ts'
import { selectDefaultSignature } from '../message/defaults/selectors.ts'
import { dueInsertionIn } from '../message/insertion/rules.ts'
import { assertNever } from '../kernel/event.ts'
import { type Failure, isTemporary } from '../kernel/failure.ts'
import { idsOfDefaults, areAudiencesKnown } from '../message/senders/rules.ts'
import { itemWithoutTurn, selectDueSignature } from '../message/senders/selectors.ts'
import { noSenders } from '../message/senders/senders.ts'
import { unreadThreadIn } from '../message/senders/thread.ts'
import type { LaunchEnd, LaunchId, LaunchOutcome } from './events.ts'
import { FRESH_COPY_MS } from '../wire/freshCopy.ts'
import { activeGuardIn } from './guard.ts'
import type { LaunchNotice } from './record.ts'
import type { PendingLaunch } from './reducer.ts'

/** The time limit of one launch event. Outlook allows 300 s, on phones 60 s. */
export const LAUNCH_LIMIT_MS = 40_000
/** The time limit before sending. The user waits for it, so after this time the message is sent unchanged. */
export const SEND_LIMIT_MS = 2_000

/** Whether an insertion is due or under way, or may be due once the message's number is read. */
const isBusy = (state: LaunchAppState): boolean => {
  const { latest } = state.insertion
  return (
    (latest !== null && !latest.settled) || itemWithoutTurn(state) !== null || dueInsertionIn(state) !== null
  )
}

/** Whether all data are read that an insertion, or the check before sending, depends on. */
export const isMessageDataRead = (state: LaunchAppState): boolean =>
  state.mailbox.message !== null &&
  state.launch.isCacheRead &&
  state.launch.unread.length === 0 &&
  state.settings.status === 'success' &&
  unreadThreadIn(state) === null

/** Whether the user chose a signature for the message, or none, so that nothing is inserted automatically. */
const isLeftToPerson = ({ mailbox, insertion }: LaunchAppState): boolean =>
  mailbox.message?.stopPush === true || (insertion.inMessage?.reason.origin ?? 'default') !== 'default'

/** Whether the copy has the audiences of its default. A pane may have stored the copy before it read them. */
const isComplete = (state: LaunchAppState): boolean =>
  areAudiencesKnown(state.senders.known ?? noSenders, idsOfDefaults(selectDefaultSignature(state)))

/**
 * Whether to request the default from the service, once for all events: if no insertion is due or under way, and the
 * copy is missing, incomplete, or was old at the latest event.
 */
export function mayRefreshDefault(state: LaunchAppState): boolean {
  const { launch, settings } = state
  const latest = launch.raised.at(-1)
  if (!latest || latest.isLate || launch.refresh.status !== 'idle' || !isMessageDataRead(state)) return false
  if (!settings.enableSignaturePush || isLeftToPerson(state) || isBusy(state)) return false
  return launch.cachedAt === null || latest.at - launch.cachedAt > FRESH_COPY_MS || !isComplete(state)
}

/** Codes of a sign-in that failed because a server was unreachable or too busy. */
const UNREACHABLE: readonly string[] = [
  'endpoints_resolution_error',
  'server_unavailable',
  'token_renewal_error',
  'host_13006',
  'host_13007',
  'host_13008',
  'host_13010',
  'host_13013',
]

const isUnreachable = (failure: Failure): boolean =>
  isTemporary(failure) ||
  failure.kind === 'hostSilent' ||
  (failure.kind === 'auth' && UNREACHABLE.includes(failure.code))

/**
 * Whether only the user can resolve this failure, by signing in. A retry without the user would fail in the same way.
 */
export const needsSignIn = (failure: Failure): boolean =>
  (failure.kind === 'auth' && !isUnreachable(failure)) ||
  (failure.kind === 'http' && (failure.status === 401 || failure.status === 403))

const ofFailure = (failure: Failure): LaunchOutcome => {
  if (failure.kind === 'itemGone') return 'itemGone'
  if (needsSignIn(failure)) return 'signInNeeded'
  return isUnreachable(failure) ? 'offline' : 'failed'
}

const isSuperseded = (raised: readonly PendingLaunch[], { id, kind }: PendingLaunch): boolean =>
  kind === 'recipientsChanged' && raised.some((other) => other.kind === kind && other.id > id)

/** The outcome of an event when no insertion is due or under way. */
function outcomeOfWork(state: LaunchAppState, { seq }: PendingLaunch): LaunchOutcome {
  const { insertion, launch } = state
  const { latest, inMessage } = insertion
  if (latest?.attempt.status === 'fail')
    return latest.attempt.failure.kind === 'itemGone' ? 'itemGone' : 'failed'
  if (latest !== null && latest.id > seq && inMessage?.hash === latest.hash) return 'inserted'
  if (isLeftToPerson(state)) return 'leftToPerson'
  if (!state.settings.enableSignaturePush) return 'none'
  if (inMessage !== null) return 'already'
  if (launch.cachedAt === null)
    return launch.refresh.status === 'fail' ? ofFailure(launch.refresh.failure) : 'failed'
  return 'none'
}

/** The outcome before sending: known at once if there is nothing to look for. */
function outcomeOfLook(state: LaunchAppState): LaunchEnd | null {
  const { launch, settings } = state
  if (launch.missing !== null) return launch.missing.length > 0 ? 'asked' : 'none'
  const isKnown = launch.isCacheRead && settings.status === 'success'
  return isKnown && activeGuardIn(state) === null ? 'none' : null
}

/**
 * The outcome of a launch event; null before its end. It is derived from the state, because no event reports that no
 * insertion is due.
 */
export function launchOutcomeOf(state: LaunchAppState, id: LaunchId): LaunchEnd | null {
  const { launch, mailbox, insertion } = state
  const event = launch.raised.find((each) => each.id === id)
  if (!event) return null
  if (event.isLate) return 'late'
  if (isSuperseded(launch.raised, event)) return 'superseded'
  if (mailbox.item === null || mailbox.item?.mode === 'read') return 'itemGone'
  if (event.kind === 'send') return outcomeOfLook(state)
  const { latest } = insertion
  if (latest?.settled === true && latest.attempt.status === 'fail') return outcomeOfWork(state, event)
  if (!isMessageDataRead(state) || isBusy(state)) return null
  if (launch.refresh.status === 'pending' || launch.isStoring || mayRefreshDefault(state)) return null
  return outcomeOfWork(state, event)
}

/** The notice for this outcome; null when all is well, or when the user can do nothing about it. */
export function launchNoticeFor(state: LaunchAppState, outcome: LaunchOutcome): LaunchNotice | null {
  switch (outcome) {
    case 'signInNeeded':
    case 'offline':
      return { kind: outcome }
    case 'failed':
    case 'late': {
      // While the signature of a reply version is unknown, the notice names the default.
      const due = selectDueSignature(state)
      const signature = due?.name || selectDefaultSignature(state)?.name
      return signature
        ? { kind: 'notInserted', signature, reply: due?.name === signature && due.reply }
        : { kind: 'offline' }
    }
    case 'leftToPerson': {
      const address = otherSenderOf(state)
      return address === null ? null : { kind: 'otherSender', address }
    }
    case 'inserted':
    case 'already':
    case 'none':
    case 'superseded':
    case 'itemGone':
      return null
    default:
      return assertNever(outcome)
  }
}

/** The sender's address if the sender has signatures and the user chose another owner's signature; otherwise null. */
function otherSenderOf({ launch, mailbox, insertion, senders }: LaunchAppState): string | null {
  const from = mailbox.message?.from?.address
  const chosen = insertion.inMessage?.combinedIds
  if (!from || !chosen || !launch.raised.some(({ kind }) => kind === 'fromChanged')) return null
  const others = senders.known?.others ?? []
  const isFromSender = ({ owner }: Readonly<{ owner: string }>) => owner.toLowerCase() === from.toLowerCase()
  const isTheirs = others.some((each) => each.combinedIds === chosen && isFromSender(each))
  return others.some(isFromSender) && !isTheirs ? from : null
}
