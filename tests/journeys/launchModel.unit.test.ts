import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QUIRKS } from '../../src/playground/mailbox/body.ts'
import { type ClientProfile, CLIENT_PROFILES } from '../../src/playground/mailbox/profiles.ts'
import { contentIds } from '../../streams/html/message.ts'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { IMAGE_PREFIX } from '../../streams/html/plan.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import { type Launched, startLaunch } from '../support/launch.ts'
import { createWorld, openPane, type World } from '../support/pane.ts'
import {
  cachedSignature,
  image,
  listedSignature,
  profile,
  replyVersion,
  withNotice,
} from '../support/state.ts'
import { cases } from '../support/cases.ts'
import { spoiltField } from '../support/mailFaults.ts'
import type { SpoiltField } from '../../src/playground/mailbox/spoil.ts'
import { createLine, twoPaces } from '../support/line.ts'

// Any launch events, in two runtimes or more, each with its own speed, while anything goes wrong: each event is
// completed once, and the message is whole.

const LOGO = 'https://images.northwind.example/logo.png'
const SALES = { address: 'sales@northwind.example', name: 'Sales desk' }
/** Enough words to be recognised without a mark. */
const WORDS = [
  'Alex Kim, Purchasing at Northwind Traders',
  'Alex Kim, Purchasing, in short for replies',
  'The sales desk of Northwind Traders in Bergen',
] as const
const SEAL = 'https://images.northwind.example/seal.png'
/** Words of a block that goes with recipients outside of the organisation. */
const NOTICE = 'Only for whom it is addressed to'
const slotted = (html: string) => withNotice(html, `<p>${NOTICE}</p><img src="${SEAL}">`)
const standard = cachedSignature({
  ...slotted(`<p>${WORDS[0]}</p><img src="${LOGO}">`),
  reply: { ...replyVersion(''), ...slotted(`<p>${WORDS[1]}</p>`) },
  images: [image(LOGO), image(SEAL)],
})
const known = {
  standard,
  profile: profile({ delegations: ['u-2'] }),
  delegated: [
    listedSignature({
      name: 'Sales desk',
      email: SALES.address,
      combinedIds: 'c-sales',
      ...slotted(`<p>${WORDS[2]}</p><img src="${LOGO}">`),
      images: [image(LOGO), image(SEAL)],
    }),
  ],
}

type Act =
  | Readonly<{ kind: 'raise'; event: LaunchKind; by: 0 | 1; isNewRuntime: boolean }>
  | Readonly<{ kind: 'sender'; isSales: boolean }>
  | Readonly<{ kind: 'recipients'; count: number }>
  | Readonly<{ kind: 'service'; isDown: boolean }>
  | Readonly<{ kind: 'spoil'; field: SpoiltField }>
  | Readonly<{ kind: 'sessionDataFails' | 'switchItem' | 'removeSignature' }>

const event = fc.constantFrom<LaunchKind>('newMessage', 'fromChanged', 'recipientsChanged')
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('raise' as const),
      event,
      by: fc.constantFrom<0 | 1>(0, 1),
      isNewRuntime: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('sender' as const), isSales: fc.boolean() }),
  fc.record({ kind: fc.constant('recipients' as const), count: fc.nat(3) }),
  fc.record({ kind: fc.constant('service' as const), isDown: fc.boolean() }),
  fc.record({ kind: fc.constant('spoil' as const), field: spoiltField }),
  fc.record({ kind: fc.constantFrom('sessionDataFails', 'switchItem', 'removeSignature') }),
)
const pauseMs = fc.constantFrom(0, 3, 20, 150, 900, 4_000)
const schedule = fc.record({
  paces: twoPaces,
  /** The first event of each of the two runtimes. */
  begun: fc.tuple(event, event),
  gapMs: pauseMs,
  acts: fc.array(fc.tuple(act, pauseMs), { maxLength: 8 }),
  callMs: fc.constantFrom(0, 2, 15, 80),
  hasCopy: fc.boolean(),
  quirks: fc.subarray([...QUIRKS]),
  edition: fc.constantFrom(null, ...CLIENT_PROFILES),
  silent: fc.option(fc.constantFrom('body.getAsync', 'body.setSignatureAsync', 'sessionData.setAsync', '*'), {
    freq: 5,
  }),
})

const arrange = (
  hasCopy: boolean,
  quirks: readonly (typeof QUIRKS)[number][],
  edition: ClientProfile | null,
): World => {
  if (!hasCopy) return createWorld({ ...known, quirks, edition })
  const pane = openPane({ ...known, quirks, edition })
  pane.clock.advance(5_000)
  pane.app.stop()
  return pane
}

describe('launch events', () => {
  it('[AUTO-4] [AUTO-9] are completed once each, and leave a whole message, whatever happens', () => {
    fc.assert(
      fc.property(schedule, ({ paces, begun, gapMs, acts, callMs, hasCopy, quirks, edition, silent }) => {
        const world = arrange(hasCopy, quirks, edition)
        const { mailbox, clock, service } = world
        mailbox.act({ type: 'newMessage' })
        clock.advance(100)
        mailbox.delay('*', callMs)
        if (silent !== null) mailbox.silence(silent)
        const lines = [createLine(paces[0]), createLine(paces[1])] as const
        const launched: Launched[] = []
        const raised: number[] = []
        /** The place among the launched of the runtime that each of the two has now. */
        const running: [number, number] = [-1, -1]
        const raise = (kind: LaunchKind, by: 0 | 1, isNewRuntime: boolean) => {
          const at = running[by]
          const last = launched[at]
          // A runtime whose events are all completed is over.
          if (last === undefined || isNewRuntime || last.completed.length === raised[at]) {
            running[by] = launched.length
            launched.push(startLaunch(world, kind, { line: lines[by] }))
            raised.push(1)
          } else {
            last.raise(kind)
            raised[at] = (raised[at] ?? 0) + 1
          }
        }
        raise(begun[0], 0, true)
        clock.advance(gapMs)
        raise(begun[1], 1, true)
        for (const [each, pauseMs] of acts) {
          switch (each.kind) {
            case 'raise':
              raise(each.event, each.by, each.isNewRuntime)
              break
            case 'sender': {
              const from = each.isSales ? SALES : { address: 'alex.kim@northwind.example', name: 'Alex Kim' }
              mailbox.act({ type: 'setFrom', from })
              break
            }
            case 'recipients':
              mailbox.act({
                type: 'setRecipients',
                to: Array.from({ length: each.count }, (_, at) => ({
                  address: `${String(at)}@fabrikam.example`,
                  name: '',
                })),
              })
              break
            case 'service':
              service.failure = each.isDown ? { kind: 'network' } : null
              break
            case 'sessionDataFails':
              mailbox.fail('sessionData.setAsync', { code: 5000, name: 'InternalError' }, 3)
              break
            case 'spoil':
              mailbox.spoil(each.field.answer, each.field.field, each.field.as)
              break
            case 'switchItem':
              mailbox.act({ type: 'newMessage' })
              break
            case 'removeSignature':
              mailbox.act({ type: 'signatureEdited', signature: '' })
          }
          clock.advance(pauseMs)
        }
        clock.advance(120_000)
        expect(launched.map(({ completed }) => completed.length)).toEqual(raised)
        for (const { store, completed } of launched) {
          expect(store.log.filter(({ type }) => type === 'kernel/effectCrashed')).toEqual([])
          expect(new Set(completed.map(({ id }) => id)).size).toBe(completed.length)
          for (const { at } of completed) expect(at).toBeLessThanOrEqual(120_000)
        }
        if (silent !== null || quirks.length > 0 || acts.some(([each]) => each.kind === 'sessionDataFails'))
          return
        for (const item of mailbox.state$.value.items) {
          if (item.mode !== 'compose') continue
          const body = composeBody(item)
          expect(WORDS.flatMap((words) => body.split(words).slice(1)).length).toBeLessThanOrEqual(1)
          const signatures = WORDS.filter((words) => body.includes(words)).length
          expect(body.split(NOTICE).length - 1, 'blocks').toBeLessThanOrEqual(signatures)
          const shown = contentIds(body)
          const names = item.attachments.map(({ name }) => name)
          for (const id of shown) expect(names).toContain(id)
          // A picture of what the user left in the middle, or removed by hand, goes when the message is opened again.
          // An attachment whose id the client does not tell cannot be removed.
          const isLeft = acts.some(
            ([each]) =>
              each.kind === 'switchItem' ||
              each.kind === 'removeSignature' ||
              (each.kind === 'spoil' && each.field.answer === 'getAttachmentsAsync'),
          )
          if (item.id === mailbox.state$.value.open && !isLeft)
            for (const name of names) if (name.startsWith(IMAGE_PREFIX)) expect([...shown]).toContain(name)
        }
      }),
      cases(100, 5_000),
    )
  })
})
