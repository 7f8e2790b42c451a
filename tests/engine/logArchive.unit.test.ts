import { fc, test } from '@fast-check/vitest'
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createLogArchive, EVENTS_FOLDED_AT_ONCE, MAX_LOGGED_EVENTS } from '../../src/engine/logArchive.ts'
import { openLog } from '../../src/playground/timeline/openLog.ts'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import { createLogWriter, readLogFile } from '../../streams/pane/logFile.ts'
import { createRedactor } from '../../streams/pane/redact.ts'
import { type AppState, evolveApp, initialState } from '../../streams/pane/state.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { createStore, replayLog } from '../../streams/kernel/store.ts'
import { Variables } from '../../streams/pane/variables/events.ts'
import { eventOf } from '../support/arbitraries.ts'
import { createClock } from '../support/clock.ts'
import { openPane, type PaneOptions } from '../support/pane.ts'
import { cachedSignature, listedSignature, masterId, textOf, throughJson } from '../support/state.ts'

/** A running pane whose archive loads its code as `load` does; `all` has every event of it. */
function openArchived(load = () => Promise.resolve(createLogWriter), options?: PaneOptions) {
  const pane = openPane(options)
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

const stage = { production: false, beta: false }
const initial = initialState(stage)
/** Events, and how many of the oldest are folded after them. */
const parts = fc.array(fc.tuple(fc.array(eventOf(), { maxLength: 30 }), fc.nat({ max: 40 })), {
  maxLength: 6,
})

describe('the log of a long session', () => {
  it('[START-6] stays bounded, and folds to the live state at any length', async () => {
    const { app, type } = openArchived()
    for (let part = 0; part < 12; part++) {
      await type(EVENTS_FOLDED_AT_ONCE)
      expect(app.log.length).toBeLessThan(MAX_LOGGED_EVENTS + 2 * EVENTS_FOLDED_AT_ONCE)
      expect(replayLog(app.base(), evolveApp, app.log)).toEqual(app.state$.value)
    }
    expect(app.log.length).toBeGreaterThanOrEqual(MAX_LOGGED_EVENTS)
    expect(app.log[0]?.meta.seq).toBeGreaterThan(3 * EVENTS_FOLDED_AT_ONCE)
    expect(app.log.map(({ meta }) => meta.seq)).toEqual(
      app.log.map((_, index) => app.log[0]!.meta.seq + index),
    )
  })

  it('[KNOW-2] is exported without personal data, and replays as the log of all events does', async () => {
    const { app, archive, all, type } = openArchived()
    await type(MAX_LOGGED_EVENTS + 3 * EVENTS_FOLDED_AT_ONCE)
    expect(app.log.length).toBeLessThan(all.length)
    const text = textOf(await archive.exportLog())
    expect(text).not.toContain('alex.kim')
    expect(text).not.toContain('words 1')
    const opened = openLog(text)
    if ('problem' in opened) throw new Error(opened.problem)
    const redacted = all.map(createRedactor())
    expect(opened.file.events).toEqual(throughJson(redacted.slice(-app.log.length)))
    const { after } = opened.history.transitionAt(all.at(-1)!.meta.seq)
    expect(throughJson(after)).toEqual(throughJson(replayLog(initial, evolveApp, redacted)))
  })

  it('is exported up to an event', async () => {
    const { archive } = openArchived()
    const opened = openLog(textOf(await archive.exportLog(7)))
    expect('file' in opened && opened.file.events.map(({ meta }) => meta.seq)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ])
  })

  it('keeps every event while the code for folding cannot be loaded, and folds when it can', async () => {
    let isOffline = true
    const { app, archive, all, type } = openArchived(() =>
      isOffline ? Promise.reject(new TypeError('offline')) : Promise.resolve(createLogWriter),
    )
    await type(MAX_LOGGED_EVENTS + 2 * EVENTS_FOLDED_AT_ONCE)
    expect(app.log).toHaveLength(all.length)
    await expect(archive.exportLog()).rejects.toThrow('offline')
    isOffline = false
    await type(EVENTS_FOLDED_AT_ONCE)
    expect(app.log.length).toBeLessThan(all.length)
    expect(replayLog(app.base(), evolveApp, app.log)).toEqual(app.state$.value)
  })

  it('has the same placeholder for a value in every export', async () => {
    const { app, clock, mailbox, archive } = openArchived()
    const eventsOf = (parts: Iterable<string>): readonly unknown[] => JSON.parse(textOf(parts)).events
    const first = eventsOf(await archive.exportLog())
    mailbox.act({ type: 'newMessage' })
    clock.advance(2_000)
    const second = eventsOf(await archive.exportLog())
    expect(second).toHaveLength(app.log.length)
    expect(second.length).toBeGreaterThan(first.length)
    expect(second.slice(0, first.length)).toEqual(first)
  })

  test.prop([parts])(
    '[KNOW-2] [START-6] replays from every snapshot to the state of all events, in the pane and from a file',
    (recorded) => {
      const store = createStore<AppState, LoggedEvent, null>({
        initial,
        evolve: evolveApp,
        effects: {},
        deps: null,
        time: createClock(),
      })
      const all: Recorded<LoggedEvent>[] = []
      store.event$.subscribe((event) => all.push(event))
      store.start()
      const writer = createLogWriter({ software: '1.2.3', stage })
      for (const [events, folded] of recorded) {
        for (const event of events) store.record(event, 'test')
        const before = store.log.length
        const oldest = store.foldOldest(folded)
        writer.fold(oldest)
        expect(oldest.length + store.log.length).toBe(before)
        expect(oldest).toHaveLength(Math.min(folded, before))
        expect(store.state$.value).toEqual(replayLog(initial, evolveApp, all))
        expect(replayLog(store.base(), evolveApp, store.log)).toEqual(store.state$.value)
        const file = readLogFile(textOf(writer.write(store.log)))
        if ('problem' in file) throw new Error(file.problem)
        const redacted = all.map(createRedactor())
        expect(file.events).toEqual(throughJson(redacted.slice(all.length - store.log.length)))
        expect(throughJson(replayLog(file.base ?? initial, evolveApp, file.events))).toEqual(
          throughJson(replayLog(initial, evolveApp, redacted)),
        )
      }
    },
  )

  it('[START-6] has one copy of a content after 300 messages with it, and a file names it once', async () => {
    const html = '<p>Regards<img src="https://images.example/logo.png"></p>'
    const images = [{ url: 'https://images.example/logo.png', name: 'logo', content: 'QUJD', status: 200 }]
    const { app, archive, clock, mailbox, ports, itemKey } = openArchived(undefined, {
      standard: cachedSignature({ html: '<p>Default</p>', reply: null, images: [] }),
      own: [listedSignature({ name: 'Logo', combinedIds: 'c-logo', html, images: [] })],
    })
    // Each answer has its own copy of the picture.
    ports.api.signature.answers(() =>
      of(cachedSignature({ html, combinedIds: 'c-logo', images: structuredClone(images) })),
    )
    for (let count = 0; count < 300; count++) {
      mailbox.act({ type: 'newMessage' })
      clock.advance(2_000)
      app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: itemKey() }))
      clock.advance(2_000)
      await settled()
    }
    const inserted = app.log.flatMap((event) =>
      event.type === 'insertion/succeeded' ? [event.data.content] : [],
    )
    expect(ports.api.signature.calls.length).toBeGreaterThanOrEqual(300)
    expect(inserted.length).toBeGreaterThan(100)
    expect([...new Set(inserted)].map((content) => content.html).toSorted()).toEqual(['<p>Default</p>', html])
    expect(app.state$.value.insertion.content).toBe(inserted.at(-1))

    const text = textOf(await archive.exportLog())
    const written = JSON.parse(text).events.flatMap((event: LoggedEvent) =>
      event.type === 'insertion/succeeded' ? [event.data.content] : [],
    )
    expect(written).toHaveLength(inserted.length)
    expect(written.filter((content: unknown) => typeof content !== 'string')).toHaveLength(2)
  })
})
