import { type Attempt, idleStatus } from '../../kernel/load.ts'
import type { SignatureEntry } from './entry.ts'

/**
 * `offset` is the number of loaded objects, of `total`; `pages` are the numbers of the loaded pages. `epoch` grows with
 * every reset: an answer to a request from an earlier epoch is ignored.
 */
export type SignatureList = Readonly<{
  load: Attempt
  entries: readonly SignatureEntry[]
  total: number
  offset: number
  pages: readonly number[]
  epoch: number
}>

export const emptyList: SignatureList = {
  load: idleStatus,
  entries: [],
  total: 0,
  offset: 0,
  pages: [],
  epoch: 0,
}

/** The number of objects on one page of a list (specification, section 9). */
export const PAGE_SIZE = 5

/** The number of the page after the loaded pages; null when all pages are loaded. */
export const pageAfter = ({ pages, offset, total }: SignatureList): number | null => {
  if (pages.length === 0) return 1
  return offset < total ? Math.max(...pages) + 1 : null
}

/**
 * The number of the page to load next; after a failure, the failed page. Null when all pages are loaded, and while a
 * page is loading, so each page is requested once (specification, section 5).
 */
export const nextPage = (list: SignatureList): number | null => {
  if (list.load.status === 'pending') return null
  return pageAfter(list)
}

/** The maximum number of pages of a list that a search loads automatically. Scrolling loads more. */
export const MAX_SEARCHED_PAGES = 100

/** Whether a search loads the next page: yes, until all pages are loaded, a page fails, or the limit is reached. */
export const searchContinues = (list: SignatureList): boolean =>
  list.load.status === 'success' && nextPage(list) !== null && list.pages.length < MAX_SEARCHED_PAGES
