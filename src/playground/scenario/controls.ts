import {
  asyncScheduler,
  BehaviorSubject,
  combineLatest,
  concatMap,
  distinctUntilChanged,
  filter,
  map,
  skip,
} from 'rxjs'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import { growingIntervals } from '../../../streams/kernel/time.ts'
import type { Language } from '../../../streams/wire/languages.ts'
import { QUIRKS } from '../mailbox/body.ts'
import { DEMO_THEMES, FIRST_PERSON } from '../mailbox/demo.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { ClientProfile } from '../mailbox/profiles.ts'
import { hasOwnSignature } from '../mailbox/model.ts'
import { addClientFault, clientFaultsOf } from './clientFaults.ts'
import { openItemName, openItemNamed } from './openItem.ts'
import { displayLanguageOf, pageLanguage } from './pageLanguage.ts'
import {
  type ClientFault,
  LAUNCH_FAULTS,
  type LaunchFault,
  type LaunchMode,
  type Scenario,
  type ThemeChoice,
  defaultScenario,
  writeScenario,
} from './scenario.ts'
import type { ServerControl } from './servers.ts'
import type { PaneSession } from '../timeline/session.ts'

/** `language` is the mail client's display language; `null` means the user's language. */
type Appearance = Readonly<{ theme: ThemeChoice; language: Language | null }>

/** The playground's settings, individually and together as a scenario. Its streams never complete. */
export type PlaygroundControls = ReturnType<typeof createControls>

const POLL_INTERVAL_MS = 3_000

function restartMessage(mailbox: Mailbox): void {
  mailbox.act({ type: 'close' })
  mailbox.act({ type: 'firstMessage' })
}

// Long because each control is one entry in a flat table over shared streams.
export function createControls(
  parts: Readonly<{
    mailbox: Mailbox
    service: ServerControl
    identity: ServerControl
    /** While true, every request from the pane fails. */
    offline$?: BehaviorSubject<boolean>
  }>,
) {
  const { mailbox, service, identity, offline$ = new BehaviorSubject(false) } = parts
  const initial = mailbox.state$.value
  const appearance$ = new BehaviorSubject<Appearance>({
    theme: defaultScenario.theme,
    language: defaultScenario.language,
  })
  const ahead$ = new BehaviorSubject(0)
  const reloads$ = new BehaviorSubject(0)
  const reload = () => reloads$.next(reloads$.value + 1)
  const session$ = new BehaviorSubject<PaneSession | null>(null)
  const launchMode$ = new BehaviorSubject<LaunchMode>(defaultScenario.launch)
  const launchFaults$ = new BehaviorSubject<ReadonlySet<LaunchFault>>(new Set())
  const isPaneOpen$ = new BehaviorSubject(defaultScenario.isPaneOpen)

  const current = (): Scenario => {
    const { person, quirks, profile, requirementSets } = mailbox.state$.value
    const { faults, atOnce, switchesDuringNext } = mailbox.faultState$.value
    return {
      ...appearance$.value,
      user: person === FIRST_PERSON ? null : person,
      open: openItemName(mailbox.state$.value, initial),
      service: service.state$.value.faults,
      identity: identity.state$.value.faults,
      mail: clientFaultsOf(faults),
      atOnce,
      switchesDuringNext,
      offline: offline$.value,
      quirks: QUIRKS.filter((quirk) => quirks.includes(quirk)),
      edition: profile,
      clientSignature: hasOwnSignature(mailbox.state$.value),
      mailboxVersion: requirementSets['Mailbox'] ?? defaultScenario.mailboxVersion,
      launch: launchMode$.value,
      launchFaults: LAUNCH_FAULTS.filter((fault) => launchFaults$.value.has(fault)),
      isPaneOpen: isPaneOpen$.value,
    }
  }
  const scenario$ = new BehaviorSubject(current())
  combineLatest([
    mailbox.state$,
    mailbox.faultState$,
    service.state$,
    identity.state$,
    appearance$,
    offline$,
    launchMode$,
    launchFaults$,
    isPaneOpen$,
  ])
    .pipe(
      map(current),
      distinctUntilChanged((one, other) => writeScenario(one) === writeScenario(other)),
    )
    .subscribe((scenario) => scenario$.next(scenario))

  appearance$
    .pipe(
      map(({ theme }) => theme),
      distinctUntilChanged(),
      skip(1),
    )
    .subscribe((theme) => {
      // A mail client that follows the system reports no theme, so the pane asks the browser for it.
      mailbox.act({ type: 'setTheme', theme: theme === 'system' ? null : DEMO_THEMES[theme] })
    })

  const language$ = new BehaviorSubject(displayLanguageOf(initial))
  pageLanguage(mailbox.state$, session$).subscribe(language$)

  offline$.pipe(distinctUntilChanged(), skip(1)).subscribe((isOffline) => {
    session$.value?.changeNetwork(isOffline)
  })

  /** Sets the mail client's language to the chosen one, or by default to the user's. */
  const updateDisplayLanguage = () => {
    const { person } = mailbox.state$.value
    const own = initial.accounts.find(({ address }) => address === person)?.displayLanguage
    mailbox.act({ type: 'setDisplayLanguage', language: appearance$.value.language ?? own ?? 'en-US' })
  }
  const clearClientFaults = () => {
    mailbox.restore()
    for (const quirk of QUIRKS) mailbox.act({ type: 'setQuirk', quirk, on: false })
    mailbox.act({ type: 'setClientSignature', on: false })
    launchFaults$.next(new Set())
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
    /** Refreshes both servers every 3 s while subscribed and visible, because another page may change their faults. */
    polling$: growingIntervals(POLL_INTERVAL_MS, 0, { scheduler: asyncScheduler }).pipe(
      filter(() => !document.hidden),
      concatMap(() => Promise.all([service.refresh(), identity.refresh()])),
    ),
    appearance$,
    /** The page's language: the mail client's or the pane's, whichever changed last. */
    language$: language$ as StateStream<Language>,
    offline$,
    /** How far the clocks of the pane, the mail client and the servers are ahead of real time, in milliseconds. */
    ahead$: ahead$ as StateStream<number>,
    scenario$: scenario$ as StateStream<Scenario>,
    /** How many times the pane was reloaded. */
    reloads$,
    /** The session of the running pane; null before the pane has started. */
    session$,
    launchMode$,
    launchFaults$,
    setLaunchFault: (fault: LaunchFault, on: boolean): void => {
      launchFaults$.next(
        new Set(LAUNCH_FAULTS.filter((each) => (each === fault ? on : launchFaults$.value.has(each)))),
      )
    },
    isPaneOpen$: isPaneOpen$ as StateStream<boolean>,
    /** Opens or closes the pane. A closed pane runs no code. */
    showPane: (on: boolean): void => {
      if (!on) session$.next(null)
      isPaneOpen$.next(on)
    },
    chooseMailboxVersion,
    chooseEdition: (profile: ClientProfile | null) => mailbox.act({ type: 'setProfile', profile }),
    chooseUser: (address: string): void => {
      mailbox.act({ type: 'choosePerson', address })
      updateDisplayLanguage()
      reload()
    },
    chooseLanguage: (language: Language | null): void => {
      appearance$.next({ ...appearance$.value, language })
      updateDisplayLanguage()
      reload()
    },
    /** Replaces all faults of a call to the mail client with this fault; `fault: null` only clears them. */
    setClientFault: (call: string, fault: ClientFault | null): void => {
      mailbox.clearFault(call)
      if (fault) addClientFault(mailbox, { call, fault })
    },
    /** Moves the clocks ahead by `ms`: the mail client's, the servers', then the pane's. */
    async jump(ms: number): Promise<void> {
      const before = ahead$.value
      // Another page may have moved the servers' clocks further.
      const next = Math.max(before, await service.ahead()) + ms
      ahead$.next(next)
      await Promise.all([service.setAhead(next), identity.setAhead(next)])
      session$.value?.jump(next - before)
    },
    /**
     * Applies a scenario. With `withServers` the scenario comes from a link, and the link's faults replace the servers'
     * faults. A link without faults clears only the faults set by an earlier link. Without `withServers` the servers
     * keep their faults. The pane's clock follows the servers' clock.
     */
    async apply(scenario: Scenario, withServers: boolean): Promise<void> {
      const { theme, language, user, open } = scenario
      appearance$.next({ theme, language })
      if (user !== null) mailbox.act({ type: 'choosePerson', address: user })
      updateDisplayLanguage()
      clearClientFaults()
      for (const each of scenario.mail) addClientFault(mailbox, each)
      mailbox.limitCalls(scenario.atOnce)
      mailbox.switchDuringNext(scenario.switchesDuringNext)
      for (const quirk of scenario.quirks) mailbox.act({ type: 'setQuirk', quirk, on: true })
      mailbox.act({ type: 'setProfile', profile: scenario.edition })
      chooseMailboxVersion(scenario.mailboxVersion)
      offline$.next(scenario.offline)
      launchMode$.next(scenario.launch)
      launchFaults$.next(new Set(scenario.launchFaults))
      isPaneOpen$.next(scenario.isPaneOpen)
      mailbox.act({ type: 'setClientSignature', on: scenario.clientSignature })
      if (open !== null) openItemNamed(mailbox, open)
      // The open message is older than the client's own signature, so a new message replaces it.
      else if (scenario.clientSignature) restartMessage(mailbox)
      for (const [server, faults] of [
        [service, scenario.service],
        [identity, scenario.identity],
      ] as const) {
        if (withServers) await server.followLink(faults)
        else await server.refresh()
      }
      ahead$.next(await service.ahead())
    },
    /** Clears every fault, including the servers' faults, and resets the clocks. */
    async clear(): Promise<void> {
      clearClientFaults()
      offline$.next(false)
      chooseMailboxVersion(defaultScenario.mailboxVersion)
      await Promise.all([service.clearFaults(), identity.clearFaults()])
      if (ahead$.value === 0) return
      ahead$.next(0)
      await Promise.all([service.setAhead(0), identity.setAhead(0)])
      reload()
    },
  }
}
