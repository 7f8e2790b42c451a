import { NEVER, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { loadView, SLOW_MS, VIEW_LIMIT_MS, wantViewOfRoute } from '../../effects/views.ts'
import { Router } from '../../streams/router/events.ts'
import { routeAt } from '../../streams/router/routes.ts'
import { Views } from '../../streams/views/events.ts'
import { withMarbles } from '../support/marbles.ts'
import { failing } from '../support/ports.ts'
import { stateAfter } from '../support/state.ts'

const loading = { wantViewOfRoute, loadView }
const view = 'settings' as const
const events = {
  n: Router.navigated({ path: '/app/settings/app' }),
  d: Router.navigated({ path: '/app/settings/variables' }),
  w: Views.wanted({ view }),
  v: Views.wanted({ view: 'variables' }),
  l: Views.loaded({ view }),
  k: Views.loaded({ view: 'variables' }),
  s: Views.slow({ view }),
  t: Views.timedOut({ view }),
}

describe('loading a view', () => {
  test('[NAV-4] the limits are those of the specification', () => {
    expect([SLOW_MS, VIEW_LIMIT_MS]).toEqual([200, 5000])
  })

  test('[NAV-4] one that is there within 200 ms shows no loading view', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.views.load.answers(cold('199ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n', events)), '^ 10s !').toBe('w 198ms l', events)
    })
  })

  test('[NAV-4] a loading view appears after 200 ms and goes when the view is there', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.views.load.answers(cold('4999ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n', events)), '^ 10s !').toBe('w 199ms s 4798ms l', events)
    })
  })

  test('[NAV-4] after 5000 ms it is given up, and what comes later is not listened to', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents, afterwards }) => {
      ports.views.load.answers(cold('5001ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n', events)), '^ 10s !').toBe('w 199ms s 4799ms t', events)
      afterwards(() => {
        expect(ports.views.load.cancelled()).toBe(1)
      })
    })
  })

  test('[NAV-4] a load that fails is told at once, and no loading view comes after it', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.views.load.answers(failing({ kind: 'network' }))
      expectEvents(react(loading, hot('n', events)), '^ 10s !').toBe('(wt)', events)
    })
  })

  test('[NAV-4] one that failed is tried again at the next visit; one that is there is not', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.views.load.answers(failing({ kind: 'network' }), of(undefined))
      const visits$ = hot('n 9ms n 9ms n', events)
      expectEvents(react(loading, visits$), '^ 10s !').toBe('(wt) 6ms (wl)', events)
      afterwards(() => {
        expect(ports.views.load.calls).toEqual([[view], [view]])
      })
    })
  })

  test('a visit while it is on its way loads it once', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.views.load.answers(NEVER)
      const visits$ = hot('n 9ms n 300ms n', events)
      expectEvents(react(loading, visits$), '^ 1s !').toBe('w 199ms s', events)
      afterwards(() => {
        expect(ports.views.load.calls).toHaveLength(1)
      })
    })
  })

  test('going on to another view does not cancel the one that is nearly there', () => {
    withMarbles(({ hot, cold, react, ports, expectEvents }) => {
      ports.views.load.answers(cold('100ms (a|)', { a: undefined }), cold('20ms (a|)', { a: undefined }))
      expectEvents(react(loading, hot('n 9ms d', events)), '^ 1s !').toBe('w 9ms v 19ms k 69ms l', events)
    })
  })

  test('a view that timed out does not overwrite one that was loaded', () => {
    expect(stateAfter(events.w, events.l, events.t).views.settings).toBe('loaded')
    expect(stateAfter(events.w, events.l, events.s).views.settings).toBe('loaded')
    expect(stateAfter(events.w, events.t, events.w).views.settings).toBe('pending')
  })
})

test.each([
  ['/about', 'about'],
  ['/pages/about', 'about'],
  ['/auth', null],
  ['/auth/login', null],
  ['/auth/logout', null],
  ['/loading', null],
])('%s needs %s loaded', (path, wanted) => {
  withMarbles(({ hot, react, expectEvents }) => {
    expect(routeAt(path)?.view ?? null).toBe(wanted)
    const happened$ = react({ wantViewOfRoute }, hot('n', { n: Router.navigated({ path }) }))
    if (wanted === 'about') expectEvents(happened$).toBe('a', { a: Views.wanted({ view: 'about' }) })
    else expectEvents(happened$).toBe('', {})
  })
})
