import type { AuthEvent } from '../auth/events.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import { ask, askAgain, failed, type Load, neverLoaded } from '../kernel/load.ts'
import type { PictureEvent, PictureRefusal, PreparedPicture } from './events.ts'

/** What the person offered, and how far it got; `id` is the `seq` of the event that offered it. */
export type Offer =
  | Readonly<{ status: 'preparing'; id: number }>
  | Readonly<{ status: 'ready'; id: number; picture: PreparedPicture }>
  | Readonly<{ status: 'refused'; id: number; refusal: PictureRefusal }>

/** `url` is the picture as it is saved; `change` is the saving or deleting, the last one or the one under way. */
export type PictureState = Load &
  Readonly<{
    url: string | null
    offer: Offer | null
    change: Readonly<{
      kind: 'save' | 'delete'
      status: 'pending' | 'success' | 'fail'
      failure: Failure | null
    }> | null
  }>

export const initialPicture: PictureState = { ...neverLoaded, url: null, offer: null, change: null }

type Change = NonNullable<PictureState['change']>

const withChange = (
  state: PictureState,
  kind: Change['kind'],
  status: Change['status'],
  failure: Failure | null,
): PictureState => {
  const change: Change = { kind, status, failure }
  return withChanges(state, { change: state.change ? withChanges(state.change, change) : change })
}

const withUrl = (state: PictureState, url: string | null, offer: Offer | null): PictureState =>
  withChanges(state, { status: 'success', failure: null, url, offer })

export function evolvePicture(
  state: PictureState,
  event: Recorded<PictureEvent | Extract<AuthEvent, { type: 'auth/signedOut' }>>,
): PictureState {
  switch (event.type) {
    case 'picture/loadRequested':
      return ask(state, event.meta.seq)
    case 'picture/reloadRequested':
      return askAgain(state, event.meta.seq)
    case 'picture/loaded':
      // An answer that comes after a change was asked for before it.
      return state.status === 'pending'
        ? withChanges(state, { status: 'success', failure: null, url: event.data.url })
        : state
    case 'picture/loadFailed':
      return failed(state, event.data.failure)

    case 'picture/offered':
      return { ...state, offer: { status: 'preparing', id: event.meta.seq }, change: null }
    case 'picture/prepared':
      return state.offer?.status === 'preparing'
        ? { ...state, offer: { status: 'ready', id: state.offer.id, picture: event.data.picture } }
        : state
    case 'picture/refused':
      return state.offer
        ? { ...state, offer: { status: 'refused', id: state.offer.id, refusal: event.data.refusal } }
        : { ...state, offer: { status: 'refused', id: event.meta.seq, refusal: event.data.refusal } }
    case 'picture/dropped':
      return withChanges(state, { offer: null })

    case 'picture/saveRequested':
      return state.offer?.status === 'ready' ? withChange(state, 'save', 'pending', null) : state
    case 'picture/deleteRequested':
      return withChange(state, 'delete', 'pending', null)
    case 'picture/saved':
      return withChange(withUrl(state, event.data.url, null), 'save', 'success', null)
    case 'picture/deleted':
      return withChange(withUrl(state, null, state.offer), 'delete', 'success', null)
    case 'picture/changeFailed':
      // The picture that was chosen stays, so that it can be tried again.
      return withChange(state, state.change?.kind ?? 'save', 'fail', event.data.failure)
    case 'auth/signedOut':
      return initialPicture
    default:
      return assertNever(event)
  }
}
