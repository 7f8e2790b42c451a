import { BehaviorSubject, defer, filter, finalize, firstValueFrom, from, map } from 'rxjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Api, Ports } from '../../../effects/ports.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import type { SignetApp } from '../../../src/engine/createApp.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { selectConfiguration } from '../../../streams/pane/configuration/selectors.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import {
  selectAdminDefinedId,
  selectDefaultIds,
  selectRefusedChanges,
} from '../../../streams/pane/defaults/selectors.ts'
import type { PaneGesture } from '../../../streams/pane/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import type { ReleaseDocument, Signature } from '../../../streams/organisation/release/release.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { createWholeApp } from '../../support/app.ts'
import { type Clock, createClock } from '../../support/clock.ts'
import { demoMailboxAt, portsOver } from '../../support/ports.ts'
import { type Caller, createCaller } from '../http/api.ts'
import { ALEX, type Running, SALES, start } from '../running.ts'

// A pane that was opened over one release, and the service that has published the next: the whole application over its
// real adapter, for everything that a release can change under it.

const ME = 'u-1'
const SALES_ID = 'u-2'
const MARIA_ID = 'u-3'
const own = (signature: string) => `${signature}-${ME}`

let running: Running
let document: ReleaseDocument
let pane: Pane
beforeAll(async () => {
  running = await start()
  document = (await readDemonstration()).document
})
beforeEach(async () => {
  await running.reset()
  pane = await openPane()
})
afterEach(() => pane.close())
afterAll(() => running.stop())

type Pane = Readonly<{
  app: SignetApp
  /** What the user does, and all that follows from it. */
  act: (...events: readonly PaneGesture[]) => Promise<void>
  itemKey: () => string
  signature: () => string
  close: () => Promise<void>
}>

/** The port, and how many of its calls wait for an answer. */
function counted(api: Api): Readonly<{ api: Api; open$: BehaviorSubject<number>; made: () => number }> {
  const open$ = new BehaviorSubject(0)
  let made = 0
  const calls = Object.entries(api)
  const counting = calls.map(([name, call]) => [
    name,
    (...args: unknown[]) =>
      defer(() => {
        made += 1
        open$.next(open$.value + 1)
        return call(...args).pipe(
          finalize(() => {
            open$.next(open$.value - 1)
          }),
        )
      }),
  ])
  return { api: Object.fromEntries(counting) as Api, open$, made: () => made }
}

/** Opens the pane beside a new message, and waits until it has asked for everything. */
async function openPane(): Promise<Pane> {
  const caller: Caller = createCaller(running)
  await caller.signIn(ALEX)
  const clock: Clock = createClock(Date.now())
  const mailbox = demoMailboxAt(clock, demoMailbox())
  const { api, open$, made } = counted(caller.api)
  const fakes = portsOver(clock, mailbox.client)
  const identity: Ports['identity'] = {
    ...fakes.identity,
    accessToken: () => defer(() => from(running.mailClientToken(ALEX))).pipe(map(createSecret)),
  }
  const app = createWholeApp({ production: false, beta: false }, (): Ports => ({ ...fakes, identity, api }))
  const settle = async () => {
    for (let isQuiet = false; !isQuiet;) {
      const [before, waiting] = [made(), open$.value]
      // Longer than any pause after which the pane asks by itself, but the polling.
      clock.advance(4_000)
      await firstValueFrom(open$.pipe(filter((open) => open === 0)))
      await new Promise(setImmediate)
      isQuiet = made() === before && waiting === 0 && app.state$.value.auth.status !== 'pending'
    }
  }
  await settle()
  expect(app.state$.value.auth.status).toBe('success')
  return {
    app,
    async act(...events) {
      for (const event of events) app.record(event)
      await settle()
    },
    itemKey: () => app.state$.value.mailbox.item?.key ?? '',
    signature: () => {
      const { items, open } = mailbox.state$.value
      const item = items.find(({ id }) => id === open)
      return item?.mode === 'compose' ? item.body.signature : ''
    },
    close: async () => {
      app.stop()
      await caller.close()
    },
  }
}

/** Publishes the demonstration with a change. */
const publish = (change: (document: ReleaseDocument) => Partial<ReleaseDocument>) =>
  publishDocument(running.context, { ...document, ...change(document) }, 'an administrator')

const without =
  (...ids: readonly string[]) =>
  ({ signatures }: ReleaseDocument) => ({ signatures: signatures.filter(({ id }) => !ids.includes(id)) })
const changed =
  (wanted: string, change: Partial<Signature>) =>
  ({ signatures }: ReleaseDocument) => ({
    signatures: signatures.map((each) => (each.id === wanted ? { ...each, ...change } : each)),
  })
const variables =
  (change: (all: ReleaseDocument['variables']) => ReleaseDocument['variables']) =>
  (given: ReleaseDocument) => ({
    variables: change(given.variables),
  })

const state = () => pane.app.state$.value
const listed = () => state().signatures.own.entries.map(({ combinedIds }) => combinedIds)
const chosen = async () => (await running.context.store.person(ME))?.metadata.defaultSignature
const refused = () =>
  selectRefusedChanges(state()).map(({ change, failure }) => [
    change.use,
    failure.kind === 'http' ? failure.code : failure.kind,
  ])
const entry = (combinedIds: string) => {
  const { own: mine, delegated } = state().signatures
  const found = [...mine.entries, ...delegated.entries].find((each) => each.combinedIds === combinedIds)
  if (!found) throw new Error(`${combinedIds} is not listed`)
  return found
}
const insert = (combinedIds: string) =>
  pane.act(Insertion.chosen({ entryId: entry(combinedIds).entryId, itemKey: pane.itemKey() }))
const makeDefault = (combinedIds: string, use: 'master' | 'reply' = 'master') =>
  pane.act(Defaults.changeRequested({ combinedIds, use }))
const openDetails = () => pane.act(Router.navigationRequested({ to: '/app/settings/variables' }))
const edit = (path: string, value: string) =>
  pane.act(Variables.edited({ path, value }), Variables.saveRequested({ occasion: 'person' }))
/** The lists to their ends. */
const readAll = () => pane.act(Signatures.searched({ query: 'e', shared: false }))

/** Whatever was published, the user stays signed in, no effect crashed, and nothing is left undone. */
afterEach(() => {
  expect(state().auth.status).toBe('success')
  expect(pane.app.log.map(({ type }) => type)).not.toContain('kernel/effectCrashed')
  const { defaults, signatures, profile, variables: details, senders } = state()
  const loads = [defaults.load, signatures.own.load, signatures.refresh, profile, details.save, senders.load]
  expect(loads.map(({ status }) => status)).not.toContain('pending')
  expect(defaults.pending).toEqual([])
})

describe('[AUTH-8] a signature that was withdrawn', () => {
  it('is refused as a default in words, and leaves the list; another one is taken', async () => {
    await readAll()
    await publish(without('harbour_days'))
    await makeDefault(own('harbour_days'))
    expect(refused()).toEqual([['master', 'not_found']])
    expect(listed()).not.toContain(own('harbour_days'))
    expect(listed()).toContain(own('short'))
    await makeDefault(own('short'))
    expect([refused(), (await chosen())?.master, selectDefaultIds(state()).master]).toEqual([
      [],
      own('short'),
      own('short'),
    ])
  })

  it('is refused as the default for replies, and for a sender', async () => {
    await readAll()
    await publish(without('harbour_days'))
    await makeDefault(own('harbour_days'), 'reply')
    await pane.act(Defaults.senderChoiceRequested({ address: SALES, combinedIds: own('harbour_days') }))
    expect(refused()).toEqual([
      ['reply', 'not_found'],
      ['sender', 'not_found'],
    ])
    expect(listed()).not.toContain(own('harbour_days'))
  })

  it('is not inserted, and leaves the list; the message keeps what it has', async () => {
    await readAll()
    const before = pane.signature()
    expect(before).not.toBe('')
    await publish(without('harbour_days'))
    await insert(own('harbour_days'))
    expect(state().insertion.latest?.attempt).toMatchObject({ status: 'fail', failure: { status: 404 } })
    expect(listed()).not.toContain(own('harbour_days'))
    expect(pane.signature()).toBe(before)
  })

  it('and was the user’s default keeps no other choice from being made', async () => {
    await publish(without('portrait'))
    await makeDefault(own('short'), 'reply')
    expect(refused()).toEqual([])
    // The organisation's default goes into new messages, the user's choice into replies, and the pane says so.
    expect(selectDefaultIds(state())).toEqual({ master: own('standard'), reply: own('short') })
    expect(selectAdminDefinedId(state())).toBe(own('standard'))
    await pane.act(Defaults.senderChoiceRequested({ address: SALES, combinedIds: own('short') }))
    expect(refused()).toEqual([])
    expect(await chosen()).toEqual({
      master: own('portrait'),
      reply: own('short'),
      bySender: { [SALES]: own('short') },
    })
  })
})

describe('a signature', () => {
  it('that was added is in the list after a reload, and can be chosen', async () => {
    await publish(({ signatures }) => {
      const added = signatures.find(({ id }) => id === 'short')
      return { signatures: added ? [{ ...added, id: 'brand_new', name: 'Brand new' }, ...signatures] : [] }
    })
    await pane.act(Signatures.refreshRequested())
    expect(listed()).toContain(own('brand_new'))
    await makeDefault(own('brand_new'))
    expect([refused(), selectDefaultIds(state()).master]).toEqual([[], own('brand_new')])
  })

  it('that was renamed is chosen under its former name, and has the new one after a reload', async () => {
    await publish(changed('short', { name: 'Renamed' }))
    await makeDefault(own('short'))
    expect(refused()).toEqual([])
    await pane.act(Signatures.refreshRequested())
    expect(entry(own('short')).name).toBe('Renamed')
  })

  it('that is the organisation’s new default goes to those who chose none, after a reload', async () => {
    await pane.act(Defaults.organisationRequested())
    expect(selectDefaultIds(state()).master).toBe(own('standard'))
    await publish(({ signatures }) => ({
      signatures: [
        ...signatures.filter(({ id }) => id === 'short'),
        ...signatures.filter(({ id }) => id !== 'short'),
      ],
    }))
    await pane.act(Signatures.refreshRequested())
    expect([selectDefaultIds(state()).master, selectAdminDefinedId(state())]).toEqual([
      own('short'),
      own('short'),
    ])
    expect(await chosen()).toBeUndefined()
  })
})

describe('[CHOOSE-2] a choice for a sender', () => {
  it('leaves the default to the organisation, at the service too', async () => {
    await pane.act(Defaults.organisationRequested())
    await pane.act(Defaults.senderChoiceRequested({ address: SALES, combinedIds: own('short') }))
    expect(await chosen()).toEqual({ bySender: { [SALES]: own('short') } })
    expect([selectDefaultIds(state()).master, selectAdminDefinedId(state())]).toEqual([
      own('standard'),
      own('standard'),
    ])
    await pane.act(Defaults.senderChoiceRequested({ address: SALES, combinedIds: null }))
    expect(await chosen()).toBeUndefined()
  })
})

describe('[VAR-7] a detail', () => {
  const saved = async (path: string) => (await running.context.store.person(ME))?.values[path]

  it('that was removed refuses one save in words, and the next is made without it', async () => {
    await openDetails()
    await publish(variables((all) => all.filter(({ path }) => path !== 'pronouns')))
    await edit('department', 'Deck')
    expect(state().variables.save).toMatchObject({ status: 'fail', failure: { code: 'unknown_variable' } })
    expect(state().variables.definitions.map(({ path }) => path)).not.toContain('pronouns')
    expect(state().variables.drafts['department']?.value).toBe('Deck')
    await pane.act(Variables.saveRequested({ occasion: 'person' }))
    expect([state().variables.save.status, await saved('department')]).toEqual(['success', 'Deck'])
  })

  it('that was edited and removed is left out of the next save', async () => {
    await openDetails()
    await publish(variables((all) => all.filter(({ path }) => path !== 'pronouns')))
    await pane.act(Variables.edited({ path: 'pronouns', value: 'she/her' }))
    await edit('department', 'Deck')
    await pane.act(Variables.saveRequested({ occasion: 'person' }))
    expect([state().variables.save.status, await saved('department')]).toEqual(['success', 'Deck'])
  })

  it('that was locked refuses at most one save, and the next is made without it', async () => {
    await openDetails()
    await publish(
      variables((all) => all.map((each) => (each.path === 'job_title' ? { ...each, edit: false } : each))),
    )
    await edit('department', 'Deck')
    await pane.act(Variables.saveRequested({ occasion: 'person' }))
    expect([state().variables.save.status, await saved('department')]).toEqual(['success', 'Deck'])
  })

  it('that was added keeps no save from being made', async () => {
    await openDetails()
    await publish(
      variables((all) =>
        all.flatMap((each) => (each.path === 'pronouns' ? [each, { ...each, path: 'motto' }] : [each])),
      ),
    )
    await edit('department', 'Deck')
    expect([state().variables.save.status, await saved('department')]).toEqual(['success', 'Deck'])
  })
})

describe('[SIG-4] a delegation', () => {
  const delegating =
    (change: (all: ReleaseDocument['mailboxes']) => ReleaseDocument['mailboxes']) =>
    (given: ReleaseDocument) => ({
      mailboxes: change(given.mailboxes),
    })
  const withoutSales = delegating((all) => all.filter(({ address }) => address !== SALES))
  const owners = () => [...new Set(state().signatures.delegated.entries.map(({ owner }) => owner))]

  it('that was withdrawn is told, takes its signatures along, and keeps the own list from nothing', async () => {
    expect(owners()).toContain(SALES)
    await publish((given) => ({
      ...withoutSales(given),
      ...changed('short', { name: 'Renamed' })(given),
    }))
    await pane.act(Signatures.refreshRequested())
    await readAll()
    expect(state().signatures.unshared).not.toBeNull()
    expect(state().signatures.delegations).toEqual([MARIA_ID])
    expect(owners()).not.toContain(SALES)
    expect(entry(own('short')).name).toBe('Renamed')
    expect(state().signatures.refresh.status).toBe('success')
    // What is read for the senders is read again, too.
    expect(state().senders.load.status).toBe('success')
  })

  it('that was withdrawn while the list was scrolled is told as well', async () => {
    await publish(withoutSales)
    await readAll()
    await pane.act(Signatures.nextPageRequested({ list: 'delegated' }))
    expect(state().signatures.delegated.load.status).not.toBe('fail')
    expect(owners()).not.toContain(SALES)
  })

  it('that was the last one leaves no signature of others', async () => {
    await publish(delegating(() => []))
    await pane.act(Signatures.refreshRequested())
    expect([owners(), state().signatures.delegations]).toEqual([[], []])
    expect(state().signatures.refresh.status).toBe('success')
  })

  it('that was withdrawn refuses its signatures as a default', async () => {
    await readAll()
    const ids = `sales_desk-${SALES_ID}`
    expect(entry(ids).owner).toBe(SALES)
    await publish(withoutSales)
    await makeDefault(ids)
    expect(refused()).toEqual([['master', 'not_found']])
    expect(owners()).not.toContain(SALES)
  })

  it('that was added is there after a reload of the profile', async () => {
    await publish(withoutSales)
    await pane.act(Signatures.refreshRequested())
    await publish(() => ({}))
    await openDetails()
    await edit('department', 'Deck')
    await readAll()
    expect(owners()).toContain(SALES)
  })
})

describe('[CFG-2] a user who may choose no longer', () => {
  const locked = () => ({ chooseDefault: { for: [], not: [] } })

  it('is told so, is offered no default any more, and has the organisation’s', async () => {
    await publish(locked)
    await makeDefault(own('short'))
    expect(refused()).toEqual([['master', 'default_not_allowed']])
    expect(selectConfiguration(state()).allowDefaultSignature).toBe(false)
    expect(selectDefaultIds(state()).master).toBe(own('standard'))
    expect(selectAdminDefinedId(state())).toBe(own('standard'))
  })

  it('has their choices again when they may again', async () => {
    const before = await chosen()
    await publish(locked)
    await makeDefault(own('short'), 'reply')
    await publish(() => ({}))
    await pane.act(Signatures.refreshRequested())
    expect([await chosen(), selectDefaultIds(state()).master]).toEqual([before, own('portrait')])
  })
})
