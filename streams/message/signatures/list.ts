import { type Attempt, idle } from '../../kernel/load.ts'
import type { SignatureEntry } from './entry.ts'

/**
 * `offset` is the number of loaded objects, of `total`; `pages` are the numbers of the loaded pages. `epoch` grows with
 * every reset: an answer of an earlier one is ignored.
 */
export type SignatureList = Readonly<{
  load: Attempt
  entries: readonly SignatureEntry[]
  total: number
  offset: number
  pages: readonly number[]
  epoch: number
}>

export const emptyList: SignatureList = { load: idle, entries: [], total: 0, offset: 0, pages: [], epoch: 0 }

/** Objects on one page of a list (specification, section 9). */
export const PAGE_SIZE = 5

/** The number of the page after those that are loaded; null when all are. */
export const pageAfter = ({ pages, offset, total }: SignatureList): number | null => {
  if (pages.length === 0) return 1
  return offset < total ? Math.max(...pages) + 1 : null
}

/**
 * The number of the page to load next; null when all are loaded, or one is pending: each page is requested once
 * (specification, section 5). After a failure, it is the failed page.
 */
export const nextPage = (list: SignatureList): number | null => {
  if (list.load.status === 'pending') return null
  return pageAfter(list)
}

/** The number of pages of a list that a search loads automatically; more as the user scrolls. */
export const SEARCHED_PAGES = 100

/** Whether a search goes on to the next page: until all are loaded, one fails, or the limit is reached. */
export const searchesOn = (list: SignatureList): boolean =>
  list.load.status === 'success' && nextPage(list) !== null && list.pages.length < SEARCHED_PAGES
