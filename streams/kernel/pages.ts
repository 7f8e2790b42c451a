import { withChanges } from './changes.ts'
import { defineEvents, fact } from './event.ts'
import { type Failure, failureField } from './failure.ts'
import type { Field, ValueOf } from './field.ts'
import {
  type BeginEvent,
  type Attempt,
  settlePending,
  failedStatus,
  idleStatus,
  pendingStatus,
  successStatus,
} from './load.ts'

/**
 * A list that loads page by page. Answers to an earlier `query` are ignored. `items` is null before the first answer.
 * After a change of `query`, the old items stay until the first page of the new query is loaded. `next` is the cursor
 * of the next page; null for the first page, and after the last. While a page is pending, and after it failed, `next`
 * is the cursor of that page.
 */
export type Pages<Query, Item, Cursor = string> = Readonly<{
  query: Query
  items: readonly Item[] | null
  next: Cursor | null
  load: Attempt
}>

/** Anything that loads page by page. */
type Paged = Pages<unknown, unknown, unknown>

/** The state before a page is loaded. */
export const noPages = <Query>(query: Query) =>
  ({ query, items: null, next: null, load: idleStatus }) as const

/** Whether all pages are loaded. */
export const areAllPagesLoaded = ({ next, load }: Paged): boolean =>
  next === null && load.status === 'success'

/** Loads the first page. A given `query` replaces the query of the list. */
export const loadFirstPage = <State extends Paged>(
  state: State,
  event: BeginEvent,
  query: State['query'] = state.query,
): State => ({ ...state, query, next: null, load: pendingStatus(event) })

/** Loads the next page, unless a page is pending or all pages are loaded. */
export const loadNextPage = <State extends Paged>(state: State, event: BeginEvent): State =>
  state.load.status === 'pending' || areAllPagesLoaded(state)
    ? state
    : { ...state, load: pendingStatus(event) }

/** Loads the next page, but never the first one. */
export const loadMorePages = <State extends Paged>(state: State, event: BeginEvent): State =>
  state.next === null ? state : loadNextPage(state, event)

/** Retries the page that failed. */
export const retryPage = <State extends Paged>(state: State, event: BeginEvent): State =>
  state.load.status === 'fail' ? loadNextPage(state, event) : state

/**
 * Defines the events `pageLoaded` and `pageFailed` of a list that loads page by page, and their handlers. The slice
 * adds the events that load a page; `pageEffect` (loading.ts) makes the effect.
 *
 * @param itemsOf returns the items of a page
 */
export function definePages<
  const Domain extends string,
  Query extends Field<unknown>,
  After extends Field<unknown>,
  Page extends Field<Readonly<{ next: unknown }>>,
  Item,
>(
  domain: Domain,
  fields: Readonly<{ query: Query; after: After; page: Page }>,
  itemsOf: (page: ValueOf<Page>) => readonly Item[],
) {
  type List = Pages<ValueOf<Query>, Item, ValueOf<After>>
  type Loaded = Readonly<{
    data: Readonly<{ query: ValueOf<Query>; after: ValueOf<After>; page: ValueOf<Page> }>
  }>
  type NotLoaded = Readonly<{ data: Readonly<{ failure: Failure }> }>
  const handlers = {
    [`${domain}/pageLoaded`]: <State extends List>(state: State, { data }: Loaded): State =>
      state.load.status !== 'pending' || data.query !== state.query || data.after !== state.next
        ? state
        : {
            ...state,
            items: [...((data.after === null ? null : state.items) ?? []), ...itemsOf(data.page)],
            next: data.page.next,
            load: successStatus,
          },
    [`${domain}/pageFailed`]: <State extends List>(state: State, { data }: NotLoaded): State =>
      withChanges<Paged>(state, { load: settlePending(state.load, failedStatus(data.failure)) }) as State,
  } as Readonly<
    Record<`${Domain}/pageLoaded`, <State extends List>(state: State, event: Loaded) => State> &
      Record<`${Domain}/pageFailed`, <State extends List>(state: State, event: NotLoaded) => State>
  >
  const events = defineEvents(domain, {
    pageLoaded: fact(fields),
    pageFailed: fact({ failure: failureField }),
  })
  return { ...events, handlers }
}
