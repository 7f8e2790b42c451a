import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { listOf, open, orNull, shape } from '../../kernel/field.ts'
import type { SignaturePage } from '../../wire/signatures.ts'

/** The user's own signatures, and those of others who delegate to them. */
export type ListName = 'own' | 'delegated'

const list = open<ListName>()
const epoch = open<number>()
const page = shape<SignaturePage>()('signaturePage')
const entryId = shape<string>()('entryId')

export const Signatures = defineEvents('signatures', {
  /** The user scrolled near the end of the list. */
  nextPageRequested: gesture({ list }),
  /** `epoch` is that of the request: an answer to a request from before a reset is ignored. */
  pageLoaded: fact({ list, epoch, page }),
  pageFailed: fact({ list, epoch, page: open<number>(), failure: failureField }),
  /** The user searches the lists, or only the shared one; an empty query ends the search. */
  searched: gesture({ query: shape<string>()('text'), shared: open<boolean>() }),
  /** The service had time to render the signatures after a change: lists and default are reloaded. */
  reloadDue: fact({}),
  /** Reloads the lists from their first page; the shown entries stay until the answer. */
  refreshRequested: gesture({}),
  /**
   * `epoch` is that of the own list at the request; `delegated` is null when no user delegates to this one. A page has
   * the objects of all pages up to this one.
   */
  refreshed: fact({ epoch, own: page, delegated: orNull(page) }),
  refreshFailed: fact({ failure: failureField }),
  /** The signatures that this user used last, from private storage, by `combinedIds`, latest first; empty for none. */
  recentRestored: fact({ recent: listOf(open<string>()) }),
  /** The user marked a signature as a favourite, or removed the mark. */
  favouriteChanged: gesture({ combinedIds: open<string>(), isFavourite: open<boolean>() }),
  /** The user's favourites from private storage, by `combinedIds`, in the order in which they were made; empty for none. */
  favouritesRestored: fact({ favourites: listOf(open<string>()) }),

  /** The user copies a signature to paste it where Signet cannot insert it. */
  copyRequested: gesture({ entryId }),
  copied: fact({ entryId }),
  copyFailed: fact({ entryId, failure: failureField }),
})
