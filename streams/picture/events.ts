import { defineEvents, fact, gesture } from '../kernel/event.ts'
import { failureField } from '../kernel/failure.ts'
import { open, orNull, shape } from '../kernel/field.ts'
import type { Handle } from '../kernel/handle.ts'
import { defineLoad } from '../kernel/load.ts'

/** A picture that is ready to be sent: upright, square, without metadata. `size` in bytes, `edge` in pixels. */
export type PreparedPicture = Readonly<{ dataUrl: string; type: string; size: number; edge: number }>

/** Why a file does not become a picture; `limit` in bytes. */
export type PictureRefusal =
  | Readonly<{ reason: 'type' }>
  | Readonly<{ reason: 'size'; limit: number }>
  | Readonly<{ reason: 'empty' }>
  | Readonly<{ reason: 'unreadable' }>
  /** The code that makes pictures could not be loaded. */
  | Readonly<{ reason: 'notLoaded' }>

const url = shape<string>()('pictureUrl')

const changes = defineEvents('picture', {
  /** The user chose, dropped or pasted a file; `createHandle(file)`. */
  offered: gesture({ file: open<Handle>() }),
  /** It is shown as a preview, and not saved yet. */
  prepared: fact({ picture: shape<PreparedPicture>()('preparedPicture') }),
  refused: fact({ refusal: open<PictureRefusal>() }),
  /** The user gave the preview up. */
  dropped: gesture({}),

  saveRequested: gesture({}),
  deleteRequested: gesture({}),
  /** There is a new picture; signatures that show it are loaded again. */
  saved: fact({ url }),
  /** There is no picture; signatures that showed it are loaded again. */
  deleted: fact({}),
  changeFailed: fact({ failure: failureField }),
})

/** Its load is that of the saved picture's address; null when there is none. */
export const Picture = { ...defineLoad('picture', orNull(url)), ...changes }
