import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { listField, openField, nullableField, redactedField } from '../../kernel/field.ts'
import type { SignaturePage } from '../../wire/signatures.ts'

/** The list of the user's own signatures, and the list of signatures delegated to the user. */
export type ListName = 'own' | 'delegated'

const list = openField<ListName>()
const epoch = openField<number>()
const page = redactedField<SignaturePage>()('signaturePage')
const entryId = redactedField<string>()('entryId')

export const Signatures = defineEvents('signatures', {
  /** The user scrolled near the end of the list. */
  nextPageRequested: gesture({ list }),
  /** `epoch` is the list's epoch at the time of the request. An answer to a request before a reset is ignored. */
  pageLoaded: fact({ list, epoch, page }),
  pageFailed: fact({ list, epoch, page: openField<number>(), failure: failureField }),
  /** The user searches both lists, or only the shared list; an empty query ends the search. */
  searched: gesture({ query: redactedField<string>()('text'), shared: openField<boolean>() }),
  /** The service had time to render the signatures after a change, so the lists and the default are reloaded. */
  reloadDue: fact({}),
  /** Reloads the lists from their first page; the shown entries stay until the answer. */
  refreshRequested: gesture({}),
  /**
   * `epoch` is the own list's epoch at the time of the request; `delegated` is null when no other user delegates
   * signatures to the user. Each page has the objects of all pages up to its number.
   */
  refreshed: fact({ epoch, own: page, delegated: nullableField(page) }),
  refreshFailed: fact({ failure: failureField }),
  /** The recently used signatures were read from private storage: their `combinedIds`, latest first. */
  recentRestored: fact({ recent: listField(openField<string>()) }),
  /** The user marked a signature as a favourite, or removed the mark. */
  favouriteChanged: gesture({ combinedIds: openField<string>(), isFavourite: openField<boolean>() }),
  /**
   * The user's favourites were read from private storage: their `combinedIds`, in the order in which they were marked.
   */
  favouritesRestored: fact({ favourites: listField(openField<string>()) }),

  /** The user copies a signature to paste it where Signet cannot insert it. */
  copyRequested: gesture({ entryId }),
  copied: fact({ entryId }),
  copyFailed: fact({ entryId, failure: failureField }),
})
