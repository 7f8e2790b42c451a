import { VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { LAUNCH_RECORD_KEY } from '../../streams/launch/record.ts'
import {
  createRuntimeHost,
  RUNTIME_LINGER_MS,
  RUNTIME_LIMIT_MS,
  type RuntimeTools,
  SLOW_START_MS,
} from '../../src/playground/runtimeHost.ts'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../src/playground/mailbox/mailbox.ts'
import type { MailboxAction } from '../../src/playground/mailbox/model.ts'
import type { LaunchFault, LaunchMode } from '../../src/playground/scenario/scenario.ts'

const CLAIRE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }

/** A runtimeHost on virtual time. What a test's runtimes do is what the test tells them to. */
function running(options: { mode?: LaunchMode; faults?: readonly LaunchFault[] } = {}) {
  const scheduler = new VirtualTimeScheduler()
  const time = { scheduler }
  const mailbox = createMailbox(demoMailbox(), { time, accessToken: () => of('') })
  const faults = new Set(options.faults)
  const runtimes: { tools: RuntimeTools; startedAt: number; raised: string[]; isEnded: boolean }[] = []
  const start = (tools: RuntimeTools) => {
    const runtime = { tools, startedAt: scheduler.now(), raised: [] as string[], isEnded: false }
    runtimes.push(runtime)
    return {
      raise: (id: string, name: string) => void runtime.raised.push(`${id} ${name}`),
      log: () => Promise.resolve([]),
      end: () => {
        runtime.isEnded = true
      },
    }
  }
  const runtimeHost = createRuntimeHost({
    mailbox,
    time,
    runtimes: { page: start },
    mode: () => options.mode ?? 'page',
    faults: { has: (fault) => faults.has(fault), clear: (fault) => void faults.delete(fault) },
  })
  const passing = (ms: number) => {
    scheduler.maxFrames = scheduler.frame + ms
    scheduler.flush()
    // The clock of virtual time stands at its last action.
    scheduler.frame = scheduler.maxFrames
    scheduler.maxFrames = Number.POSITIVE_INFINITY
  }
  const act = (action: MailboxAction) => {
    const id = mailbox.act(action)
    passing(50)
    return id
  }
  const outcomes = () => runtimeHost.raised$.value.map(({ kind, outcome }) => `${kind} ${outcome}`)
  const note = (outcome: string, age = 0) =>
    runtimes
      .at(-1)
      ?.tools.mailbox.call(
        'sessionData.setAsync',
        { name: LAUNCH_RECORD_KEY, value: JSON.stringify({ outcome, age }) },
        () => undefined,
      )
  return { scheduler, mailbox, faults, runtimes, runtimeHost, passing, act, outcomes, note }
}

describe('the runtimeHost', () => {
  test('starts a runtime for the message that is open, and one for each that is begun', () => {
    const { runtimeHost, runtimes, act, outcomes } = running()
    act({ type: 'newMessage' })
    expect(runtimes).toEqual([])
    runtimeHost.start()
    act({ type: 'reply' })
    expect(runtimes.map(({ raised }) => raised)).toEqual([
      ['launch-1 onNewMessageCompose'],
      ['launch-2 onNewMessageCompose'],
    ])
    expect(outcomes()).toEqual(['newMessage ended', 'newMessage running'])
  })

  test('waits until the message is shown', () => {
    const { runtimeHost, runtimes, mailbox, passing } = running()
    runtimeHost.start()
    mailbox.act({ type: 'newMessage' })
    expect(runtimes).toHaveLength(1)
    passing(50)
    expect(runtimes).toHaveLength(2)
    expect(runtimes[1]?.startedAt).toBe(30)
  })

  test('[MEET-6] lets a message go as the runtime answers, and without an answer when there is no runtime', () => {
    const sending = (mode: LaunchMode) => {
      const started = running({ mode })
      started.runtimeHost.start()
      started.act({ type: 'newMessage' })
      started.act({ type: 'setRecipients', to: [CLAIRE] })
      started.act({ type: 'setQuirk', quirk: 'asksBeforeSending', on: true })
      started.act({ type: 'send', date: 0 })
      const leaving = () => started.mailbox.state$.value.leaving
      return { ...started, leaving, isSent: () => started.mailbox.state$.value.open === null }
    }
    const question = { allowEvent: false, errorMessage: 'Missing', sendModeOverride: 'promptUser' }
    const asked = sending('page')
    expect(asked.leaving()?.question).toBeNull()
    asked.runtimes.at(-1)?.tools.onCompleted('launch-4', true, question)
    expect(asked.leaving()?.question).toEqual({ text: 'Missing', button: null })
    expect(asked.isSent()).toBe(false)

    const allowed = sending('page')
    allowed.runtimes.at(-1)?.tools.onCompleted('launch-4', true, { allowEvent: true })
    expect(allowed.isSent()).toBe(true)
    const unknown = sending('page')
    unknown.runtimes.at(-1)?.tools.onCompleted('launch-4', false)
    expect(unknown.isSent()).toBe(true)
    const silent = sending('page')
    silent.passing(RUNTIME_LIMIT_MS)
    expect(silent.isSent()).toBe(true)
    for (const mode of ['off', 'classic'] as const) expect(sending(mode).isSent()).toBe(true)
  })

  test('starts nothing when it is off, and nothing of a kind that the page cannot start', () => {
    for (const mode of ['off', 'classic'] as const) {
      const { runtimeHost, runtimes, act } = running({ mode })
      runtimeHost.start()
      act({ type: 'newMessage' })
      expect(runtimes).toEqual([])
      expect(runtimeHost.raised$.value).toEqual([])
    }
  })

  test('gives a runtime that works on the message the next event, and ends it a second after the last', () => {
    const { runtimeHost, runtimes, act, passing, outcomes } = running()
    runtimeHost.start()
    act({ type: 'setFrom', from: CLAIRE })
    const [runtime] = runtimes
    expect(runtime?.raised).toEqual(['launch-1 onNewMessageCompose', 'launch-2 onMessageFromChanged'])
    runtime?.tools.onCompleted('launch-1', true)
    passing(2 * RUNTIME_LINGER_MS)
    expect(runtime?.isEnded).toBe(false)
    runtime?.tools.onCompleted('launch-2', true)
    passing(RUNTIME_LINGER_MS / 2)
    act({ type: 'setFrom', from: CLAIRE })
    passing(2 * RUNTIME_LINGER_MS)
    expect([runtimes.length, runtime?.isEnded]).toEqual([1, false])
    runtime?.tools.onCompleted('launch-3', true)
    passing(RUNTIME_LINGER_MS - 1)
    expect(runtime?.isEnded).toBe(false)
    passing(2)
    expect(runtime?.isEnded).toBe(true)
    act({ type: 'setRecipients', to: [CLAIRE] })
    expect(runtimes).toHaveLength(2)
    expect(outcomes()).toEqual([
      'newMessage completed',
      'fromChanged completed',
      'fromChanged completed',
      'recipientsChanged running',
    ])
  })

  test('ends the runtimes of a message that is closed, sent or left, and hears nothing more of them', () => {
    for (const action of [
      { type: 'close' },
      { type: 'send', date: 0 },
      { type: 'switchTo', id: null },
      { type: 'switchTo', id: 'item-1' },
    ] as const) {
      const { runtimeHost, runtimes, mailbox, act, note, passing, outcomes } = running()
      act({ type: 'reply' })
      runtimeHost.start()
      act(action)
      expect(runtimes[0]?.isEnded).toBe(true)
      const made = mailbox.calls.length
      note('inserted')
      runtimes[0]?.tools.onCompleted('launch-1', true)
      passing(10)
      expect(mailbox.calls).toHaveLength(made)
      expect(outcomes()).toEqual(['newMessage ended'])
    }
  })

  test('tells what the program noted in the message, how long it took, and its calls', () => {
    const { runtimeHost, runtimes, passing, note } = running()
    runtimeHost.start()
    passing(200)
    note('inserted')
    passing(5)
    runtimes[0]?.tools.onCompleted('launch-1', true)
    runtimes[0]?.tools.onCompleted('launch-1', false)
    const [launch] = runtimeHost.raised$.value
    expect(launch).toMatchObject({
      kind: 'newMessage',
      runtime: 'page',
      outcome: 'inserted',
      ms: 205,
      calls: ['sessionData.setAsync'],
    })
  })

  test('reads a note that comes after the completion, and not that of an earlier event', () => {
    const { runtimeHost, runtimes, act, passing, note, outcomes } = running()
    runtimeHost.start()
    note('inserted')
    passing(5)
    runtimes[0]?.tools.onCompleted('launch-1', true)
    act({ type: 'setFrom', from: CLAIRE })
    runtimes[0]?.tools.onCompleted('launch-2', true)
    expect(outcomes()).toEqual(['newMessage inserted', 'fromChanged completed'])
    note('already')
    passing(2 * RUNTIME_LINGER_MS)
    expect(outcomes()).toEqual(['newMessage inserted', 'fromChanged already'])
  })

  test('tells of a handler that is not there', () => {
    const { runtimeHost, runtimes, outcomes } = running()
    runtimeHost.start()
    runtimes[0]?.tools.onCompleted('launch-1', false)
    expect(outcomes()).toEqual(['newMessage notFound'])
  })

  test('ends a runtime after its time', () => {
    const { runtimeHost, runtimes, passing, outcomes } = running()
    runtimeHost.start()
    passing(RUNTIME_LIMIT_MS - 1)
    expect(runtimes[0]?.isEnded).toBe(false)
    passing(2)
    expect(outcomes()).toEqual(['newMessage ended'])
  })
})

describe('faults of the runtimes', () => {
  test('a slow start', () => {
    const { runtimeHost, runtimes, act, passing } = running({ faults: ['slowStart'] })
    runtimeHost.start()
    act({ type: 'setFrom', from: CLAIRE })
    expect(runtimes).toEqual([])
    passing(SLOW_START_MS)
    expect(runtimes.map(({ raised }) => raised.length)).toEqual([2])
    act({ type: 'newMessage' })
    act({ type: 'switchTo', id: null })
    passing(SLOW_START_MS)
    expect(runtimes).toHaveLength(1)
  })

  test('one that ends in the middle has written, and does not hear of it', () => {
    const { runtimeHost, runtimes, mailbox, faults, passing, outcomes } = running({ faults: ['killed'] })
    runtimeHost.start()
    let isHeard = false
    const args = { data: 'S', coercionType: 'html' } as const
    runtimes[0]?.tools.mailbox.call('body.setSignatureAsync', args, () => (isHeard = true))
    passing(10)
    expect(mailbox.snapshot().items[0]?.signatureHtml).toBe('S')
    expect([isHeard, runtimes[0]?.isEnded, faults.has('killed')]).toEqual([false, true, false])
    expect(outcomes()).toEqual(['newMessage ended'])
  })

  test('no storage', () => {
    for (const [faults, expected] of [
      [[], true],
      [['noStorage'], false],
    ] as const) {
      const { runtimeHost, runtimes } = running({ faults })
      runtimeHost.start()
      expect(runtimes[0]?.tools.hasStorage).toBe(expected)
    }
  })

  test('old settings of the mailbox', () => {
    const { runtimeHost, runtimes, mailbox, faults, passing } = running()
    runtimeHost.start()
    mailbox.call('roamingSettings.saveAsync', { name: 'lsi_launch', value: 1 }, () => undefined)
    passing(1)
    const seen = () => runtimes[0]?.tools.mailbox.client.start.roamingSettings
    expect(seen()).toEqual({ lsi_launch: 1 })
    faults.add('staleSettings')
    expect(seen()).toEqual({})
  })

  test('session data that fails, for the runtimes only', () => {
    const { runtimeHost, runtimes, mailbox, passing } = running({ faults: ['sessionDataFails'] })
    runtimeHost.start()
    const replies: boolean[] = []
    const args = { name: 'a', value: 'b' }
    for (const each of [runtimes[0]?.tools.mailbox, mailbox])
      each?.call('sessionData.setAsync', args, ({ ok }) => replies.push(ok))
    passing(1)
    expect(replies).toEqual([false, true])
  })
})
