import { NEVER, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { CHUNK_LIMIT_MS, loadChunk, SLOW_PAGE_MS } from '../../../effects/pane/chunks.ts'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { routeAt } from '../../../streams/pane/router/routes.ts'
import { Chunks } from '../../../streams/pane/chunks/events.ts'
import { Screen } from '../../../streams/pane/screen/events.ts'
import { withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import { stateAfter } from '../../support/state.ts'

const loading = { loadChunk }
/** The code of the screen is loaded, which pages wait for. */
const drawn = { given: [Screen.loaded()] }
const page = 'settings' as const
const events = {
  n: Router.navigated({ path: '/app/settings/app' }),
  d: Router.navigated({ path: '/app/settings/variables' }),
  l: Chunks.loaded({ page }),
  k: Chunks.loaded({ page: 'variables' }),
  s: Chunks.slow({ page }),
  t: Chunks.timedOut({ page }),
}

describe('loading the chunk of a page', () => {
  test('[NAV-4] the limits are those of the specification', () => {
    expect([SLOW_PAGE_MS, CHUNK_LIMIT_MS]).toEqual([200, 5000])
  })

  test('[NAV-4] one that loads within 200 ms shows no loading page', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.chunks.load.answers(cold('199ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n', events), drawn), '^ 10s !').toBe('199ms l', events)
    })
  })

  test('[NAV-4] the loading page appears after 200 ms until the chunk is loaded', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.chunks.load.answers(cold('4999ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n', events), drawn), '^ 10s !').toBe('200ms s 4798ms l', events)
    })
  })

  test('[NAV-4] times out after 5000 ms and cancels the load', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.chunks.load.answers(cold('5001ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n', events), drawn), '^ 10s !').toBe('200ms s 4799ms t', events)
      afterwards(() => {
        expect(ports.chunks.load.cancelled()).toBe(1)
      })
    })
  })

  test('[NAV-4] a failed load is recorded at once, without a loading page after it', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.chunks.load.answers(failing({ kind: 'network' }))
      expectEvents(react(loading, hot('n', events), drawn), '^ 10s !').toBe('t', events)
    })
  })

  test('[NAV-4] the next visit loads a failed chunk again, and not a loaded one', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.chunks.load.answers(failing({ kind: 'network' }), of(undefined))
      const visits$ = hot('n 9ms n 9ms n', events)
      expectEvents(react(loading, visits$, drawn), '^ 10s !').toBe('t 9ms l', events)
      afterwards(() => {
        expect(ports.chunks.load.calls).toEqual([[page], [page]])
      })
    })
  })

  test('a visit during the load does not load it twice', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.chunks.load.answers(NEVER)
      const visits$ = hot('n 9ms n 300ms n', events)
      expectEvents(react(loading, visits$, drawn), '^ 1s !').toBe('200ms s', events)
      afterwards(() => {
        expect(ports.chunks.load.calls).toHaveLength(1)
      })
    })
  })

  test('going on to another page does not cancel the load', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.chunks.load.answers(cold('100ms (a|)', { a: undefined }), cold('20ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n 9ms d', events), drawn), '^ 1s !').toBe('30ms k 69ms l', events)
    })
  })

  test('[NAV-4] waits for the screen, and its limits begin then', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.chunks.load.answers(cold('300ms (a|)', { a: undefined }))
      const visit$ = hot('n 5999ms r', { ...events, r: Screen.loaded() })
      expectEvents(react(loading, visit$), '^ 10s !').toBe('6200ms s 99ms l', events)
    })
  })

  test('a chunk that timed out does not overwrite one that was loaded', () => {
    const settings = (...log: readonly LoggedEvent[]) => stateAfter(...log).chunks.settings?.status
    expect(settings(events.n, events.l, events.t)).toBe('loaded')
    expect(settings(events.n, events.l, events.s)).toBe('loaded')
    expect(settings(events.n, events.t, events.n)).toBe('pending')
  })
})

test.each([
  ['/about', 'about'],
  ['/pages/about', 'about'],
  ['/help', 'help'],
  ['/auth', null],
  ['/auth/login', null],
  ['/auth/logout', null],
  ['/loading', null],
])('%s needs the chunk %s', (path, page) => {
  withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
    expect(routeAt(path)?.page ?? null).toBe(page)
    const happened$ = react(loading, hot('n', { n: Router.navigated({ path }) }), drawn)
    if (page === 'about' || page === 'help')
      expectEvents(happened$, '^ 9ms !').toBe('l', { l: Chunks.loaded({ page }) })
    else expectEvents(happened$, '^ 9ms !').toBe('')
    afterwards(() => {
      expect(ports.chunks.load.calls).toEqual(page === null ? [] : [[page]])
    })
  })
})
