import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import type { Handle } from '../kernel/handle.ts'

/** A picture that is ready to be sent: upright, square, without metadata. `size` in bytes, `edge` in pixels. */
export type PreparedPicture = Readonly<{ dataUrl: string; type: string; size: number; edge: number }>

/** Why a file does not become a picture; `limit` in bytes. */
export type PictureRefusal =
  | Readonly<{ reason: 'type' }>
  | Readonly<{ reason: 'size'; limit: number }>
  | Readonly<{ reason: 'empty' }>
  | Readonly<{ reason: 'unreadable' }>
  /** Nobody looked at it: what makes pictures could not be loaded. */
  | Readonly<{ reason: 'notLoaded' }>

export const PictureEvents = defineEvents('picture', {
  loadRequested: data(),
  reloadRequested: data(),
  loaded: data<{ url: string | null }>(),
  loadFailed: data<{ failure: Failure }>(),

  /** The person chose, dropped or pasted a file; `createHandle(file)`. */
  offered: data<{ file: Handle }>(),
  /** It is shown as a preview, and not saved yet. */
  prepared: data<{ picture: PreparedPicture }>(),
  refused: data<{ refusal: PictureRefusal }>(),
  /** The preview is not wanted any more. */
  dropped: data(),

  saveRequested: data(),
  deleteRequested: data(),
  /** There is a new picture; signatures that show it are to be loaded anew. */
  saved: data<{ url: string }>(),
  /** There is none any more; signatures that showed it are to be loaded anew. */
  deleted: data(),
  changeFailed: data<{ failure: Failure }>(),
})
export type PictureEvent = EventOf<typeof PictureEvents>
