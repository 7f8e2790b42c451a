import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { idField, openField, redactedField } from '../../kernel/field.ts'
import type { Secret } from '../../kernel/secret.ts'
import { contentField, inMessageField } from '../signatures/signature.ts'

/** The content to insert: the default, a list entry, no signature, or the signature before the last insertion. */
export type InsertionTarget =
  | Readonly<{ kind: 'default' }>
  | Readonly<{ kind: 'entry'; entryId: string }>
  | Readonly<{ kind: 'none' }>
  | Readonly<{ kind: 'previous' }>

/** An insertion's id: the `seq` of the event that requested it. */
export type InsertionId = number

const insertion = openField<InsertionId>()
const itemKey = idField('item')
const target = redactedField<InsertionTarget>()('target')

export const Insertion = defineEvents('insertion', {
  /** The user chose an entry for the open message. */
  chosen: gesture({ entryId: redactedField<string>()('entryId'), itemKey }),
  /** The user chose to have no signature in the open message. */
  noneChosen: gesture({ itemKey }),
  /** The user undid the last insertion. */
  undoRequested: gesture({ itemKey }),
  /** The user restored the signature that Undo removed. */
  redoRequested: gesture({ itemKey }),
  /** The default signature is due in the open message; `hash` is its content hash. */
  defaultDue: fact({ itemKey, hash: redactedField<string>()('hash') }),

  progressed: fact({ id: insertion, imagesDone: openField<number>(), imagesTotal: openField<number>() }),
  succeeded: fact({ id: insertion, itemKey, target, inMessage: inMessageField, content: contentField }),
  failed: fact({ id: insertion, itemKey, target, failure: failureField }),
  /**
   * The insertion ended before its first write, because of a later choice, or because the sender or recipients changed.
   */
  superseded: fact({ id: insertion, target }),
  /**
   * Nothing was written: the user had removed the signature from this message by hand, the message has a signature that
   * this pane did not insert, or the user made a later choice outside this pane.
   */
  skipped: fact({ id: insertion, itemKey }),
  /**
   * Nothing was written, because nothing in the body that the client returns identifies the message's present or former
   * signature. An insertion with other blocks could add a second signature.
   */
  leftAsIs: fact({ id: insertion, itemKey }),
  /**
   * A plain-text signature from another runtime may still arrive and be a duplicate. The message is repaired after
   * `until`, in milliseconds since the epoch.
   */
  textAwaited: fact({ itemKey, until: openField<number>() }),
  /** The outcome of the insertion was shown, so the entry is idle again. */
  settled: fact({ id: insertion }),

  /** An insertion altered the author's text. `before` has the previous body and the data to restore it, as JSON. */
  bodyAltered: fact({ itemKey, before: openField<Secret>() }),
  bodyRestoreRequested: gesture({ itemKey }),
  bodyRestored: fact({ itemKey }),
  bodyRestoreFailed: fact({ itemKey, failure: failureField }),
})
