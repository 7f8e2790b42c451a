import type { Variables } from '../variables/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Handle } from '../../kernel/handle.ts'
import {
  type Attempt,
  failedStatus,
  idleStatus,
  type Load,
  loadSucceeded,
  loadOnce,
  pendingStatus,
  retryTemporary,
  retryFailed,
  successStatus,
} from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { clampCrop, type Crop, middleCrop } from './crop.ts'
import { type OpenedPicture, Picture, type PictureRefusal } from './events.ts'

/** The file that the user offered, and its status; `id` is the `seq` of the event that offered it. */
export type PictureOffer =
  | Readonly<{ status: 'preparing'; id: number; file: Handle }>
  | Readonly<{ status: 'ready'; id: number; file: Handle; picture: OpenedPicture; crop: Crop }>
  | Readonly<{ status: 'refused'; id: number; refusal: PictureRefusal }>

/** The latest change of the saved picture, pending or ended. */
export type PictureChange = Readonly<{ kind: 'save' | 'delete'; attempt: Attempt }>

/** `url` is the address of the saved picture; null when no picture is saved. */
export type PictureState = Readonly<{
  url: Load<string | null>
  offer: PictureOffer | null
  change: PictureChange | null
}>

const initial: PictureState = { url: idleStatus, offer: null, change: null }

type Step<E> = (load: Load<string | null>, event: E) => Load<string | null>
const ofUrl =
  <E>(step: Step<E>) =>
  (state: PictureState, event: E): PictureState =>
    withChanges(state, { url: step(state.url, event) })

const done = ({ change }: PictureState, kind: PictureChange['kind']): PictureChange =>
  change ? withChanges(change, { kind, attempt: successStatus }) : { kind, attempt: successStatus }

export const picture = defineSlice<
  PictureState,
  typeof App | typeof Auth | typeof Picture | typeof Variables
>()(initial, {
  'variables/opened': ofUrl(loadOnce),
  'app/retryRequested': ofUrl(retryFailed),
  'app/serviceReachable': ofUrl(retryTemporary),
  'picture/loaded': (state, event) =>
    // Ignores an outdated answer: its request was sent before a save or a deletion.
    state.url.status === 'pending' ? ofUrl(Picture.handlers['picture/loaded'])(state, event) : state,
  'picture/loadFailed': ofUrl(Picture.handlers['picture/loadFailed']),

  'picture/offered': (state, { data, meta }) => ({
    ...state,
    offer: { status: 'preparing', id: meta.seq, file: data.file },
    change: null,
  }),
  'picture/opened': (state, { data: { picture } }) =>
    state.offer?.status === 'preparing'
      ? { ...state, offer: { ...state.offer, status: 'ready', picture, crop: middleCrop(picture) } }
      : state,
  'picture/cropped': (state, { data }) => {
    const { offer } = state
    if (offer?.status !== 'ready') return state
    return withChanges(state, {
      offer: withChanges(offer, { crop: withChanges(offer.crop, clampCrop(data.crop, offer.picture)) }),
    })
  },
  'picture/refused': (state, { data, meta }) => ({
    ...state,
    offer: { status: 'refused', id: state.offer?.id ?? meta.seq, refusal: data.refusal },
    // If the service refused the file during its save, the save has ended.
    change: null,
  }),
  'picture/dropped': (state) => withChanges(state, { offer: null }),

  'picture/saveRequested': (state, event) =>
    state.offer?.status === 'ready'
      ? { ...state, change: { kind: 'save', attempt: pendingStatus(event) } }
      : state,
  'picture/deleteRequested': (state, event) => ({
    ...state,
    change: { kind: 'delete', attempt: pendingStatus(event) },
  }),
  'picture/saved': (state, { data }) =>
    withChanges(state, { url: loadSucceeded(state.url, data.url), offer: null, change: done(state, 'save') }),
  'picture/deleted': (state) =>
    withChanges(state, { url: loadSucceeded(state.url, null), change: done(state, 'delete') }),
  'picture/changeFailed': (state, { data }) => ({
    // The chosen picture stays, so that the user can retry.
    ...state,
    change: { kind: state.change?.kind ?? 'save', attempt: failedStatus(data.failure) },
  }),
  'auth/signedOut': () => initial,
})
