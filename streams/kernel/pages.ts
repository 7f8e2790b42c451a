import { withChanges } from './changes.ts'
import { defineEvents, fact } from './event.ts'
import { type Failure, failureField } from './failure.ts'
import type { Field, ValueOf } from './field.ts'
import { type Asking, type Attempt, settlePending, failed, idle, pending, success } from './load.ts'

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
export const noPages = <Query>(query: Query) => ({ query, items: null, next: null, load: idle }) as const

/** Whether all pages are loaded. */
export const isAtEnd = ({ next, load }: Paged): boolean => next === null && load.status === 'success'

/** Loads the first page. A given `query` replaces the query of the list. */
export const loadFirst = <State extends Paged>(
  state: State,
  event: Asking,
  query: State['query'] = state.query,
): State => ({ ...state, query, next: null, load: pending(event) })

/** Loads the next page, unless a page is pending or all pages are loaded. */
export const loadNext = <State extends Paged>(state: State, event: Asking): State =>
  state.load.status === 'pending' || isAtEnd(state) ? state : { ...state, load: pending(event) }

/** Loads the next page, but never the first one. */
export const loadMore = <State extends Paged>(state: State, event: Asking): State =>
  state.next === null ? state : loadNext(state, event)

/** Retries the page that failed. */
export const retryPage = <State extends Paged>(state: State, event: Asking): State =>
  state.load.status === 'fail' ? loadNext(state, event) : state

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
            load: success,
          },
    [`${domain}/pageFailed`]: <State extends List>(state: State, { data }: NotLoaded): State =>
      withChanges<Paged>(state, { load: settlePending(state.load, failed(data.failure)) }) as State,
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
