import { selectConfiguration } from '../../streams/pane/configuration/selectors.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { App, type PaneGesture } from '../../streams/pane/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { filter, map, NEVER, type Observable, of, switchMap, take, throwError, timer } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { draftsJournal } from '../../effects/pane/variables.ts'
import type { Ports } from '../../effects/ports.ts'
import { createLog } from '../../src/engine/adapters/log.ts'
import type { SignetApp } from '../../src/engine/createApp.ts'
import { createWholeApp } from '../support/app.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import type { LaunchOutcome } from '../../streams/launch/events.ts'
import { LAUNCH_RECORD_KEY } from '../../streams/launch/record.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import {
  defaultSettings,
  type UserSettings,
  type BuildStage,
} from '../../streams/message/settings/settings.ts'
import { SETTINGS_KEY } from '../../streams/pane/settings/rules.ts'
import { selectLogLevel, selectSettings } from '../../streams/pane/settings/selectors.ts'
import { selectTelemetryPayload } from '../../streams/pane/telemetry/selectors.ts'
import { Variables } from '../../streams/pane/variables/events.ts'
import { selectSaveError, selectUnsavedCount } from '../../streams/pane/variables/selectors.ts'
import type { Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { failing, type MailboxPorts, mailboxPorts } from '../support/ports.ts'
import { createStoredPerson, releaseOf, type StoredPerson } from '../support/storedPerson.ts'
import {
  cachedSignature,
  HOUR_MS,
  hostUser,
  listedSignature,
  masterId,
  profile,
  session,
  verification,
  signaturePage,
  define,
} from '../support/state.ts'

// The user's own data through the whole application, over a fake service that stores what it gets, on virtual time.
// A pane can be closed and reopened over the same storage.

const START = Date.UTC(2026, 10, 20, 9)
const development: BuildStage = { production: false, beta: false }
const DETAILS = '/app/settings/variables'
const fresh = () => session({ expiresAt: START + 20 * HOUR_MS })

const definitions = [
  define('first_name'),
  define('job_title', { customType: 'mapped', lookups: { azure: 'jobTitle' }, resettable: true }),
  define('company', { customType: 'mapped', nonEditable: true }),
]
const release = releaseOf([
  { path: 'first_name' },
  { path: 'job_title', group: 'mapped', from: 'jobTitle', resync: true },
  { path: 'company', group: 'mapped', edit: false, value: 'Northwind' },
])

type World = Readonly<{
  clock: Clock
  mailbox: Mailbox
  ports: MailboxPorts
  person: StoredPerson
}>
type Pane = World & Readonly<{ app: SignetApp }>

function createWorld(): World {
  const clock = createClock(START)
  const { mailbox, ports } = mailboxPorts(clock)
  const person = createStoredPerson(release, {
    fields: { jobTitle: 'Planner' },
    own: { first_name: 'Alex', job_title: 'Captain' },
  })
  ports.api.verify.answers(() => of(verification(fresh())))
  ports.api.user.answers(() => of(profile()))
  ports.api.variableDefinitions.answers(() => person.api.variableDefinitions())
  ports.api.variableValues.answers(() => person.api.variableValues())
  ports.api.variableStates.answers(() => person.api.variableStates())
  ports.api.saveVariables.answers((change) =>
    timer(100, clock.scheduler).pipe(switchMap(() => person.api.saveVariables(change))),
  )
  return { clock, mailbox, ports, person }
}

/** Opens a pane on the user's details. */
function open(world: World, stage: BuildStage = development): Pane {
  const app = createWholeApp(stage, (): Ports => world.ports)
  world.clock.advance(1000)
  app.record(Router.navigationRequested({ to: DETAILS }))
  world.clock.advance(100)
  return { ...world, app }
}

/** The edits in private storage. */
const journal = ({ ports }: World) =>
  (ports.storage.privateDrafts('u-alex').content()[draftsJournal.key] as { value: object } | undefined)?.value
const variables = ({ app }: Pane) => app.state$.value.variables
const type = ({ app }: Pane, value: string, path = 'first_name') => {
  app.record(Variables.edited({ path, value }))
}
const save = ({ app }: Pane) => {
  app.record(Variables.saveRequested({ occasion: 'person' }))
}
const typesOf = ({ app }: Pane) => app.log.map((event) => event.type)

describe('variables', () => {
  it('[VAR-1] loads definitions, states and values together, once: pending, then success', () => {
    const world = createWorld()
    world.ports.api.variableValues.answers(() =>
      timer(50, world.clock.scheduler).pipe(map(() => ({ first_name: 'Alex' }))),
    )
    const app = createWholeApp(development, (): Ports => world.ports)
    const statuses: string[] = []
    app.state$.subscribe(({ variables: { load } }) => {
      const { status } = load
      if (statuses.at(-1) !== status) statuses.push(status)
    })
    world.clock.advance(1000)
    const visit = (ms: number) => {
      app.record(Router.navigationRequested({ to: '/app/dashboard' }))
      app.record(Router.navigationRequested({ to: DETAILS }))
      world.clock.advance(ms)
    }
    visit(10)
    visit(100)
    visit(100)
    expect(statuses).toEqual(['idle', 'pending', 'success'])
    const { variableDefinitions, variableStates, variableValues } = world.ports.api
    for (const { calls } of [variableDefinitions, variableStates, variableValues])
      expect(calls).toHaveLength(1)
  })

  it.each(['variableDefinitions', 'variableStates', 'variableValues'] as const)(
    '[VAR-1] fails when one of the three fails, and can be retried: %s',
    (call) => {
      const world = createWorld()
      const failure = { kind: 'malformed', at: 'values' } as const
      const { answers } = world.ports.api[call] as Readonly<{
        answers: (...given: (() => Observable<never>)[]) => void
      }>
      answers(
        () => failing(failure),
        () => world.person.api[call]() as Observable<never>,
      )
      const pane = open(world)
      expect(variables(pane).load).toEqual({ status: 'fail', failure })
      expect(typesOf(pane)).toContain('variables/loadFailed')
      pane.app.record(App.retryRequested())
      world.clock.advance(100)
      expect(variables(pane).load).toEqual({ status: 'success' })
    },
  )

  it('[VAR-6] saves edits over current values, then reloads the profile and the signatures', () => {
    const pane = open(createWorld())
    const { api } = pane.ports
    type(pane, 'Alexis')
    pane.app.record(Variables.marked({ path: 'job_title' }))
    const users = api.user.calls.length
    const pages = api.signatures.calls.length
    save(pane)
    pane.clock.advance(10_000)
    expect(api.saveVariables.calls).toEqual([
      [
        {
          values: { first_name: 'Alexis', job_title: 'Planner' },
          resetFields: ['job_title'],
          base: { values: { first_name: 'Alex', job_title: 'Captain' } },
        },
      ],
    ])
    expect(api.user.calls.length).toBe(users + 1)
    expect(api.signatures.calls.length).toBeGreaterThan(pages)
    expect(variables(pane)).toMatchObject({ drafts: {}, save: { status: 'success' } })
    expect(journal(pane)).toEqual({})
  })

  it('[VAR-7] keeps every edit when a save fails with 500 and ends the session, for the next sign-in', () => {
    const pane = open(createWorld())
    pane.ports.api.saveVariables.answers(failing({ kind: 'http', status: 500, code: null, data: null }))
    type(pane, 'Alexis')
    save(pane)
    pane.clock.advance(1000)
    expect(pane.app.state$.value.auth).toMatchObject({ status: 'signedOut' })
    expect(variables(pane).drafts).toEqual({})
    pane.app.record(Auth.signInRequested({ silent: false }))
    pane.clock.advance(1000)
    expect(variables(pane).drafts).toEqual({ first_name: { value: 'Alexis', resync: false } })
  })

  it('[VAR-7] reloads the locks after a save is refused for one, and saves the other edits', () => {
    const pane = open(createWorld())
    const { api } = pane.ports
    type(pane, 'Alexis')
    type(pane, 'Admiral', 'job_title')
    api.saveVariables.answers(
      failing({ kind: 'http', status: 409, code: 'variable_is_locked', data: null }),
      ({ values }) => of({ values, changedFields: [] }),
    )
    api.variableDefinitions.answers(() =>
      of(definitions.map((each) => (each.path === 'job_title' ? { ...each, nonEditable: true } : each))),
    )
    save(pane)
    pane.clock.advance(100)
    expect(selectSaveError(pane.app.state$.value)).toBe('VARIABLES_UPDATE_LOCKED_ERROR')
    expect(selectUnsavedCount(pane.app.state$.value)).toBe(1)
    save(pane)
    pane.clock.advance(100)
    expect(api.saveVariables.calls[1]?.[0].values).toEqual({ first_name: 'Alexis' })
    expect(variables(pane).drafts).toEqual({ job_title: { value: 'Admiral', resync: false } })
  })

  it('writes every edit to private storage at once, and restores it in the next pane', () => {
    const world = createWorld()
    const pane = open(world)
    type(pane, 'A')
    expect(journal(pane)).toEqual({ first_name: { value: 'A', resync: false } })
    type(pane, 'Al')
    type(pane, 'Boss', 'job_title')
    pane.app.stop()
    const next = open(world)
    expect(variables(next).drafts).toEqual({
      first_name: { value: 'Al', resync: false },
      job_title: { value: 'Boss', resync: false },
    })
    next.app.record(Variables.allDiscarded())
    expect(journal(next)).toEqual({})
  })

  it('shows no edits to another user who signs in', () => {
    const world = createWorld()
    const pane = open(world)
    type(pane, 'mine')
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    world.clock.advance(100)
    expect(journal(world)).toEqual({ first_name: { value: 'mine', resync: false } })
    const { get } = world.ports.storage.privateDrafts('u-alex')
    const reads = get.calls.length
    world.ports.api.verify.answers(() => of(verification({ ...fresh(), userId: 'u-maria' })))
    pane.app.record(Auth.signInRequested({ silent: false }))
    world.clock.advance(1000)
    expect(pane.app.state$.value.auth).toMatchObject({ session: { userId: 'u-maria' } })
    expect(variables(pane).drafts).toEqual({})
    expect(get.calls).toHaveLength(reads)
  })

  it('ignores a journal of another user or version, or with junk in it', () => {
    for (const left of [
      { version: 1, owner: 'u-maria', value: { first_name: { value: 'hers', resync: false } } },
      { version: 2, owner: 'u-alex', value: { first_name: { value: 'newer', resync: false } } },
      'junk',
    ]) {
      const world = createWorld()
      world.ports.storage.privateDrafts('u-alex').set(draftsJournal.key, left).subscribe()
      expect(variables(open(world)).drafts).toEqual({})
    }
  })

  it('keeps an edit typed during a save, and sends it with the next save', () => {
    const pane = open(createWorld())
    type(pane, 'one')
    save(pane)
    pane.clock.advance(50)
    type(pane, 'two')
    save(pane)
    pane.clock.advance(1000)
    expect(pane.ports.api.saveVariables.calls.map(([{ values }]) => values['first_name'])).toEqual([
      'one',
      'two',
    ])
    expect(pane.ports.api.saveVariables.mostAtOnce()).toBe(1)
    expect(pane.person.values()['first_name']).toBe('two')
    expect(variables(pane).drafts).toEqual({})
  })
})

describe('edits kept after a sign-out', () => {
  const http = (status: number) => failing({ kind: 'http', status, code: null, data: null })
  const keptEdits = ({ app }: Pane) => {
    const { auth } = app.state$.value
    return auth.status === 'signedOut' ? auth.keptEdits : 'not signed out'
  }
  const signIn = ({ app, clock }: Pane) => {
    app.record(Auth.signInRequested({ silent: false }))
    clock.advance(1000)
  }
  const beSignedOut = (pane: Pane, status = 500) => {
    pane.ports.api.signatures.answers(http(status), () => of(signaturePage(1)))
    pane.app.record(Signatures.refreshRequested())
    pane.clock.advance(1000)
  }

  it.each([401, 404, 500])(
    'are counted after a %i, even if typed just before it, and restored by the next sign-in',
    (status) => {
      const pane = open(createWorld())
      type(pane, 'Alexis')
      type(pane, 'Admiral', 'job_title')
      beSignedOut(pane, status)
      expect(pane.app.state$.value.auth).toMatchObject({ status: 'signedOut', reason: { kind: 'rejected' } })
      expect(keptEdits(pane)).toBe(2)
      signIn(pane)
      expect(selectUnsavedCount(pane.app.state$.value)).toBe(2)
      expect(variables(pane).drafts).toMatchObject({
        first_name: { value: 'Alexis' },
        job_title: { value: 'Admiral' },
      })
      // The sign-in leads back to the page with the edits.
      expect(pane.app.state$.value.router.path).toBe(DETAILS)
    },
  )

  it('are not counted when there are none: not typed, put back, saved or discarded', () => {
    const ends: readonly ((pane: Pane) => void)[] = [
      () => undefined,
      (pane) => {
        type(pane, 'Alexis')
        type(pane, 'Alex')
      },
      (pane) => {
        type(pane, 'Alexis')
        save(pane)
        pane.clock.advance(1000)
      },
      ({ app }) => {
        app.record(Variables.edited({ path: 'first_name', value: 'Alexis' }))
        app.record(Variables.allDiscarded())
      },
    ]
    for (const end of ends) {
      const pane = open(createWorld())
      end(pane)
      beSignedOut(pane)
      expect(keptEdits(pane)).toBeUndefined()
      expect(typesOf(pane)).not.toContain('auth/editsKept')
    }
  })

  it('are not counted for another user', () => {
    const pane = open(createWorld())
    type(pane, 'mine')
    beSignedOut(pane)
    expect(keptEdits(pane)).toBe(1)
    // A user whom the service does not know tries to sign in.
    pane.ports.api.verify.answers(http(403), () => of(verification({ ...fresh(), userId: 'u-maria' })))
    signIn(pane)
    expect(keptEdits(pane)).toBeUndefined()
    // Another user signs in, and is signed out.
    signIn(pane)
    expect(pane.app.state$.value.auth).toMatchObject({ session: { userId: 'u-maria' } })
    beSignedOut(pane)
    expect(keptEdits(pane)).toBeUndefined()
  })

  it('stay counted after a sign-in that fails for another reason', () => {
    const pane = open(createWorld())
    type(pane, 'Alexis')
    beSignedOut(pane)
    pane.ports.api.verify.answers(failing({ kind: 'network' }), http(500), () => of(verification(fresh())))
    for (const _ of ['no connection', 'an error of the service']) {
      signIn(pane)
      expect(keptEdits(pane)).toBe(1)
    }
    signIn(pane)
    expect(selectUnsavedCount(pane.app.state$.value)).toBe(1)
  })

  it('are counted only after all of them are written, however slow private storage is', () => {
    const world = createWorld()
    const pane = open(world)
    const { set, get } = world.ports.storage.privateDrafts('u-alex')
    let written: unknown = null
    set.answers((_, value) =>
      timer(50, world.clock.scheduler).pipe(
        map(() => {
          written = value
          return 'kept' as const
        }),
      ),
    )
    get.answers(() => of(written))
    for (const value of ['A', 'Al', 'Ale', 'Alex K.']) type(pane, value)
    type(pane, 'Admiral', 'job_title')
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    world.clock.advance(100)
    expect(keptEdits(pane)).toBeUndefined()
    world.clock.advance(1000)
    expect(written).toMatchObject({
      value: { first_name: { value: 'Alex K.' }, job_title: { value: 'Admiral' } },
    })
    expect(keptEdits(pane)).toBe(2)
  })

  it('[VAR-9] tells while private storage refuses the edits, and no longer once it stores them', () => {
    const pane = open(createWorld())
    const { set } = pane.ports.storage.privateDrafts('u-alex')
    type(pane, 'Al')
    expect(variables(pane).draftsLast).toBe(true)
    set.answers(of('refused'))
    type(pane, 'Ale')
    type(pane, 'Alex K.')
    expect(variables(pane).draftsLast).toBe(false)
    expect(typesOf(pane).filter((each) => each === 'variables/draftsWritten')).toHaveLength(1)
    set.answers(of('untilClosed'), of('kept'))
    type(pane, 'Alexi')
    expect(variables(pane).draftsLast).toBe(false)
    type(pane, 'Alexis')
    expect(variables(pane).draftsLast).toBe(true)
  })

  it('are not counted when private storage did not write them, or is in memory only', () => {
    const full = open(createWorld())
    full.ports.storage.privateDrafts('u-alex').set.answers(of('refused'))
    type(full, 'Alexis')
    beSignedOut(full)
    expect(keptEdits(full)).toBeUndefined()

    const inMemory = open(createWorld())
    inMemory.ports.storage.privateDrafts('u-alex').driver.answers(() => of('memory'))
    type(inMemory, 'Alexis')
    beSignedOut(inMemory)
    expect(keptEdits(inMemory)).toBeUndefined()
  })

  it('are counted again after a second sign-out before they are restored', () => {
    const pane = open(createWorld())
    type(pane, 'Alexis')
    beSignedOut(pane)
    pane.ports.storage
      .privateDrafts('u-alex')
      .get.answers(NEVER, (key) => of(pane.ports.storage.privateDrafts('u-alex').content()[key]))
    signIn(pane)
    beSignedOut(pane)
    expect(keptEdits(pane)).toBe(1)
  })
})

describe('the settings', () => {
  const change = ({ app }: Pane, changes: Partial<UserSettings>) => {
    app.record(Settings.updateRequested({ changes }))
  }
  const stored = ({ ports }: World) => ports.storage.privateRoaming('u-alex').content()[SETTINGS_KEY]

  it('[SET-1] are eight booleans, kept in the private roaming storage of the user', () => {
    const pane = open(createWorld())
    const defaults = {
      enableLogs: true,
      enableTelemetry: true,
      enableSilentSSO: true,
      enableSignaturePush: true,
      enableVariablesResync: true,
      enableEmbedImages: false,
      enableVariablesMissing: false,
      enableVariablesAutosave: false,
    }
    expect(selectSettings(pane.app.state$.value)).toEqual(defaults)
    change(pane, { enableEmbedImages: true })
    expect(stored(pane)).toEqual({ ...defaults, enableEmbedImages: true })
    expect(
      createWholeApp({ production: true, beta: false }, () => pane.ports).state$.value.settings.enableLogs,
    ).toBe(false)
    expect(
      createWholeApp({ production: true, beta: true }, () => pane.ports).state$.value.settings.enableLogs,
    ).toBe(true)
  })

  /** The settings that are read of this user in storage, and the pane at the next sign-in of the same browser. */
  const nextPane = (world: World, userId: string, stage = development) => {
    const { storage, api } = world.ports
    const { get } = storage.privateRoaming(userId)
    const before = get.calls.length
    // The session has ended, so the last user signs in again after the settings were read.
    storage.session.clear().subscribe()
    api.verify.answers(() =>
      timer(50, world.clock.scheduler).pipe(map(() => verification({ ...fresh(), userId }))),
    )
    const pane = open(world, stage)
    expect(pane.app.state$.value.auth.status).toBe('success')
    return { ...pane, reads: get.calls.length - before }
  }
  const withStored = () => {
    const world = createWorld()
    world.ports.storage.privateRoaming('u-alex').set(SETTINGS_KEY, { enableEmbedImages: true }).subscribe()
    return world
  }

  it('[SET-2] load stored values over the defaults with the session, and in production the defaults alone', () => {
    const pane = nextPane(withStored(), 'u-alex')
    expect(selectSettings(pane.app.state$.value)).toMatchObject({
      enableEmbedImages: true,
      enableTelemetry: true,
    })
    expect(pane.reads).toBe(1)
    for (const to of ['/app/settings/app', '/app/dashboard', '/app/settings/config'])
      pane.app.record(Router.navigationRequested({ to }))
    pane.app.record(App.retryRequested())
    pane.clock.advance(60_000)
    expect(pane.ports.storage.privateRoaming('u-alex').get.calls).toHaveLength(1)
    pane.app.stop()

    const production = nextPane(pane, 'u-alex', { production: true, beta: false })
    expect(selectSettings(production.app.state$.value).enableEmbedImages).toBe(false)
    expect(production.reads).toBe(0)
  })

  it('[SET-2] that are loaded of the last user are returned as they are when this user signs in', () => {
    const first = nextPane(withStored(), 'u-alex')
    first.app.stop()
    const second = nextPane(first, 'u-alex')
    // Read at the start; the sign-in read them no second time.
    expect(second.reads).toBe(1)
    expect(typesOf(second).filter((each) => each === 'settings/loaded')).toHaveLength(2)
    expect(second.app.state$.value.settings).toMatchObject({ status: 'success', enableEmbedImages: true })
  })

  it('[SET-2] of the last user are not those of another user who signs in', () => {
    const first = nextPane(withStored(), 'u-alex')
    first.app.stop()
    const hers = nextPane(first, 'u-maria')
    expect(hers.reads).toBe(1)
    expect(selectSettings(hers.app.state$.value).enableEmbedImages).toBe(false)
  })

  it('[SET-2] [SET-5] are loaded again at the sign-in when another user of the mailbox switched something off', () => {
    const first = nextPane(withStored(), 'u-alex')
    first.ports.storage.persistent
      .set(hostUser().email.toLowerCase(), { 'u-maria': { enableTelemetry: false } })
      .subscribe()
    first.app.stop()
    const second = nextPane(first, 'u-alex')
    expect(second.reads).toBe(2)
    expect(second.app.state$.value.settings).toMatchObject({ enableTelemetry: true, enableEmbedImages: true })
  })

  it('[SET-2] that could not be loaded are loaded again at the sign-in', () => {
    const first = nextPane(withStored(), 'u-alex')
    first.app.stop()
    const area = first.ports.storage.privateRoaming('u-alex')
    area.get.answers(of(undefined), () => of({ enableEmbedImages: true }))
    const before = area.get.calls.length
    first.ports.storage.session.clear().subscribe()
    const second = open(first)
    // Silent sign-in counts as switched off, so the user signs in.
    expect(second.app.state$.value.settings).toMatchObject({ status: 'fail', userId: null })
    second.app.record(Auth.signInRequested({ silent: false }))
    second.clock.advance(1000)
    expect(second.app.state$.value.settings).toMatchObject({ status: 'success', enableEmbedImages: true })
    expect(area.get.calls).toHaveLength(before + 2)
  })

  it('[SET-2] are the defaults without a user, with a warning, until somebody signs in', () => {
    const world = createWorld()
    world.ports.api.verify.answers(NEVER)
    const app = createWholeApp(development, (): Ports => world.ports)
    world.clock.advance(1000)
    const { settings } = app.state$.value
    expect(settings).toMatchObject({ status: 'success', userId: null })
    expect(selectSettings(app.state$.value)).toEqual(defaultSettings(development))
    const warnings = ({ ports }: World) =>
      ports.log.lines.filter(({ action }) => action === 'settings_without_person')
    expect(warnings(world)).toEqual([{ level: 'warn', action: 'settings_without_person', detail: {} }])
    app.stop()

    // The last user is known, and production reads nobody's settings.
    const known = nextPane(createWorld(), 'u-alex')
    known.app.stop()
    const before = warnings(known).length
    nextPane(known, 'u-alex').app.stop()
    expect(warnings(known)).toHaveLength(before)
    const production = createWorld()
    nextPane(production, 'u-alex', { production: true, beta: false }).app.stop()
    expect(warnings(production)).toEqual([])
  })

  it('[SET-3] take effect once an update is written, and return to the defaults at a reset and at a sign-out', () => {
    const pane = open(createWorld())
    const statuses: string[] = []
    pane.app.state$.subscribe(({ settings: { status } }) => {
      if (statuses.at(-1) !== status) statuses.push(status)
    })
    change(pane, { enableEmbedImages: true })
    expect(statuses).toEqual(['success', 'pending', 'success'])
    pane.app.record(Settings.resetRequested())
    expect(selectSettings(pane.app.state$.value).enableEmbedImages).toBe(false)
    expect(stored(pane)).toMatchObject({ enableEmbedImages: false })

    change(pane, { enableEmbedImages: true })
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    pane.clock.advance(1000)
    expect(selectSettings(pane.app.state$.value).enableEmbedImages).toBe(false)
    expect(stored(pane)).toBeUndefined()
  })

  it('[SET-3] that storage refuses are told as not saved, and stay as they were', () => {
    const world = createWorld()
    const pane = open(world)
    change(pane, { enableEmbedImages: true })
    const before = selectSettings(pane.app.state$.value)
    // No room for one more byte.
    const taken = SETTINGS_KEY.length + JSON.stringify(before).length + 'rest'.length + '""'.length
    world.ports.storage
      .privateRoaming('u-alex')
      .set('rest', 'x'.repeat(32_000 - taken))
      .subscribe()
    change(pane, { enableEmbedImages: false })
    expect(pane.app.state$.value.settings).toMatchObject({
      status: 'fail',
      errors: [{ kind: 'storage', action: 'write' }],
    })
    expect(selectSettings(pane.app.state$.value)).toEqual(before)
    expect(stored(pane)).toEqual(before)
    pane.app.stop()
    expect(selectSettings(open(world).app.state$.value)).toEqual(before)
  })

  it('[SET-3] that are made at once all count, however slow storage is, and none takes another back', () => {
    const world = createWorld()
    const pane = open(world)
    const { persistent, privateRoaming } = world.ports.storage
    const slow$ = timer(500, world.clock.scheduler)
    const { set } = persistent
    vi.spyOn(persistent, 'set').mockImplementation((key, value) =>
      slow$.pipe(switchMap(() => set(key, value))),
    )
    change(pane, { enableEmbedImages: true })
    change(pane, { enableTelemetry: false })
    change(pane, { enableLogs: false })
    world.clock.advance(5_000)
    const changed = { enableEmbedImages: true, enableTelemetry: false, enableLogs: false }
    expect(selectSettings(pane.app.state$.value)).toMatchObject(changed)
    expect(privateRoaming('u-alex').content()[SETTINGS_KEY]).toMatchObject(changed)
    pane.app.stop()
    vi.restoreAllMocks()
    expect(selectSettings(open(world).app.state$.value)).toMatchObject(changed)
  })

  it('[SET-3] of a user who signs out before they are written are dropped, also for the next user', () => {
    const world = createWorld()
    const pane = open(world)
    const { privateRoaming } = world.ports.storage
    privateRoaming('u-alex').set.answers(NEVER)
    change(pane, { enableEmbedImages: true })
    change(pane, { enableVariablesMissing: true })
    world.ports.api.verify.answers(() => of(verification({ ...fresh(), userId: 'u-maria' })))
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    pane.app.record(Auth.signInRequested({ silent: false }))
    world.clock.advance(1000)
    expect(pane.app.state$.value.auth).toMatchObject({ session: { userId: 'u-maria' } })
    expect(selectSettings(pane.app.state$.value)).toMatchObject({
      enableEmbedImages: false,
      enableVariablesMissing: false,
    })
    expect(privateRoaming('u-maria').content()).toEqual({})
  })

  it('[SET-3] collect each failure until it is cleared, and log it', () => {
    const world = createWorld()
    const pane = open(world)
    world.ports.storage.privateRoaming('u-alex').set.answers(failing({ kind: 'defect', message: 'full' }))
    change(pane, { enableEmbedImages: true })
    change(pane, { enableLogs: false })
    expect(pane.app.state$.value.settings).toMatchObject({
      status: 'fail',
      enableEmbedImages: false,
      enableLogs: true,
    })
    expect(pane.app.state$.value.settings.errors).toHaveLength(2)
    expect(world.ports.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', action: 'settings_failed' }),
    )
    pane.app.record(Settings.errorsCleared())
    expect(pane.app.state$.value.settings.errors).toEqual([])
  })

  it('[SET-4] set the log level to trace with enableLogs, and to error without', () => {
    const pane = open(createWorld())
    expect(selectLogLevel(pane.app.state$.value)).toBe('trace')
    change(pane, { enableLogs: false })
    expect(selectLogLevel(pane.app.state$.value)).toBe('error')
  })

  it('[SET-5] enableSilentSSO off: the next pane of this user does not sign in silently', () => {
    const world = createWorld()
    const pane = open(world)
    change(pane, { enableSilentSSO: false })
    pane.app.stop()
    world.ports.storage.session.clear().subscribe()
    const verified = world.ports.api.verify.calls.length
    const next = createWholeApp(development, (): Ports => world.ports)
    world.clock.advance(1000)
    expect(world.ports.api.verify.calls.length).toBe(verified)
    expect(next.state$.value.auth).toMatchObject({ status: 'signedOut', reason: null })
    next.record(Auth.signInRequested({ silent: false }))
    world.clock.advance(1000)
    expect(next.state$.value.auth.status).toBe('success')
  })

  it('[SET-5] enableSignaturePush off: the next pane pushes no default; on again: it pushes it at once', () => {
    const world = createWorld()
    const first = open(world)
    change(first, { enableSignaturePush: false })
    first.app.stop()
    const pane = open(world)
    expect(typesOf(pane)).toEqual(expect.arrayContaining(['defaults/restored', 'defaults/loaded']))
    // The message has the default already; another one is about to be pushed.
    world.ports.api.signature.answers(() => of(cachedSignature({ html: '<p>Another</p>' })))
    pane.app.record(Signatures.refreshRequested())
    world.clock.advance(1000)
    expect(typesOf(pane)).not.toContain('insertion/defaultDue')
    change(pane, { enableSignaturePush: true })
    expect(typesOf(pane)).toContain('insertion/defaultDue')
  })

  it('[SET-5] enableEmbedImages requests lists with image contents; enableTelemetry off sends no telemetry', () => {
    const world = createWorld()
    world.ports.storage
      .privateRoaming('u-alex')
      .set(SETTINGS_KEY, { enableEmbedImages: true, enableTelemetry: false })
      .subscribe()
    world.ports.storage.local
      .set('lastPerson', { email: hostUser().email.toLowerCase(), userId: 'u-alex' })
      .subscribe()
    open(world)
    expect(world.ports.api.signatures.calls.map(([{ withImages }]) => withImages)).toContain(true)
    expect(world.ports.api.sendTelemetry.calls).toEqual([])
  })

  it('[SET-5] enableVariablesAutosave saves edits after a pause in typing, and not without it', () => {
    const pane = open(createWorld())
    type(pane, 'A')
    pane.clock.advance(60_000)
    expect(pane.ports.api.saveVariables.calls).toEqual([])
    change(pane, { enableVariablesAutosave: true })
    type(pane, 'Al')
    pane.clock.advance(1900)
    type(pane, 'Ale')
    pane.clock.advance(1999)
    expect(pane.ports.api.saveVariables.calls).toEqual([])
    pane.clock.advance(1)
    expect(pane.ports.api.saveVariables.calls.map(([{ values }]) => values['first_name'])).toEqual(['Ale'])
  })

  it('[SET-6] ignore invalid values field by field, and log them', () => {
    const defaults = selectSettings(open(createWorld()).app.state$.value)
    for (const [junk, kept] of [
      [{ enableEmbedImages: true, enableTelemetry: 'no', enableLogs: null }, { enableEmbedImages: true }],
      [
        { enableEmbedImages: true, alex: 'secret', __proto__: { enableLogs: false } },
        { enableEmbedImages: true },
      ],
      ['{"enableEmbedImages":true}', { enableEmbedImages: true }],
      ['{broken', {}],
      [[true], {}],
      [7, {}],
    ] as const) {
      const world = createWorld()
      world.ports.storage.privateRoaming('u-alex').set(SETTINGS_KEY, junk).subscribe()
      const pane = open(world)
      expect(selectSettings(pane.app.state$.value)).toEqual({ ...defaults, ...kept })
      const logged = world.ports.log.lines.filter(({ action }) => action === 'settings_ignored')
      expect(logged.length > 0).toBe(junk !== '{"enableEmbedImages":true}')
      expect(JSON.stringify(logged)).not.toContain('secret')
    }
  })
})

describe('profile, subscription and configuration', () => {
  it('[PROF-2] load once, and the profile again after a change of the default', () => {
    const pane = open(createWorld())
    const { api } = pane.ports
    const counts = () => [api.user, api.subscription, api.photo].map(({ calls }) => calls.length)
    expect(counts()).toEqual([1, 1, 1])
    pane.app.record(Router.navigationRequested({ to: '/app/dashboard' }))
    pane.app.record(Router.navigationRequested({ to: DETAILS }))
    pane.app.record(App.retryRequested())
    expect(counts()).toEqual([1, 1, 1])
    pane.app.record(Defaults.changeRequested({ combinedIds: 'c-1', use: 'master' }))
    pane.clock.advance(100)
    expect(counts()).toEqual([2, 1, 1])
  })

  it('[AUTH-8] a failure of a background call is logged once, and the session goes on', () => {
    const failing$ = failing({ kind: 'http', status: 500, code: null, data: null })
    for (const name of ['configuration', 'subscription', 'maintenance', 'telemetry'] as const) {
      const world = createWorld()
      const { api, log } = world.ports
      ;({ ...api, telemetry: api.sendTelemetry })[name].answers(failing$)
      const pane = open(world)
      expect(pane.app.state$.value.auth.status).toBe('success')
      expect(log.lines.filter(({ action }) => action === `${name}_failed`)).toEqual([
        { level: 'error', action: `${name}_failed`, detail: { code: 'REPOSITORY_ERROR', kind: 'http' } },
      ])
    }
  })

  it('[CFG-2] a configuration that fails to load allows nothing, and the failure is logged', () => {
    const world = createWorld()
    world.ports.api.configuration.answers(failing({ kind: 'timeout' }))
    const pane = open(world)
    expect(pane.app.state$.value.configuration).toMatchObject({ status: 'fail' })
    expect(selectConfiguration(pane.app.state$.value)).toEqual({ allowDefaultSignature: false })
    expect(world.ports.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', action: 'configuration_failed' }),
    )
    expect(selectConfiguration(open(createWorld()).app.state$.value)).toEqual({ allowDefaultSignature: true })
  })
})

describe('the picture', () => {
  const offer = ({ app }: Pane) => {
    app.record(Picture.offered({ file: createHandle('a file') }))
  }

  it('[PROF-5] is shown before it is saved; nothing is sent until then', () => {
    const pane = open(createWorld())
    offer(pane)
    expect(pane.app.state$.value.picture.offer).toMatchObject({
      status: 'ready',
      crop: { x: 0.25, y: 0, size: 1 },
    })
    expect(pane.ports.api.savePhoto.calls).toEqual([])
    expect(pane.ports.pictures.crop.calls).toEqual([])
    pane.app.record(Picture.dropped())
    expect(pane.app.state$.value.picture.offer).toBeNull()
  })

  it('[PROF-5] is saved as the part that the user chose, and told when it cannot be made', () => {
    const pane = open(createWorld())
    offer(pane)
    const { picture } = pane.app.state$.value
    const file = picture.offer?.status === 'ready' ? picture.offer.file : null
    pane.app.record(Picture.cropped({ crop: { x: 9, y: 0.25, size: 0.5 } }))
    pane.ports.pictures.crop.answers(
      throwError(() => new Error('no canvas')),
      of({ dataUrl: 'data:image/png;base64,aW1hZ2U=', type: 'image/png', size: 5, edge: 512 }),
    )
    pane.app.record(Picture.saveRequested())
    expect(pane.ports.pictures.crop.calls).toEqual([[file, { x: 1, y: 0.25, size: 0.5 }]])
    expect(pane.app.state$.value.picture).toMatchObject({
      offer: { status: 'refused', refusal: { reason: 'unreadable' } },
      change: null,
    })
    offer(pane)
    pane.app.record(Picture.saveRequested())
    expect(pane.ports.api.savePhoto.calls).toEqual([['aW1hZ2U=']])
  })

  it.each(['save', 'delete'] as const)(
    '[PROF-4] %s sends base64 only, resets the signatures and loads page 1 again',
    (kind) => {
      const world = createWorld()
      world.ports.api.user.answers(() => of(profile({ delegations: ['u-maria'] })))
      const pane = open(world)
      const { api } = world.ports
      const [own, theirs] = [api.signatures.calls.length, api.delegatedSignatures.calls.length]
      expect(theirs).toBeGreaterThan(0)
      if (kind === 'save') {
        offer(pane)
        pane.app.record(Picture.saveRequested())
        expect(api.savePhoto.calls).toEqual([['aW1hZ2U=']])
        expect(pane.app.state$.value.picture).toMatchObject({
          offer: null,
          change: { kind, attempt: { status: 'success' } },
        })
      } else {
        pane.app.record(Picture.deleteRequested())
        expect(pane.app.state$.value.picture).toMatchObject({
          url: { status: 'success', value: null },
          change: { kind, attempt: { status: 'success' } },
        })
      }
      expect(pane.app.state$.value.signatures.own.entries).toEqual([])
      world.clock.advance(3000)
      expect(api.signatures.calls.slice(own).map(([{ page }]) => page)).toEqual([1])
      expect(api.delegatedSignatures.calls.slice(theirs).map(([{ page }]) => page)).toEqual([1])
      expect(pane.app.state$.value.signatures.own.entries.length).toBeGreaterThan(0)
    },
  )

  it('[PROF-4] is refused without a request when empty, and stays chosen after a failed save', () => {
    const pane = open(createWorld())
    pane.ports.pictures.crop.answers(
      of({ dataUrl: 'data:image/png;base64,', type: 'image/png', size: 0, edge: 1 }),
    )
    offer(pane)
    pane.app.record(Picture.saveRequested())
    expect(pane.app.state$.value.picture.offer).toMatchObject({
      status: 'refused',
      refusal: { reason: 'empty' },
    })
    expect(pane.ports.api.savePhoto.calls).toEqual([])

    const failed = open(createWorld())
    failed.ports.api.savePhoto.answers(
      failing({ kind: 'http', status: 422, code: 'photo_invalid', data: null }),
    )
    offer(failed)
    failed.app.record(Picture.saveRequested())
    expect(failed.app.state$.value.picture).toMatchObject({
      offer: { status: 'ready' },
      change: { attempt: { status: 'fail', failure: { code: 'photo_invalid' } } },
    })
  })
})

describe('telemetry and analytics', () => {
  it('[TEL-1] [KNOW-3] sends exactly the payload that it shows, and stores one entry per platform', () => {
    const world = createWorld()
    const kept = [
      { platform: 'desktop', language: 'en' },
      { platform: 'test', language: 'de' },
    ]
    world.ports.storage
      .privateCache('u-alex')
      .set('telemetry', { version: 1, owner: 'u-alex', value: kept })
      .subscribe()
    const pane = open(world)
    const payload = selectTelemetryPayload(pane.app.state$.value)
    expect(world.ports.api.sendTelemetry.calls).toEqual([[payload]])
    expect(payload).toEqual({
      ...world.ports.platform,
      context: [
        { platform: 'desktop', language: 'en' },
        { platform: 'test', language: 'en' },
      ],
      settings: selectSettings(pane.app.state$.value),
    })
    expect(world.ports.storage.privateCache('u-alex').content()['telemetry']).toMatchObject({
      value: payload?.context,
    })
  })

  /** A launch event left this in the open message. */
  function launched({ ports: { host }, clock }: World, outcome: LaunchOutcome): void {
    const record = { outcome, at: START, ms: 300, age: null, runtime: 'page', told: [] }
    host.item$
      .pipe(
        filter((item) => item !== null),
        take(1),
        switchMap(({ key }) => host.setSessionData(key, LAUNCH_RECORD_KEY, JSON.stringify(record))),
      )
      .subscribe()
    clock.advance(100)
  }
  const sentLaunches = ({ ports }: World) =>
    ports.api.sendTelemetry.calls.map(([{ context }]) => context.map(({ launch }) => launch))
  const keptOf = ({ ports }: World) => ports.storage.privateCache('u-alex').content()['telemetry']

  it.each([
    ['inserted', 'went'],
    ['failed', 'failed'],
    ['leftToPerson', undefined],
  ] as const)(
    '[TEL-1] [KNOW-3] tells of a launch that ended with %s, as it shows before',
    (outcome, launch) => {
      const world = createWorld()
      launched(world, outcome)
      world.ports.api.verify.answers(() =>
        // The screen is drawn before it: the record is read after the signature's own calls.
        timer(2_500, world.clock.scheduler).pipe(map(() => verification(fresh()))),
      )
      const app = createWholeApp(development, (): Ports => world.ports)
      world.clock.advance(2_400)
      const shown = selectTelemetryPayload(app.state$.value)
      expect(shown?.context.map((each) => each.launch)).toEqual([launch])
      expect(sentLaunches(world)).toEqual([])
      world.clock.advance(5000)
      expect(sentLaunches(world)).toEqual([[launch]])
    },
  )

  it('[TEL-1] tells of a launch that it reads later only at the next sign-in, and never once switched off', () => {
    const world = createWorld()
    const pane = open(world)
    launched(world, 'late')
    const { open: id } = world.mailbox.state$.value
    world.mailbox.act({ type: 'switchTo', id: null })
    world.mailbox.act({ type: 'switchTo', id })
    world.clock.advance(5000)
    expect(sentLaunches(world)).toEqual([[undefined]])
    expect(keptOf(world)).toMatchObject({ value: [{ platform: 'test', language: 'en', launch: 'failed' }] })
    pane.app.stop()
    world.ports.storage.session.clear().subscribe()
    launched(world, 'leftToPerson')
    const second = open(world)
    expect(sentLaunches(world)).toEqual([[undefined], ['failed']])
    expect(keptOf(world)).toMatchObject({ value: [{ platform: 'test', language: 'en', launch: 'failed' }] })
    second.app.stop()
    world.ports.storage.session.clear().subscribe()
    world.ports.storage.privateRoaming('u-alex').set(SETTINGS_KEY, { enableTelemetry: false }).subscribe()
    launched(world, 'inserted')
    const third = open(world)
    expect(selectTelemetryPayload(third.app.state$.value)?.context[0]?.launch).toBe('went')
    expect(sentLaunches(world)).toHaveLength(2)
    expect(keptOf(world)).toMatchObject({ value: [{ launch: 'failed' }] })
  })

  it('[KNOW-3] shows the payload before sign-in, when it is not sent', () => {
    const world = createWorld()
    world.ports.api.verify.answers(failing({ kind: 'network' }))
    const app = createWholeApp(development, (): Ports => world.ports)
    world.clock.advance(1000)
    expect(selectTelemetryPayload(app.state$.value)).toMatchObject({ package: { name: 'signet' } })
    expect(world.ports.api.sendTelemetry.calls).toEqual([])
  })

  it('[TEL-2] tracks each action with valid parameters once the profile is loaded', () => {
    const pane = open(createWorld())
    pane.app.record(Router.navigationRequested({ to: '/app/signatures/delegations' }))
    pane.app.record(
      Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.app.state$.value.mailbox.item?.key ?? '' }),
    )
    pane.clock.advance(1000)
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    expect(pane.ports.analytics.track.calls.map(([{ name, parameters }]) => [name, parameters])).toEqual([
      ['task_pane_open', { role: 'user' }],
      ['change_signature', { role: 'user', action: 'default_signature' }],
      ['edit_profile', { role: 'user' }],
      ['signatures_opened', { role: 'user', folder: 'delegations' }],
      ['change_signature', { role: 'user', action: 'manual_signature' }],
      ['disconnect', { role: 'user' }],
    ])
    expect(new Set(pane.ports.analytics.track.calls.map(([{ userId }]) => userId))).toEqual(
      new Set(['u-alex']),
    )
  })
})

describe('the change-signature event', () => {
  it('[SIG-7] [TEL-2] is sent when a default is set or a signature chosen, not when that is undone or fails', () => {
    const pane = open(createWorld())
    const changes = () =>
      pane.ports.analytics.track.calls.flatMap(([{ name, parameters }]) =>
        name === 'change_signature' ? [parameters['action']] : [],
      )
    const itemKey = pane.app.state$.value.mailbox.item?.key ?? ''
    const record = (event: PaneGesture) => {
      const before = changes().length
      pane.app.record(event)
      pane.clock.advance(1000)
      return changes().slice(before)
    }
    const change = Defaults.changeRequested({ combinedIds: 'c-1', use: 'reply' })
    expect(record(Insertion.chosen({ entryId: masterId(1, 0), itemKey }))).toEqual(['manual_signature'])
    expect(record(Insertion.undoRequested({ itemKey }))).toEqual([])
    expect(record(Insertion.noneChosen({ itemKey }))).toEqual(['manual_signature'])
    expect(record(change)).toEqual(['default_signature'])
    pane.ports.api.saveVariables.answers(failing({ kind: 'timeout' }))
    expect(record(change)).toEqual([])
  })
})

describe('signing out', () => {
  it('[AUTH-7] resets every store of the user and clears session, settings and caches; edits stay', () => {
    const world = createWorld()
    const pane = open(world)
    type(pane, 'Alexis')
    pane.app.record(Settings.updateRequested({ changes: { enableEmbedImages: true } }))
    const before = world.ports.storage
    expect(Object.keys(before.privateCache('u-alex').content())).toEqual(
      expect.arrayContaining(['telemetry']),
    )
    expect(before.kept.content()).not.toEqual({})
    expect(before.privateRoaming('u-alex').content()).toHaveProperty(SETTINGS_KEY)
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    world.clock.advance(1000)
    const untouched = createWholeApp(development, (): Ports => createWorld().ports).state$.value
    const after = pane.app.state$.value
    for (const slice of ['variables', 'profile', 'picture', 'subscription', 'configuration'] as const)
      expect(after[slice]).toEqual(untouched[slice])
    expect(selectSettings(after)).toEqual(selectSettings(untouched))
    expect(after.maintenance.known).toBe(false)
    expect(before.session.content()).toEqual({})
    expect(before.privateCache('u-alex').content()).toEqual({})
    expect(before.privateRoaming('u-alex').content()).toEqual({})
    expect(journal(world)).toEqual({ first_name: { value: 'Alexis', resync: false } })
  })
})

describe('personal data', () => {
  it('is in no log line, telemetry, analytics, address, roaming setting or custom property', () => {
    const lines: unknown[] = []
    const spies = ['warn', 'error'].map((level) =>
      vi.spyOn(console, level as 'warn').mockImplementation((...line: unknown[]) => lines.push(line)),
    )
    const clock = createClock(START)
    const { mailbox, ports } = mailboxPorts(clock)
    const { api, storage, analytics, address } = ports
    const secret = {
      token: 'canary-token',
      html: 'canary-html',
      typed: 'canary-typed',
      phone: '+44 7700 900142',
    }
    const answer = { code: 'no', message: `${secret.html} of ${hostUser().email}` }
    const refused$ = failing({ kind: 'http', status: 409, code: 'no', data: answer })
    api.verify.answers(() => of(verification({ ...fresh(), token: createSecret(secret.token) })))
    api.user.answers(() => of(profile()))
    api.variableDefinitions.answers(() => of(definitions))
    api.variableValues.answers(() => of({ first_name: 'Alex Kim', job_title: secret.phone }))
    api.signature.answers(() => of(cachedSignature({ html: `<p>${secret.html} ${secret.phone}</p>` })))
    api.signatures.answers(({ page }) =>
      of({ page, total: 1, objects: [listedSignature({ html: `<p>${secret.html}</p>` })] }),
    )
    api.saveVariables.answers(refused$)
    api.savePhoto.answers(refused$)
    api.configuration.answers(refused$)
    analytics.track.answers(refused$)
    storage.local.set.answers(refused$)
    const log = createLog(() => 'trace')
    const app = createWholeApp(development, (): Ports => ({ ...ports, log }))
    clock.advance(1000)
    app.record(Router.navigationRequested({ to: DETAILS }))
    clock.advance(1000)
    app.record(Variables.edited({ path: 'first_name', value: secret.typed }))
    app.record(Variables.saveRequested({ occasion: 'person' }))
    app.record(Picture.offered({ file: createHandle(secret.typed) }))
    app.record(Picture.saveRequested())
    app.record(Settings.updateRequested({ changes: { enableLogs: true } }))
    app.record(
      Insertion.chosen({ entryId: masterId(1, 0), itemKey: app.state$.value.mailbox.item?.key ?? '' }),
    )
    clock.advance(5000)
    mailbox.act({ type: 'reply' })
    clock.advance(5000)
    const { items } = mailbox.snapshot()
    const recipients = items
      .flatMap(({ to, cc }) => [...to, ...cc])
      .flatMap((each) => [each.address, each.name])
    const roaming = [storage.roaming, storage.privateRoaming('u-alex')].map((area) => area.content())
    const inMessage = items.map(({ customProperties }) => customProperties)
    expect(inMessage.some((properties) => Object.keys(properties).length > 0)).toBe(true)
    app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    clock.advance(5000)
    for (const each of spies) each.mockRestore()
    expect(lines.flat()).toContainEqual(expect.stringContaining('analytics_failed'))

    const places = {
      lines: [...lines, ...ports.log.lines],
      telemetry: api.sendTelemetry.calls,
      analytics: analytics.track.calls,
      addresses: address.gone,
      roaming,
      inMessage,
    }
    for (const place of Object.values(places)) expect(place.length).toBeGreaterThan(0)
    const canaries = [...Object.values(secret), hostUser().email, 'Alex Kim', ...recipients].filter(Boolean)
    expect(recipients.length).toBeGreaterThan(0)
    for (const [where, place] of Object.entries(places))
      for (const canary of canaries)
        expect(JSON.stringify(place).toLowerCase(), `${canary} in ${where}`).not.toContain(
          canary.toLowerCase(),
        )
    // The log in memory does contain it: the canaries went through the application.
    expect(JSON.stringify(app.log)).toContain(secret.html)
  })
})
