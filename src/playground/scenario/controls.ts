import { BehaviorSubject, combineLatest, distinctUntilChanged, map, skip } from 'rxjs'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import type { Language } from '../../../streams/locale/events.ts'
import { QUIRKS } from '../mailbox/body.ts'
import { DEMO_THEMES, demoMailbox } from '../mailbox/demo.ts'
import type { CallFault, Mailbox } from '../mailbox/mailbox.ts'
import { hasOwnSignature, type MailboxState, openItem } from '../mailbox/model.ts'
import {
  type ClientFault,
  type FaultOf,
  type Scenario,
  type Theme,
  ordinary,
  writeScenario,
} from './scenario.ts'
import type { Server } from './servers.ts'
import type { PaneSession } from '../timeline/session.ts'

/** How the page and the pane look. `language` is null for the browser's, and the person's own in the pane. */
export type Look = Readonly<{ theme: Theme; language: Language | null }>

/** Everything of the playground that somebody can set, and all of it as one scenario. */
export type Controls = Readonly<{
  mailbox: Mailbox
  service: Server
  identity: Server
  look$: BehaviorSubject<Look>
  /** No request of the pane gets anywhere. */
  offline$: BehaviorSubject<boolean>
  /** How far the clocks of the pane and of the servers are ahead of the real one, in milliseconds. */
  ahead$: StateStream<number>
  /** What is, now and at each change. Never ends. */
  scenario$: StateStream<Scenario>
  /** Counts what the pane has to be loaded again for. */
  reloads$: BehaviorSubject<number>
  choosePerson(address: string): void
  chooseLanguage(language: Language | null): void
  chooseMailboxVersion(version: string): void
  /** One thing that goes wrong with a call to the mail client, in place of every other; null: nothing does. */
  setClientFault(call: string, fault: ClientFault | null): void
  /** Moves the clocks of the servers and then of the pane ahead. */
  jump(ms: number): Promise<void>
  /** The pane that runs now; null until one told of itself. */
  session$: BehaviorSubject<PaneSession | null>
  /**
   * Brings a scenario about; `withServers` also its faults of the servers, in place of theirs. The clock goes on as the
   * servers have it.
   */
  bring(scenario: Scenario, withServers: boolean): Promise<void>
  /** Ends everything that goes wrong. */
  clear(): Promise<void>
}>

const FAILED_ON_DEMAND = 'FailedOnDemand'

/** What goes wrong with one call, one thing each. What fails only some times more is not told. */
export function clientFaultsOf(faults: ReadonlyMap<string, CallFault>): readonly FaultOf<ClientFault>[] {
  return [...faults].flatMap(([call, { error, delay, silent, twice }]) => {
    const found: ClientFault[] = []
    if (silent) found.push({ kind: 'silent' })
    if (twice) found.push({ kind: 'twice' })
    if (delay !== undefined) found.push({ kind: 'slow', ms: delay })
    if (error?.times === Number.POSITIVE_INFINITY) found.push({ kind: 'fails', code: error.error.code })
    return found.map((fault) => ({ call, fault }))
  })
}

function addClientFault(mailbox: Mailbox, { call, fault }: FaultOf<ClientFault>): void {
  switch (fault.kind) {
    case 'silent':
      return mailbox.silence(call)
    case 'twice':
      return mailbox.answerTwice(call)
    case 'slow':
      return mailbox.delay(call, fault.ms)
    case 'fails':
      return mailbox.fail(call, { code: fault.code, name: FAILED_ON_DEMAND })
  }
}

const fresh = demoMailbox()

/** What is open, as a fresh mailbox can open it; null for a new message. */
function openOf(state: MailboxState): string | null {
  const item = openItem(state)
  if (!item) return 'none'
  if (item.mode === 'compose') return item.answers === undefined ? null : `${item.kind}:${item.answers}`
  return fresh.items.some(({ id }) => id === item.id) ? item.id : null
}

function openAs(mailbox: Mailbox, open: string): void {
  const [kind, message] = open.split(':', 2)
  if (open === 'none') mailbox.act({ type: 'switchTo', id: null })
  else if (message === undefined) mailbox.act({ type: 'switchTo', id: open })
  else if (kind === 'reply' || kind === 'forward') mailbox.act({ type: kind, message })
}

/** A new message in place of the one that is open. */
function openAgain(mailbox: Mailbox): void {
  mailbox.act({ type: 'close' })
  mailbox.act({ type: 'newMessage' })
}

/** The controls of a mailbox and two servers. */
export function createControls(
  parts: Readonly<{
    mailbox: Mailbox
    service: Server
    identity: Server
    offline$?: BehaviorSubject<boolean>
  }>,
): Controls {
  const { mailbox, service, identity, offline$ = new BehaviorSubject(false) } = parts
  const look$ = new BehaviorSubject<Look>({ theme: ordinary.theme, language: ordinary.language })
  const ahead$ = new BehaviorSubject(0)
  const reloads$ = new BehaviorSubject(0)
  const reload = () => reloads$.next(reloads$.value + 1)
  const session$ = new BehaviorSubject<PaneSession | null>(null)

  const current = (): Scenario => {
    const { person, quirks, requirementSets } = mailbox.state$.value
    const { faults, atOnce, switchesDuringNext } = mailbox.difficulties$.value
    return {
      ...look$.value,
      person: person === fresh.person ? null : person,
      open: openOf(mailbox.state$.value),
      service: service.state$.value.faults,
      identity: identity.state$.value.faults,
      mail: clientFaultsOf(faults),
      atOnce,
      switchesDuringNext,
      offline: offline$.value,
      quirks: QUIRKS.filter((quirk) => quirks.includes(quirk)),
      clientSignature: hasOwnSignature(mailbox.state$.value),
      mailboxVersion: requirementSets['Mailbox'] ?? ordinary.mailboxVersion,
    }
  }
  const scenario$ = new BehaviorSubject(current())
  combineLatest([mailbox.state$, mailbox.difficulties$, service.state$, identity.state$, look$, offline$])
    .pipe(
      map(current),
      distinctUntilChanged((one, other) => writeScenario(one) === writeScenario(other)),
    )
    .subscribe((scenario) => scenario$.next(scenario))

  look$
    .pipe(
      map(({ theme }) => theme),
      distinctUntilChanged(),
      skip(1),
    )
    .subscribe((theme) => {
      // A mail client that looks as the system does leaves it to the pane to look there.
      mailbox.act({ type: 'setTheme', theme: theme === 'system' ? null : DEMO_THEMES[theme] })
    })

  offline$.pipe(distinctUntilChanged(), skip(1)).subscribe((isOffline) => {
    if (!isOffline) session$.value?.backOnline()
  })

  /** The person's language in the mail client: the one that was chosen, or their own. */
  const speak = () => {
    const { person } = mailbox.state$.value
    const own = fresh.accounts.find(({ address }) => address === person)?.displayLanguage ?? 'en-US'
    mailbox.act({ type: 'setDisplayLanguage', language: look$.value.language ?? own })
  }
  const clearClient = () => {
    mailbox.restore()
    for (const quirk of QUIRKS) mailbox.act({ type: 'setQuirk', quirk, on: false })
    mailbox.act({ type: 'setClientSignature', on: false })
  }
  const chooseMailboxVersion = (version: string) => {
    if (mailbox.state$.value.requirementSets['Mailbox'] === version) return
    mailbox.act({ type: 'setRequirementSet', set: 'Mailbox', version })
    reload()
  }

  return {
    mailbox,
    service,
    identity,
    look$,
    offline$,
    ahead$,
    scenario$,
    reloads$,
    session$,
    chooseMailboxVersion,
    choosePerson(address) {
      mailbox.act({ type: 'choosePerson', address })
      speak()
      reload()
    },
    chooseLanguage(language) {
      look$.next({ ...look$.value, language })
      speak()
      reload()
    },
    setClientFault(call, fault) {
      mailbox.mend(call)
      if (fault) addClientFault(mailbox, { call, fault })
    },
    async jump(ms) {
      const before = ahead$.value
      // Another page may have moved the servers further.
      const next = Math.max(before, await service.ahead()) + ms
      ahead$.next(next)
      await Promise.all([service.setAhead(next), identity.setAhead(next)])
      session$.value?.jump(next - before)
    },
    async bring(scenario, withServers) {
      const { theme, language, person, open } = scenario
      look$.next({ theme, language })
      if (person !== null) mailbox.act({ type: 'choosePerson', address: person })
      speak()
      clearClient()
      for (const each of scenario.mail) addClientFault(mailbox, each)
      mailbox.limitCalls(scenario.atOnce)
      mailbox.switchDuringNext(scenario.switchesDuringNext)
      for (const quirk of scenario.quirks) mailbox.act({ type: 'setQuirk', quirk, on: true })
      chooseMailboxVersion(scenario.mailboxVersion)
      offline$.next(scenario.offline)
      mailbox.act({ type: 'setClientSignature', on: scenario.clientSignature })
      if (open !== null) openAs(mailbox, open)
      // The message that was begun before has no signature of the client's own.
      else if (scenario.clientSignature) openAgain(mailbox)
      for (const [server, faults] of [
        [service, scenario.service],
        [identity, scenario.identity],
      ] as const) {
        if (withServers && faults.length > 0) {
          await server.clear()
          for (const { call, fault } of faults) await server.set(call, fault)
        }
        await server.look()
      }
      ahead$.next(await service.ahead())
    },
    async clear() {
      clearClient()
      offline$.next(false)
      chooseMailboxVersion(ordinary.mailboxVersion)
      await Promise.all([service.clear(), identity.clear()])
      if (ahead$.value === 0) return
      ahead$.next(0)
      await Promise.all([service.setAhead(0), identity.setAhead(0)])
      reload()
    },
  }
}
