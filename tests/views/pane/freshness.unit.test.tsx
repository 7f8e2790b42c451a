import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Profiler } from 'react'
import { BehaviorSubject } from 'rxjs'
import { act } from 'react'
import { describe, expect, test } from 'vitest'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { Connection } from '../../../streams/pane/connection/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { AppProvider } from '../../../views/pane/app.tsx'
import { LastUpdated } from '../../../views/pane/frame/LastUpdated.tsx'
import { createClock } from '../../support/clock.ts'
import { recorded as at, signedInWriting, stateAfter } from '../../support/state.ts'
import {
  all,
  announced,
  button,
  clickOn,
  focus,
  option,
  options,
  page,
  said,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { recorded, render, draw, become, wait } = useDrawing()

const MINUTE_MS = 60_000
const line = () => button('Check again')?.parentElement?.textContent
/** The state with the list loaded at `moment`, in milliseconds. */
const checkedAt = (moment: number, before: AppState = stateAfter(...signedInWriting('item-1'))) =>
  evolveApp(before, at(Signatures.pageLoaded({ list: 'own', epoch: 0, page }), 90, moment))

/** Draws the line alone, with its own clock; `onDraw` runs at each render. */
const drawLine = (state$: BehaviorSubject<AppState>, time: Time, onDraw: () => void = () => undefined) => {
  render(
    <AppProvider
      value={{
        state$,
        record: () => undefined,
        loadSanitizer: () => new Promise(() => undefined),
        imageOrigins: [],
        time,
        viewOf: () => null,
        version: '0.0.0',
        supportUrl: null,
      }}
    >
      <Profiler id="line" onRender={onDraw}>
        <LastUpdated />
      </Profiler>
    </AppProvider>,
  )
}

describe('the age of the list', () => {
  test('[KNOW-5] follows the clock, in words', () => {
    draw(checkedAt(0))
    expect(line()).toBe('Checked just now')
    wait(MINUTE_MS - 1)
    expect(line()).toBe('Checked just now')
    wait(1)
    expect(line()).toBe('Checked 1 minute ago')
    wait(MINUTE_MS)
    expect(line()).toBe('Checked 2 minutes ago')
    wait(58 * MINUTE_MS)
    expect(line()).toBe('Checked 1 hour ago')
    wait(47 * 60 * MINUTE_MS)
    expect(line()).toBe('Checked 2 days ago')
  })

  const failure = { kind: 'network' } as const
  test.each<[string, AppEvent, string]>([
    ['offline', Connection.changed({ isLost: true }), 'No connection'],
    ['after a refresh that failed', Signatures.refreshFailed({ failure }), 'Last check failed'],
  ])('[KNOW-5] is not “just now” %s, and is told again later', (_, event, instead) => {
    draw(evolveApp(checkedAt(0), at(event, 91, 1)))
    expect(line()).toBe(instead)
    expect(document.querySelector('footer svg + p')).not.toBeNull()
    wait(MINUTE_MS)
    expect(line()).toBe('Checked 1 minute ago')
    become(evolveApp(checkedAt(0), at(Connection.changed({ isLost: false }), 91, 1)))
    expect(document.querySelector('footer svg + p')).toBeNull()
  })

  test('[KNOW-5] starts over with each response', () => {
    const before = checkedAt(0)
    draw(before)
    wait(5 * MINUTE_MS)
    expect(line()).toBe('Checked 5 minutes ago')
    const refreshed = Signatures.refreshed({ epoch: 0, own: page, delegated: null })
    become(evolveApp(before, at(refreshed, 91, 5 * MINUTE_MS)))
    expect(line()).toBe('Checked just now')
    wait(MINUTE_MS)
    expect(line()).toBe('Checked 1 minute ago')
  })

  test('[KNOW-5] renders once for each change of its text, also after the machine slept', () => {
    const clock = createClock()
    let drawn = 0
    drawLine(new BehaviorSubject(checkedAt(0)), clock, () => (drawn += 1))
    const pass = (ms: number) => {
      act(() => {
        clock.advance(ms)
      })
    }
    drawn = 0
    for (let second = 0; second < 59; second++) pass(1000)
    expect(drawn).toBe(0)
    for (let minute = 1; minute <= 10; minute++) {
      pass(MINUTE_MS)
      expect(drawn).toBe(minute)
    }
    drawn = 0
    // The clock jumps, and no timer fires.
    Object.assign(clock.scheduler, { frame: clock.scheduler.now() + 5 * 60 * MINUTE_MS })
    pass(MINUTE_MS)
    expect(said()).toContain('Checked 5 hours ago')
    expect(drawn).toBe(1)
  })

  test('follows the moment of a replay, forward and back', () => {
    let moment = 0
    const { scheduler } = createClock()
    const time = { scheduler: { now: () => moment, schedule: scheduler.schedule.bind(scheduler) } }
    const state$ = new BehaviorSubject(checkedAt(0))
    drawLine(state$, time)
    const show = (at: number, state: AppState) => {
      act(() => {
        moment = at
        state$.next(state)
      })
    }
    expect(said()).toBe('Checked just now')
    show(5 * MINUTE_MS, state$.value)
    expect(said()).toBe('Checked 5 minutes ago')
    show(MINUTE_MS, state$.value)
    expect(said()).toBe('Checked 1 minute ago')
    show(2 * 60 * MINUTE_MS, checkedAt(119 * MINUTE_MS))
    expect(said()).toBe('Checked 1 minute ago')
    show(119 * MINUTE_MS, checkedAt(0))
    expect(said()).toBe('Checked 1 hour ago')
  })
})

describe('a refresh', () => {
  test('[KNOW-5] is requested once by the button, which keeps the focus, and announced when done', () => {
    draw(stateAfter(...writing))
    const again = button('Check again')
    focus(again)
    clickOn(again)
    expect(recorded).toEqual([Signatures.refreshRequested()])
    become(stateAfter(...writing, Signatures.refreshRequested()))
    expect(line()).toBe('Checking')
    expect(again?.getAttribute('aria-disabled')).toBe('true')
    clickOn(again)
    expect(recorded).toHaveLength(1)
    expect(announced()).toEqual([])
    become(
      stateAfter(
        ...writing,
        Signatures.refreshRequested(),
        Signatures.refreshed({ epoch: 0, own: page, delegated: null }),
      ),
    )
    expect(announced()).toEqual(['Your signatures are up to date.'])
    expect(document.activeElement).toBe(again)
  })

  test('[KNOW-5] that fails offline reports an old list once, and the list stays usable', () => {
    const failure = { kind: 'network' } as const
    draw(
      stateAfter(
        ...writing,
        Signatures.refreshRequested(),
        Defaults.loadFailed({ failure }),
        Signatures.refreshFailed({ failure }),
      ),
    )
    const alerts = all('[role=alert]').map(({ textContent }) => textContent)
    expect(alerts).toHaveLength(1)
    expect(alerts[0]).toContain('This list may be out of date')
    expect(alerts[0]).toContain('Couldn’t reach the signature service.')
    expect(alerts[0]).toContain('The list refreshes when the service is back.')
    expect(line()).toBe('Last check failed')
    const isMarked = () => document.querySelector('footer svg + p') !== null
    expect(isMarked()).toBe(true)
    expect(options().every((each) => each.getAttribute('aria-disabled') !== 'true')).toBe(true)
    clickOn(option('Short'))
    clickOn(button('Check again'))
    expect(recorded.map(({ type }) => type)).toEqual(['insertion/chosen', 'signatures/refreshRequested'])
    become(stateAfter(...writing))
    expect(isMarked()).toBe(false)
  })

  test('that fails permanently promises no automatic retry', () => {
    const failure = { kind: 'malformed', at: 'objects' } as const
    draw(stateAfter(...writing, Signatures.refreshFailed({ failure })))
    expect(said()).toContain('This list may be out of date')
    expect(said()).not.toContain('The list refreshes')
  })

  test('has no button before sign-in, and shows "Not checked yet" before the first list', () => {
    draw(stateAfter(Router.navigated({ path: '/app/dashboard' })))
    expect(button('Check again')).toBeUndefined()
    const failure = { kind: 'network' } as const
    become(
      stateAfter(
        ...signedInWriting('item-1'),
        Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure }),
      ),
    )
    expect(line()).toBe('Not checked yet')
    expect(said()).toContain('Couldn’t load your signatures')
  })
})
