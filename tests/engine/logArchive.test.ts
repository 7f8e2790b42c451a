import { describe, expect, it } from 'vitest'
import { createLogArchive, FOLDED_AT_ONCE, KEPT_EVENTS } from '../../src/engine/logArchive.ts'
import { openLog } from '../../src/playground/timeline/openLog.ts'
import type { LoggedEvent } from '../../streams/app/events.ts'
import { createLogWriter } from '../../streams/app/logFile.ts'
import { createRedactor } from '../../streams/app/redact.ts'
import { evolveApp, initialState } from '../../streams/app/state.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { replay } from '../../streams/kernel/store.ts'
import { Variables } from '../../streams/variables/events.ts'
import { openPane } from '../support/pane.ts'
import { throughJson } from '../support/state.ts'

/** A running pane whose archive loads its code as `load` does; `all` has every event of it. */
function openArchived(load = () => Promise.resolve(createLogWriter)) {
  const pane = openPane()
  const all: Recorded<LoggedEvent>[] = [...pane.app.log]
  pane.app.event$.subscribe((event) => all.push(event))
  const archive = createLogArchive(pane.app, load)
  pane.clock.advance(2_000)
  /** The user types this many times. */
  const type = async (times: number) => {
    for (let count = 0; count < times; count++) {
      pane.app.record(Variables.edited({ path: `field-${count % 7}`, value: `words ${count}` }))
      // The archive loads its code in a promise.
      if (count % 100 === 0) await settled()
    }
    await settled()
  }
  return { ...pane, archive, all, type }
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

const initial = initialState({ production: false, beta: false })

describe('the log of a long session', () => {
  it('[START-6] stays bounded, and folds to the live state at any length', async () => {
    const { app, type } = openArchived()
    for (let part = 0; part < 12; part++) {
      await type(FOLDED_AT_ONCE)
      expect(app.log.length).toBeLessThan(KEPT_EVENTS + 2 * FOLDED_AT_ONCE)
      expect(replay(app.base(), evolveApp, app.log)).toEqual(app.state$.value)
    }
    expect(app.log.length).toBeGreaterThanOrEqual(KEPT_EVENTS)
    expect(app.log[0]?.meta.seq).toBeGreaterThan(3 * FOLDED_AT_ONCE)
    expect(app.log.map(({ meta }) => meta.seq)).toEqual(
      app.log.map((_, index) => app.log[0]!.meta.seq + index),
    )
  })

  it('[KNOW-2] is exported without personal data, and replays as the log of all events does', async () => {
    const { app, archive, all, type } = openArchived()
    await type(KEPT_EVENTS + 3 * FOLDED_AT_ONCE)
    expect(app.log.length).toBeLessThan(all.length)
    const text = await archive.exportLog()
    expect(text).not.toContain('alex.kim')
    expect(text).not.toContain('words 1')
    const opened = openLog(text)
    if ('problem' in opened) throw new Error(opened.problem)
    const redacted = createRedactor()(all)
    expect(opened.file.events).toEqual(throughJson(redacted.slice(-app.log.length)))
    const { after } = opened.history.transitionAt(all.at(-1)!.meta.seq)
    expect(throughJson(after)).toEqual(throughJson(replay(initial, evolveApp, redacted)))
  })

  it('is exported up to an event', async () => {
    const { archive } = openArchived()
    const opened = openLog(await archive.exportLog(7))
    expect('file' in opened && opened.file.events.map(({ meta }) => meta.seq)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ])
  })

  it('keeps every event while the code for folding cannot be loaded, and folds when it can', async () => {
    let isOffline = true
    const { app, archive, all, type } = openArchived(() =>
      isOffline ? Promise.reject(new TypeError('offline')) : Promise.resolve(createLogWriter),
    )
    await type(KEPT_EVENTS + 2 * FOLDED_AT_ONCE)
    expect(app.log).toHaveLength(all.length)
    await expect(archive.exportLog()).rejects.toThrow('offline')
    isOffline = false
    await type(FOLDED_AT_ONCE)
    expect(app.log.length).toBeLessThan(all.length)
    expect(replay(app.base(), evolveApp, app.log)).toEqual(app.state$.value)
  })

  it('has the same placeholder for a value in every export', async () => {
    const { app, clock, mailbox, archive } = openArchived()
    const eventsOf = (text: string): readonly unknown[] => JSON.parse(text).events
    const first = eventsOf(await archive.exportLog())
    mailbox.act({ type: 'newMessage' })
    clock.advance(2_000)
    const second = eventsOf(await archive.exportLog())
    expect(second).toHaveLength(app.log.length)
    expect(second.length).toBeGreaterThan(first.length)
    expect(second.slice(0, first.length)).toEqual(first)
  })
})
