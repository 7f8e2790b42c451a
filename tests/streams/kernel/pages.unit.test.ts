import fc from 'fast-check'
import { type Observable, of, Subject, takeUntil } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { Kernel } from '../../../streams/kernel/effect.ts'
import { defineEvents, type EventOf, fact, gesture, ofType } from '../../../streams/kernel/event.ts'
import { openField, nullableField } from '../../../streams/kernel/field.ts'
import { type Attempt, failedStatus, idleStatus, successStatus } from '../../../streams/kernel/load.ts'
import { pageEffect } from '../../../streams/kernel/loading.ts'
import {
  definePages,
  areAllPagesLoaded,
  loadFirstPage,
  loadMorePages,
  loadNextPage,
  noPages,
  type Pages,
  retryPage,
} from '../../../streams/kernel/pages.ts'
import { combineSlices, defineSlice } from '../../../streams/kernel/slice.ts'
import { createStore } from '../../../streams/kernel/store.ts'
import { createClock } from '../../support/clock.ts'
import { failure } from '../../support/arbitraries.ts'
import { recorded } from '../../support/state.ts'

/** Books by number, a few on each page; `next` is the number of the next page. */
type Page = Readonly<{ books: readonly number[]; next: number | null }>
const Shelf = {
  ...definePages(
    'shelf',
    { query: openField<string>(), after: nullableField(openField<number>()), page: openField<Page>() },
    ({ books }) => books,
  ),
  ...defineEvents('shelf', {
    opened: gesture({ query: openField<string>() }),
    scrolled: gesture({}),
    retried: gesture({}),
    left: fact({}),
  }),
}
type ShelfEvent = EventOf<typeof Shelf>
type State = Pages<string, number, number> & Readonly<{ name: string }>
const initial: State = { ...noPages(''), name: 'shelf' }
const slices = {
  shelf: defineSlice<State, typeof Shelf>()(initial, {
    ...Shelf.handlers,
    'shelf/opened': (state, event) => loadFirstPage(state, event, event.data.query),
    'shelf/scrolled': loadMorePages,
    'shelf/retried': retryPage,
  }),
}
const evolve = combineSlices<typeof slices, ShelfEvent | EventOf<typeof Kernel>>(slices)
const step = (shelf: State, event: ShelfEvent) => evolve({ shelf }, recorded(event, 20)).shelf
const after = (...events: readonly ShelfEvent[]) => events.reduce(step, initial)

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.constantFrom<Attempt>(idleStatus, successStatus),
  fc.nat(9).map((asked) => ({ status: 'pending' as const, asked })),
  failure.map(failedStatus),
)
const number = fc.option(fc.nat(3))
const query = fc.constantFrom('', 'a')
const anyState: fc.Arbitrary<State> = fc
  .record({ query, items: fc.option(fc.array(fc.nat(9))), next: number, load: attempt })
  .map((pages) => ({ ...pages, name: 'shelf' }))
const begun = { status: 'pending', asked: 20 } as const
const event = recorded(Shelf.scrolled(), 20)

describe('a list that loads page by page', () => {
  test('loads every page once, in order, however often the next one is asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(fc.nat(9)), fc.integer({ min: 1, max: 3 })), { minLength: 1 }),
        (pages) => {
          const all = pages.flatMap(([books]) => books)
          const log = pages.flatMap(([books, times], page): readonly ShelfEvent[] => [
            ...(page === 0 ? [] : Array.from({ length: times }, () => Shelf.scrolled())),
            Shelf.pageLoaded({
              query: 'a',
              after: page === 0 ? null : page,
              page: { books, next: page === pages.length - 1 ? null : page + 1 },
            }),
          ])
          const state = after(Shelf.opened({ query: 'a' }), ...log)
          expect(state).toEqual({ query: 'a', items: all, next: null, load: successStatus, name: 'shelf' })
          expect(areAllPagesLoaded(state)).toBe(true)
          expect(step(state, Shelf.scrolled())).toBe(state)
        },
      ),
    )
  })

  test('takes the page that it waits for, and no other', () => {
    fc.assert(
      fc.property(anyState, query, number, (state, asked, last) => {
        const page: Page = { books: [7], next: 8 }
        const next = step(state, Shelf.pageLoaded({ query: asked, after: last, page }))
        if (state.load.status !== 'pending' || asked !== state.query || last !== state.next)
          expect(next).toBe(state)
        else
          expect(next).toEqual({
            ...state,
            next: 8,
            load: successStatus,
            items: last === null ? [7] : [...(state.items ?? []), 7],
          })
      }),
    )
  })

  test('keeps what is listed when a page fails, which only one that is pending does', () => {
    fc.assert(
      fc.property(anyState, failure, (state, why) => {
        const next = step(state, Shelf.pageFailed({ failure: why }))
        if (state.load.status === 'pending') expect(next).toEqual({ ...state, load: failedStatus(why) })
        else expect(next).toBe(state)
      }),
    )
  })

  test('begins again with another query, and shows what it listed until then', () => {
    fc.assert(
      fc.property(anyState, query, (state, asked) => {
        const { items, name } = state
        expect(step(state, Shelf.opened({ query: asked }))).toEqual({
          query: asked,
          items,
          next: null,
          load: begun,
          name,
        })
        expect(loadFirstPage(state, event).query).toBe(state.query)
      }),
    )
    const page = { query: 'a', after: null, page: { books: [1], next: 2 } }
    const again = [Shelf.opened({ query: 'a' }), Shelf.pageLoaded(page)]
    expect(after(...again, ...again).items).toEqual([1])
  })

  test('asks for the next page unless it waits for it or has all, for a further and a failed one only then', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const { status } = state.load
        const isEnd = status === 'success' && state.next === null
        expect(areAllPagesLoaded(state)).toBe(isEnd)
        const expectAsked = (next: State, isAsked: boolean) => {
          if (isAsked) expect(next).toEqual({ ...state, load: begun })
          else expect(next).toBe(state)
        }
        expectAsked(loadNextPage(state, event), status !== 'pending' && !isEnd)
        expectAsked(loadMorePages(state, event), status !== 'pending' && state.next !== null)
        expectAsked(retryPage(state, event), status === 'fail')
      }),
    )
  })
})

describe('the effect of a list', () => {
  type Deps = Readonly<{ page: (...asked: readonly unknown[]) => Observable<Page> }>
  const start = (page: Deps['page']) => {
    const store = createStore<Readonly<{ shelf: State }>, ShelfEvent, Deps>({
      initial: { shelf: initial },
      evolve,
      effects: {
        load: pageEffect<ShelfEvent, Readonly<{ shelf: State }>, Deps>((event$) =>
          takeUntil(event$.pipe(ofType(Shelf.left))),
        )(
          ({ shelf }) => shelf,
          Shelf,
          (deps, asked, { shelf: { query } }, { type }) => deps.page(asked, query, type),
        ),
      },
      deps: { page },
      time: createClock(),
    })
    store.start()
    return {
      record: (given: ShelfEvent) => {
        store.record(given, 'test')
      },
      shelf: () => store.state$.value.shelf,
    }
  }

  test('asks for the page of the list in the state after the event, and says what asked', () => {
    const asked: unknown[] = []
    const { record, shelf } = start((...given) => {
      asked.push(given)
      return of({ books: [asked.length], next: asked.length === 1 ? 5 : null })
    })
    record(Shelf.opened({ query: 'a' }))
    record(Shelf.scrolled())
    expect(asked).toEqual([
      [{ query: 'a', after: null }, 'a', 'shelf/opened'],
      [{ query: 'a', after: 5 }, 'a', 'shelf/scrolled'],
    ])
    expect(shelf().items).toEqual([1, 2])
  })

  test('cancels the request of another query, and of a list that was left', () => {
    const requests: Subject<Page>[] = []
    const { record, shelf } = start(() => {
      const request$ = new Subject<Page>()
      requests.push(request$)
      return request$
    })
    record(Shelf.opened({ query: 'a' }))
    record(Shelf.opened({ query: 'b' }))
    expect(requests.map(({ observed }) => observed)).toEqual([false, true])
    requests[1]?.error(new Error('broken'))
    expect(shelf().load.status).toBe('fail')
    record(Shelf.retried())
    record(Shelf.left())
    expect(requests.map(({ observed }) => observed)).toEqual([false, false, false])
  })
})
