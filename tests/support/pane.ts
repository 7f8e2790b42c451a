import { PAGE_SIZE } from '../../streams/message/signatures/list.ts'
import type { UserProfile } from '../../streams/wire/user.ts'
import type { CachedSignature, ListedSignature, SignaturePage } from '../../streams/wire/signatures.ts'
import { defer, map, type Observable, timer } from 'rxjs'
import type { Ports } from '../../effects/ports.ts'
import type { SignetApp } from '../../src/engine/createApp.ts'
import { createWholeApp } from './app.ts'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import type { MailClient } from '../../src/engine/hosts/mailClient.ts'
import type { Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import type { Quirk } from '../../src/playground/mailbox/body.ts'
import type { ClientProfile } from '../../src/playground/mailbox/profiles.ts'
import type { ComposeItem, MailboxState } from '../../src/playground/mailbox/model.ts'
import { Failed, type Failure } from '../../streams/kernel/failure.ts'
import type { Time } from '../../streams/kernel/time.ts'
import type { BuildStage } from '../../streams/message/settings/settings.ts'
import { type Clock, createClock } from './clock.ts'
import { demoMailboxAt, type MailboxPorts, portsOver } from './ports.ts'
import { cachedSignature, HOUR_MS, profile, verification } from './state.ts'

// Runs the whole shipped application (every effect, the mail host and its gate) on virtual time. It uses the mailbox
// model and a service with fake data.

/**
 * The service's data, which a test may change at any time. Every answer takes `ms` milliseconds and fails with
 * `failure`.
 */
export type Service = {
  ms: number
  failure: Failure | null
  standard: CachedSignature
  own: readonly ListedSignature[]
  delegated: readonly ListedSignature[]
  profile: UserProfile
}

export type Pane = Readonly<{
  app: SignetApp
  mailbox: Mailbox
  ports: MailboxPorts
  clock: Clock
  service: Service
  /** The open message; throws if there is none. */
  message: () => ComposeItem
  /** The open item's key in the pane's state. */
  itemKey: () => string
}>

/** The time at which the first pane opens, in milliseconds since the epoch. */
export const START = Date.UTC(2026, 10, 20, 9)
export const development: BuildStage = { production: false, beta: false }
export const production: BuildStage = { production: true, beta: false }

const pageOf = (all: readonly ListedSignature[], page: number, perPage = PAGE_SIZE): SignaturePage => ({
  page,
  total: all.length,
  objects: all.slice((page - 1) * perPage, page * perPage),
})

/** Changes from the default: a service without signatures and a mail client without quirks. */
export type PaneOptions = Partial<
  Service & {
    quirks: readonly Quirk[]
    /** The edition of Outlook; `null`, the default, works as documented. */
    edition: ClientProfile | null
    stage: BuildStage
    mailbox: (initial: MailboxState) => MailboxState
    prepare: (pane: Omit<Pane, 'app' | 'itemKey'>) => void
    /** Another open pane, whose mailbox, clock and service the new pane shares. */
    beside: Pick<Pane, 'mailbox' | 'clock' | 'service'>
    runtimeId: string
    /** Wraps the mail client for this pane. */
    client: (client: MailClient, time: Time) => MailClient
  }
>

/** A mailbox and a service, without a pane. */
export type World = Omit<Pane, 'app' | 'itemKey'>

/** Opens the pane. Nothing happens until the clock advances. */
export function openPane({ stage = development, ...options }: PaneOptions = {}): Pane {
  const world = createWorld(options)
  const app = createWholeApp(stage, (): Ports => world.ports)
  return { ...world, app, itemKey: () => app.state$.value.mailbox.item?.key ?? '' }
}

export function createWorld(options: Omit<PaneOptions, 'stage'> = {}): World {
  const {
    quirks = [],
    edition = null,
    mailbox: change = (initial) => initial,
    prepare,
    beside,
    runtimeId,
    client = (same) => same,
    ...known
  } = options
  const clock = beside?.clock ?? createClock(START)
  const mailbox =
    beside?.mailbox ?? demoMailboxAt(clock, change({ ...demoMailbox(), quirks, profile: edition }))
  const ports = portsOver(clock, client(mailbox.client, clock), runtimeId)
  const service: Service = beside?.service ?? {
    ms: 20,
    failure: null,
    standard: cachedSignature(),
    own: [],
    delegated: [],
    profile: profile(),
    ...known,
  }
  // Reads the value at the request, and returns it after `ms`.
  const answer = <T>(value: () => T): Observable<T> =>
    defer(() => {
      const { failure, ms } = service
      const current = value()
      return timer(ms, clock.scheduler).pipe(
        map(() => {
          if (failure) throw new Failed(failure)
          return current
        }),
      )
    })
  const { api } = ports
  api.verify.answers(() => answer(() => verification({ expiresAt: START + 24 * HOUR_MS })))
  api.user.answers(() => answer(() => service.profile))
  api.signature.answers(({ combinedIds }) =>
    answer(() => {
      const listed = [...service.own, ...service.delegated].find((each) => each.combinedIds === combinedIds)
      return listed ? { ...service.standard, ...listed, reply: null } : service.standard
    }),
  )
  api.signatures.answers(({ page, withImages, perPage }) =>
    answer(() => {
      const { objects, ...rest } = pageOf(service.own, page, perPage)
      return { ...rest, objects: withImages ? objects : objects.map((each) => ({ ...each, images: [] })) }
    }),
  )
  api.delegatedSignatures.answers(({ page, perPage }) =>
    answer(() => pageOf(service.delegated, page, perPage)),
  )
  const message = () => {
    const { items, open } = mailbox.state$.value
    const item = items.find(({ id }) => id === open)
    if (item?.mode !== 'compose') throw new Error('no message is being written')
    return item
  }
  const world = { mailbox, ports, clock, service, message }
  prepare?.(world)
  return world
}
