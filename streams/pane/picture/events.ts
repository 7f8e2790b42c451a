import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField, nullableField, redactedField } from '../../kernel/field.ts'
import type { Handle } from '../../kernel/handle.ts'
import { defineLoad } from '../../kernel/load.ts'
import type { Crop, PictureSize } from './crop.ts'

/** A picture to crop: upright, without metadata, in the proportions of the file. */
export type OpenedPicture = Readonly<{ dataUrl: string }> & PictureSize

/** A picture that is ready to be sent: upright, square, without metadata. `size` is in bytes, `edge` in pixels. */
export type PreparedPicture = Readonly<{ dataUrl: string; type: string; size: number; edge: number }>

/** The reason why a file is refused; `limit` is in bytes. */
export type PictureRefusal =
  | Readonly<{ reason: 'type' }>
  | Readonly<{ reason: 'size'; limit: number }>
  | Readonly<{ reason: 'empty' }>
  | Readonly<{ reason: 'unreadable' }>
  /** The chunk that processes pictures did not load. */
  | Readonly<{ reason: 'notLoaded' }>

const url = redactedField<string>()('pictureUrl')

const changes = defineEvents('picture', {
  /** The user chose, dropped or pasted a file. `file` is its handle (`createHandle(file)`). */
  offered: gesture({ file: openField<Handle>() }),
  /** The pane shows the picture for the user to choose a crop. The picture is not saved yet. */
  opened: fact({ picture: redactedField<OpenedPicture>()('openedPicture') }),
  /** The user chose the part of the picture to keep. */
  cropped: gesture({ crop: openField<Crop>() }),
  refused: fact({ refusal: openField<PictureRefusal>() }),
  /** The user discarded the offered picture. */
  dropped: gesture({}),

  saveRequested: gesture({}),
  deleteRequested: gesture({}),
  /** The picture was saved, so signatures that show it are reloaded. */
  saved: fact({ url }),
  /** The picture was deleted, so signatures that showed it are reloaded. */
  deleted: fact({}),
  changeFailed: fact({ failure: failureField }),
})

/** Loads the address of the saved picture; null when no picture is saved. */
export const Picture = { ...defineLoad('picture', nullableField(url)), ...changes }
