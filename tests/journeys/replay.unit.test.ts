import { Insertion } from '../../streams/message/insertion/events.ts'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { createHistory, EVENTS_PER_CHECKPOINT } from '../../src/playground/timeline/history.ts'
import { matchingEventNumbers, eventSummary } from '../../src/playground/timeline/logReading.ts'
import { openLog } from '../../src/playground/timeline/openLog.ts'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import { createLogWriter } from '../../streams/pane/logFile.ts'
import { createRedactor } from '../../streams/pane/redact.ts'
import { type AppState, evolveApp, initialState } from '../../streams/pane/state.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { contentHash } from '../../streams/html/hash.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { replayLog } from '../../streams/kernel/store.ts'
import type { SignatureContent } from '../../streams/html/content.ts'
import { eventOf } from '../support/arbitraries.ts'
import { openPane } from '../support/pane.ts'
import { cachedSignature, listedSignature, logOf, masterId, textOf, throughJson } from '../support/state.ts'

const stage = { production: false, beta: false }
const about = { software: '1.2.3', stage }
const initial = initialState(stage)
const logs = fc.array(eventOf(), { maxLength: 200 }).map((events) => logOf(...events))

/** A session with a sign-in, the default inserted, another signature chosen and a new message. */
function runSession() {
  const pane = openPane({
    own: [listedSignature({ name: 'Short', combinedIds: 'c-short', html: '<p>A.</p>' })],
  })
  pane.clock.advance(2_000)
  pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
  pane.clock.advance(2_000)
  pane.mailbox.act({ type: 'newMessage' })
  pane.clock.advance(60_000)
  return pane
}

describe('scrubbing through a session', () => {
  it('[KNOW-1] gives the state that was live at each event, and changes neither pane nor message', () => {
    const lived: AppState[] = []
    const pane = openPane()
    // Events recorded before the subscription.
    const early = pane.app.log.length
    pane.app.event$.subscribe(() => lived.push(pane.app.state$.value))
    pane.clock.advance(2_000)
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(60_000)
    const { log } = pane.app
    expect(log.length).toBeGreaterThan(early + 20)
    expect(log.length).toBe(early + lived.length)

    const [state, message] = [pane.app.state$.value, pane.mailbox.state$.value]
    const [events, calls] = [log.length, pane.mailbox.calls.length]
    const history = createHistory(() => initial, evolveApp, log)
    const there = lived.map((_, index) => early + index)
    for (const place of [...there, ...there.toReversed(), ...there.filter((each) => each % 7 === 0)])
      expect(history.transitionAt(place).after).toEqual(lived[place - early])
    expect(pane.app.state$.value).toBe(state)
    expect(pane.mailbox.state$.value).toBe(message)
    expect([log.length, pane.mailbox.calls.length]).toEqual([events, calls])
  })

  test.prop([logs, fc.array(fc.nat(), { minLength: 1, maxLength: 30 })])(
    '[KNOW-1] gives the fold of the log up to any event, in any order',
    (log, looks) => {
      if (log.length === 0) return
      const history = createHistory(() => initial, evolveApp, log)
      for (const look of looks) {
        const place = look % log.length
        const { before, after } = history.transitionAt(place)
        expect(before).toEqual(replayLog(initial, evolveApp, log.slice(0, place)))
        expect(after).toEqual(replayLog(initial, evolveApp, log.slice(0, place + 1)))
        // An event that changes nothing keeps the reference, or everything would look changed.
        expect(after === before).toBe(evolveApp(before, log[place]!) === before)
      }
    },
  )

  test.prop([logs, fc.nat(), fc.nat()])(
    '[START-6] gives the same states after older events were folded',
    (log, folded, look) => {
      if (log.length === 0) return
      const place = look % log.length
      const from = folded % (place + 1)
      const kept = [...log]
      let base = initial
      const history = createHistory(() => base, evolveApp, kept)
      const expected = history.transitionAt(place)
      base = replayLog(base, evolveApp, kept.splice(0, from))
      expect(history.transitionAt(place)).toEqual(expected)
    },
  )

  it('follows a log that grows', () => {
    const log: Recorded<LoggedEvent>[] = []
    const history = createHistory(() => initial, evolveApp, log)
    for (const event of runSession().app.log) {
      log.push(event)
      expect(history.transitionAt(log.length - 1).after).toEqual(replayLog(initial, evolveApp, log))
    }
  })

  it('folds few events again at any place of a long log', () => {
    let folded = 0
    const evolve = (sum: number, { value }: { value: number }) => {
      folded++
      return sum + value
    }
    const log = Array.from({ length: 10_000 }, (_, seq) => ({
      value: seq,
      meta: { seq, at: seq, source: 'test' },
    }))
    const history = createHistory(() => 0, evolve, log)
    history.transitionAt(log.length - 1)
    expect(folded).toBeLessThanOrEqual(log.length + EVENTS_PER_CHECKPOINT)
    for (const place of [9_000, 10, 8_999, 5_000, 4_999, 4_998, 9_999, 0]) {
      folded = 0
      expect(history.transitionAt(place).after).toBe((place * (place + 1)) / 2)
      expect(folded).toBeLessThanOrEqual(EVENTS_PER_CHECKPOINT + 1)
    }
  })
})

describe('the rows of the timeline', () => {
  it('[KNOW-1] include every event of a session, numbered from 0, and each is found by its text', () => {
    const { log } = runSession().app
    expect(log.map(({ meta }) => meta.seq)).toEqual(log.map((_, index) => index))
    expect(matchingEventNumbers(log, { domain: '', words: '' })).toHaveLength(log.length)
    for (const [place, event] of log.entries()) {
      const domain = event.type.slice(0, event.type.indexOf('/'))
      expect(
        matchingEventNumbers(log, {
          domain,
          words: `${event.type} ${event.meta.source} ${eventSummary(event)}`,
        }),
      ).toContain(place)
    }
    expect(
      matchingEventNumbers(log, { domain: 'mailbox', words: '' }).every((place) =>
        log[place]!.type.startsWith('mailbox/'),
      ),
    ).toBe(true)
    expect(matchingEventNumbers(log, { domain: '', words: 'nothing says this' })).toEqual([])
  })

  test.prop([eventOf()])('summarise an event in one short line', (event) => {
    const [logged] = logOf(event)
    const line = eventSummary(logged!)
    expect(line).not.toMatch(/\n/)
    expect(line.length).toBeLessThan(800)
  })
})

describe('a log from a file', () => {
  test.prop([logs])('[KNOW-2] replays to the state of the redacted log after an export', (log) => {
    const opened = openLog(textOf(createLogWriter(about).write(log)))
    if ('problem' in opened) throw new Error(opened.problem)
    const last = log.length - 1
    const expected = throughJson(replayLog(initial, evolveApp, log.map(createRedactor())))
    expect(throughJson(last < 0 ? initial : opened.history.transitionAt(last).after)).toEqual(expected)
  })

  it('names a content that it has already by its hash, and is refused where that names none', () => {
    const content = { html: '<p>A</p>', images: [] }
    const withImage = {
      ...content,
      images: [{ url: 'https://a.example/1.png', name: '1', content: 'QQ==', status: 200 }],
    }
    const inMessage = {
      combinedIds: 'c-1',
      name: 'A',
      hash: contentHash(content.html),
      reason: { origin: 'manual', composeType: 'newMail', reply: false },
    } as const
    const inserted = (put: SignatureContent, id: number) =>
      Insertion.succeeded({ id, itemKey: 'item-1', target: { kind: 'none' }, inMessage, content: put })
    const log = logOf<LoggedEvent>(
      Defaults.loaded({ value: cachedSignature(content) }),
      ...[content, content, withImage, withImage, content].map(inserted),
    )
    const text = textOf(createLogWriter(about).write(log))
    const file = JSON.parse(text)
    const contents = file.events.slice(1).map(({ data }: { data: { content: unknown } }) => data.content)
    const { hash } = file.events[1].data.inMessage
    const whole = expect.any(Object)
    expect(contents).toEqual([whole, hash, whole, hash, whole])
    const opened = openLog(text)
    expect('file' in opened && opened.file.events).toEqual(throughJson(log.map(createRedactor())))

    file.events[4].data.content = 'another'
    expect(openLog(JSON.stringify(file))).toEqual({ problem: 'brokenEvent', at: 4 })
    delete file.events[1].data.inMessage
    expect(openLog(JSON.stringify(file))).toEqual({ problem: 'brokenEvent', at: 1 })
  })

  it('is written event by event, so that no text holds the whole log', () => {
    const { log } = runSession().app
    let asked = 0
    const counted = function* () {
      for (const event of log) {
        asked += 1
        yield event
      }
    }
    const [head, ...parts] = createLogWriter(about).write(counted())
    expect(parts.slice(0, -1).map((part) => JSON.parse(part.replace(/^,/, '')).meta.seq)).toEqual(
      log.map(({ meta }) => meta.seq),
    )
    expect(head).not.toContain('meta')
    expect(asked).toBe(log.length)
    asked = 0
    const [first, second] = createLogWriter(about).write(counted())
    expect([first, second]).toEqual([head, parts[0]])
    expect(asked).toBe(1)
  })

  it('[KNOW-2] of a whole session replays to the route and the insertion status of the session', () => {
    const { app } = runSession()
    const opened = openLog(textOf(createLogWriter(about).write(app.log)))
    if ('problem' in opened) throw new Error(opened.problem)
    const { after } = opened.history.transitionAt(app.log.length - 1)
    expect(after.insertion.latest?.attempt.status).toBe(app.state$.value.insertion.latest?.attempt.status)
    expect(after.router).toEqual(app.state$.value.router)
    expect(opened.file.events).toHaveLength(app.log.length)
  })

  it.each([
    ['no JSON', '{ "format": ', { problem: 'notJson' }],
    ['another file', '{"name":"signet"}', { problem: 'otherFile' }],
    ['a list', '[]', { problem: 'otherFile' }],
    [
      'a newer version',
      '{"format":"signet-log","version":99,"stage":{},"base":null,"events":[]}',
      { problem: 'otherVersion' },
    ],
    [
      'a log without a part of its first state',
      '{"format":"signet-log","version":5,"stage":{},"base":{"auth":{"status":"unknown"}},"events":[]}',
      { problem: 'otherVersion' },
    ],
    [
      'a log without a stage',
      '{"format":"signet-log","version":5,"base":null,"events":[]}',
      { problem: 'otherVersion' },
    ],
  ])('is refused with its reason when it is %s', (_, text, problem) => {
    expect(openLog(text)).toEqual(problem)
  })

  it('is refused with the place of an event that is unknown, out of order or malformed', () => {
    const { log } = runSession().app
    const broken = (place: number, change: object) => {
      const file = JSON.parse(textOf(createLogWriter(about).write(log)))
      Object.assign(file.events[place], change)
      return openLog(JSON.stringify(file))
    }
    expect(broken(0, { type: 'mailbox/exploded' })).toEqual({ problem: 'brokenEvent', at: 0 })
    expect(broken(3, { type: 'mailbox/exploded' })).toEqual({ problem: 'brokenEvent', at: 3 })
    expect(broken(4, { meta: { seq: 9, at: 0, source: 'x' } })).toEqual({ problem: 'brokenEvent', at: 4 })
    for (const at of [8.64e15 + 1, -1e300, Infinity, '2026-01-01'])
      expect(broken(4, { meta: { seq: 4, at, source: 'x' } })).toEqual({ problem: 'brokenEvent', at: 4 })
    const place = log.findIndex(({ type }) => type === 'signatures/pageLoaded')
    expect(broken(place, { data: { list: 'own', epoch: 0 } })).toEqual({ problem: 'brokenEvent', at: place })
  })

  test.prop([fc.jsonValue()])('never throws, whatever JSON it is', (value) => {
    expect(() => openLog(JSON.stringify(value))).not.toThrow()
  })
})
