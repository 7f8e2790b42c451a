import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import type { CallName, CallReply } from '../../src/engine/hosts/mailClient.ts'
import {
  fieldPathsIn,
  type SpoilKind,
  SPOIL_KINDS,
  type SpoiltField,
} from '../../src/playground/mailbox/spoil.ts'
import { IS_LONG } from '../support/cases.ts'
import { startLaunch } from '../support/launch.ts'
import { createWorld, openPane, type World } from '../support/pane.ts'
import { cachedSignature, image } from '../support/state.ts'

// Whatever the mail client answers: the pane and launch events go on, and the default goes in.

const LOGO = 'https://images.northwind.example/logo.png'
const WORDS = 'Alex Kim, Purchasing at Northwind Traders'
const html = `<p>${WORDS}</p><img src="${LOGO}">`
const standard = cachedSignature({
  html,
  meeting: { name: 'Meeting', combinedIds: 'c-meeting', html },
  images: [image(LOGO)],
})
const COLOURS = {
  bodyBackgroundColor: '#1f1f1f',
  bodyForegroundColor: '#ffffff',
  controlBackgroundColor: '#1f1f1f',
  controlForegroundColor: '#ffffff',
}

type Answer = SpoiltField['answer']

const arrange = (): World => {
  const world = createWorld({ standard })
  world.mailbox.act({ type: 'setTheme', theme: COLOURS })
  world.mailbox.act({
    type: 'setRecipients',
    to: [{ address: 'maria@fabrikam.example', name: 'Maria' }],
    cc: [{ address: 'leo@northwind.example', name: 'Leo' }],
  })
  return world
}
const signaturesIn = ({ message }: World): number => composeBody(message()).split(WORDS).length - 1

/** The pane in a message, which then gets other recipients, is left and opened again. */
function useThePane(world: World) {
  const pane = openPane({ beside: world })
  const { mailbox, clock } = world
  clock.advance(8_000)
  mailbox.act({ type: 'setRecipients', to: [], cc: [{ address: 'tess@fabrikam.example', name: 'Tess' }] })
  clock.advance(5_000)
  const { open } = mailbox.state$.value
  mailbox.act({ type: 'switchTo', id: null })
  clock.advance(1_000)
  mailbox.act({ type: 'switchTo', id: open })
  clock.advance(8_000)
  pane.app.stop()
  return pane
}

/** A launch event in the message of a mailbox whose default was cached before. */
function raiseAnEvent(world: World) {
  const launched = startLaunch(world, 'newMessage')
  world.clock.advance(20_000)
  launched.raise('recipientsChanged')
  world.clock.advance(60_000)
  return launched
}
const withCachedDefault =
  (type: 'newMessage' | 'newMeeting' = 'newMessage') =>
  (): World => {
    const pane = openPane({ standard })
    pane.clock.advance(5_000)
    pane.app.stop()
    pane.mailbox.act({ type })
    pane.mailbox.act({ type: 'setRecipients', to: [{ address: 'maria@fabrikam.example', name: 'Maria' }] })
    pane.clock.advance(100)
    return pane
  }

/** Every field of every answer that these actions get. */
function fieldsOf(makeWorld: () => World, use: (world: World) => unknown): readonly [Answer, string][] {
  const world = makeWorld()
  const { client } = world.mailbox
  const found = new Map<Answer, Set<string>>()
  const learn = (answer: Answer, value: unknown) =>
    found.set(answer, new Set([...(found.get(answer) ?? []), ...fieldPathsIn(value)]))
  learn('start', client.start)
  learn('theme', client.theme())
  const { call } = client
  Object.assign(client, {
    call: (name: CallName, args: never, done: (reply: CallReply<unknown>) => void) =>
      call(name, args, (reply) => {
        if (reply.ok) learn(name, reply.value)
        done(reply)
      }),
  })
  use(world)
  return [...found].flatMap(([answer, fields]) =>
    [...fields].map((field) => [answer, field] as [Answer, string]),
  )
}

/**
 * Whether nothing can be inserted without this field: it is unknown whose signature it is, or what the message has. An
 * empty body is known: it is the body of an empty message.
 */
const isNeeded = (answer: Answer, field: string, as: SpoilKind): boolean =>
  (answer === 'start' && ['', 'user', 'user.emailAddress'].includes(field)) ||
  (answer === 'body.getAsync' && as !== 'empty')

const crashesIn = (log: readonly Readonly<{ type: string }>[]): number =>
  log.filter(({ type }) => type === 'kernel/effectCrashed').length

/** In each run, every field is spoilt in one of these ways; `answers.test.ts` spoils each in every way. */
const SHORT = ['null', 'missing', 'empty'] as const
const spoils: readonly SpoilKind[] = IS_LONG ? SPOIL_KINDS : SHORT

/** Spoils every field of every answer, one at a time, and gives those for which `use` says that something is wrong. */
const spoiling = (
  makeWorld: () => World,
  use: (world: World) => unknown,
  as: SpoilKind,
  wrongIn: (world: World, isExpected: boolean) => string | null,
  needs: (answer: Answer, field: string) => boolean = () => false,
): readonly string[] =>
  fieldsOf(makeWorld, use).flatMap(([answer, field], index) => {
    if (!IS_LONG && index % SHORT.length !== SHORT.findIndex((each) => each === as)) return []
    const world = makeWorld()
    world.mailbox.spoil(answer, field, as)
    const wrong = wrongIn(world, !isNeeded(answer, field, as) && !needs(answer, field))
    return wrong === null ? [] : [`${answer} ${field}: ${wrong}`]
  })

describe('[HOST-10] an answer of the mail client with a field that is', () => {
  test.each(spoils)('%s stops neither the pane nor the default', (as) => {
    const wrongIn = (world: World, isExpected: boolean) => {
      const { app } = useThePane(world)
      const { auth, insertion } = app.state$.value
      const crashes = crashesIn(app.log)
      const isSaid = auth.status === 'signedOut' || insertion.latest?.attempt.status === 'fail'
      const count = signaturesIn(world)
      if (crashes > 0) return `${String(crashes)} effects crashed`
      if (isExpected) return count === 1 ? null : `${String(count)} signatures`
      return count === 0 && isSaid ? null : 'nothing says that the signature is missing'
    }
    // Without a token there is no sign-in.
    const needs = (answer: Answer) => answer === 'auth.getAccessToken'
    expect(spoiling(arrange, useThePane, as, wrongIn, needs)).toEqual([])
  })

  test.each(
    spoils.flatMap((as) => (['newMessage', 'newMeeting'] as const).map((type) => [as, type] as const)),
  )('%s stops neither a launch event nor the default (%s)', (as, type) => {
    const wrongIn = (world: World, isExpected: boolean) => {
      const { store, completed } = raiseAnEvent(world)
      const crashes = crashesIn(store.log)
      const count = signaturesIn(world)
      if (crashes > 0) return `${String(crashes)} effects crashed`
      if (completed.length !== 2) return `${String(completed.length)} events completed`
      return count === (isExpected ? 1 : 0) ? null : `${String(count)} signatures`
    }
    expect(spoiling(withCachedDefault(type), raiseAnEvent, as, wrongIn)).toEqual([])
  })

  test('null is a recipient without an address: the others are known, and no effect crashes', () => {
    const world = arrange()
    world.mailbox.act({
      type: 'setRecipients',
      to: [
        { address: 'maria@fabrikam.example', name: 'Maria' },
        { address: 'leo@northwind.example', name: 'Leo' },
      ],
    })
    world.mailbox.spoil('to.getAsync', '0.address', 'null')
    const pane = openPane({ beside: world })
    world.clock.advance(5_000)
    expect(pane.app.state$.value.mailbox.message?.to).toEqual([
      { address: 'leo@northwind.example', name: 'Leo' },
    ])
    expect(crashesIn(pane.app.log)).toBe(0)
    expect(signaturesIn(world)).toBe(1)
    pane.app.stop()
  })
})
