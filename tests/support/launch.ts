import { lookBeforeSending } from '../../src/launch/lookBeforeSending.ts'
import { map } from 'rxjs'
import type { LaunchPorts } from '../../effects/launch/launch.ts'
import { createMessageHost } from '../../src/engine/hosts/mailHost.ts'
import { createLaunchStore, type LaunchStore } from '../../src/launch/createLaunchStore.ts'
import { launchText } from '../../src/launch/launchText.ts'
import {
  Launch,
  type LaunchEnd,
  type LaunchId,
  type LaunchKind,
  type MissingContent,
} from '../../streams/launch/events.ts'
import type { LaunchRuntime } from '../../streams/launch/record.ts'
import type { Language } from '../../streams/wire/languages.ts'
import type { Line } from './line.ts'
import type { World } from './pane.ts'

// Runs the shipped launch program with the mailbox model and a service, on virtual time.

type Completed = {
  readonly id: LaunchId
  outcome: LaunchEnd | null
  readonly at: number
}

/** A runtime that Outlook started for the open message's events. */
export type Launched = Readonly<{
  store: LaunchStore
  /** Raises another event in the runtime. */
  raise: (kind: LaunchKind) => LaunchId
  /** The completed events, in order; `at` is in milliseconds since the runtime started. */
  completed: readonly Completed[]
  /** The missing parts that the latest event asked about before sending. */
  asked: () => readonly MissingContent[]
  /** The outcome of the first event; null while it is open. */
  outcome: () => LaunchEnd | null
}>

let runtimes = 0

/** Starts a runtime for an event. Nothing happens until the clock advances. */
export function startLaunch(
  { mailbox, ports, clock }: World,
  kind: LaunchKind,
  {
    runtime = 'page',
    language = 'en',
    line,
  }: Readonly<{ runtime?: LaunchRuntime; language?: Language; line?: Line }> = {},
): Launched {
  const begun = clock.scheduler.now()
  const completed: Completed[] = []
  let lastId = 0
  let asked: readonly MissingContent[] = []
  const client = line ? line.over(mailbox.client, clock) : mailbox.client
  const { host } = createMessageHost(client, { name: 'outlook', time: clock, log: ports.log })
  const store: LaunchStore = createLaunchStore(
    (): LaunchPorts => ({
      host,
      identity: ports.identity,
      api: {
        ...ports.api,
        user: () =>
          ports.api.user().pipe(
            map(({ delegations, metadata }) => ({
              delegations,
              chosen: metadata.defaultSignature,
            })),
          ),
      },
      storage: ports.storage,
      sanitizer: ports.sanitizer,
      runtimeId: `launch${String(runtimes++)}`,
      runtime,
      launchText: (notice) => launchText(notice, language, host.about.platform),
      complete: (id, missing) => {
        asked = missing
        completed.push({ id, outcome: null, at: clock.scheduler.now() - begun })
      },
      time: clock,
      log: ports.log,
    }),
    kind === 'send' ? lookBeforeSending.effects : undefined,
  )
  store.event$.subscribe((event) => {
    if (event.type !== 'launch/completed') return
    const entry = completed.find(({ id }) => id === event.data.id)
    if (entry) entry.outcome = event.data.outcome
  })
  const raise = (next: LaunchKind) => {
    lastId += 1
    store.record(Launch.raised({ id: lastId, kind: next }), 'app')
    return lastId
  }
  raise(kind)
  return {
    store,
    raise,
    completed,
    asked: () => asked,
    outcome: () => completed.find(({ id }) => id === 1)?.outcome ?? null,
  }
}
