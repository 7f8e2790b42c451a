import type { AppEvent } from '../app/events.ts'
import { withChanges } from '../kernel/changes.ts'
import {
  type Attempt,
  failed,
  idle,
  type Load,
  loaded,
  loadOnce,
  pending,
  retryAwaited,
  retryFailed,
  success,
} from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import { Picture, type PictureRefusal, type PreparedPicture } from './events.ts'

/** The file that the user offered, and its status; `id` is the `seq` of the event that offered it. */
export type Offer =
  | Readonly<{ status: 'preparing'; id: number }>
  | Readonly<{ status: 'ready'; id: number; picture: PreparedPicture }>
  | Readonly<{ status: 'refused'; id: number; refusal: PictureRefusal }>

/** Saving or deleting: the last or the pending change. */
export type PictureChange = Readonly<{ kind: 'save' | 'delete'; attempt: Attempt }>

/** `url` is the saved picture; null when there is none. */
export type PictureState = Readonly<{
  url: Load<string | null>
  offer: Offer | null
  change: PictureChange | null
}>

const initial: PictureState = { url: idle, offer: null, change: null }

type Step<E> = (load: Load<string | null>, event: E) => Load<string | null>
const ofUrl =
  <E>(step: Step<E>) =>
  (state: PictureState, event: E): PictureState =>
    withChanges(state, { url: step(state.url, event) })

const done = ({ change }: PictureState, kind: PictureChange['kind']): PictureChange =>
  change ? withChanges(change, { kind, attempt: success }) : { kind, attempt: success }

export const picture = defineSlice<PictureState, AppEvent>()(initial, {
  'variables/opened': ofUrl(loadOnce),
  'app/retryRequested': ofUrl(retryFailed),
  'app/serviceReachable': ofUrl(retryAwaited),
  'picture/loaded': (state, event) =>
    // Ignores an answer to a request from before a change.
    state.url.status === 'pending' ? ofUrl(Picture.handlers['picture/loaded'])(state, event) : state,
  'picture/loadFailed': ofUrl(Picture.handlers['picture/loadFailed']),

  'picture/offered': (state, { meta }) => ({
    ...state,
    offer: { status: 'preparing', id: meta.seq },
    change: null,
  }),
  'picture/prepared': (state, { data }) =>
    state.offer?.status === 'preparing'
      ? { ...state, offer: { status: 'ready', id: state.offer.id, picture: data.picture } }
      : state,
  'picture/refused': (state, { data, meta }) => ({
    ...state,
    offer: { status: 'refused', id: state.offer?.id ?? meta.seq, refusal: data.refusal },
  }),
  'picture/dropped': (state) => withChanges(state, { offer: null }),

  'picture/saveRequested': (state, event) =>
    state.offer?.status === 'ready' ? { ...state, change: { kind: 'save', attempt: pending(event) } } : state,
  'picture/deleteRequested': (state, event) => ({
    ...state,
    change: { kind: 'delete', attempt: pending(event) },
  }),
  'picture/saved': (state, { data }) =>
    withChanges(state, { url: loaded(state.url, data.url), offer: null, change: done(state, 'save') }),
  'picture/deleted': (state) =>
    withChanges(state, { url: loaded(state.url, null), change: done(state, 'delete') }),
  'picture/changeFailed': (state, { data }) => ({
    // The chosen picture stays, so that the user can retry.
    ...state,
    change: { kind: state.change?.kind ?? 'save', attempt: failed(data.failure) },
  }),
  'auth/signedOut': () => initial,
})
