import { selectDefaultSignature } from '../../streams/message/defaults/selectors.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { describe, expect, it } from 'vitest'
import { of } from 'rxjs'
import { FIRST_STATUS_POLL_MS } from '../../effects/pane/maintenance.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { selectIsListLoading, selectListFailure } from '../../streams/pane/signatures/selectors.ts'
import { openPane, type Pane } from '../support/pane.ts'
import { failing } from '../support/ports.ts'
import { cachedSignature, image, listedSignature, profile } from '../support/state.ts'

// The whole application as it ships, on virtual time: the age of the list, and its refresh.

const named = (name: string) => listedSignature({ name, combinedIds: `c-${name}`, html: `<p>${name}</p>` })
const open = (own = [named('One'), named('Two')]): Pane => {
  const pane = openPane({ own })
  pane.clock.advance(1000)
  return pane
}
const signatures = ({ app }: Pane) => app.state$.value.signatures
const namesIn = (pane: Pane) => signatures(pane).own.entries.map(({ name }) => name)
const now = ({ clock }: Pane) => clock.scheduler.now()
const refresh = (pane: Pane, ms = 1000) => {
  pane.app.record(Signatures.refreshRequested())
  pane.clock.advance(ms)
}
const unavailable: Failure = { kind: 'http', status: 503, code: null, data: null }

describe('the list', () => {
  it('[KNOW-5] has the time of the last response, also after a reload, and none after sign-out', () => {
    const pane = open()
    const first = signatures(pane).checkedAt
    expect(first).not.toBeNull()
    pane.clock.advance(120_000)
    expect(signatures(pane).checkedAt).toBe(first)
    pane.app.record(Picture.deleteRequested())
    pane.clock.advance(5000)
    expect(signatures(pane).checkedAt).toBeGreaterThan(first ?? 0)
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    expect(signatures(pane).checkedAt).toBeNull()
  })

  it('[KNOW-5] stays until the response to a refresh, which replaces it', () => {
    const pane = open()
    pane.service.own = [named('Two'), named('Three')]
    pane.service.standard = { ...pane.service.standard, name: 'Renamed' }
    pane.clock.advance(60_000)
    refresh(pane, 10)
    expect(selectIsListLoading(pane.app.state$.value)).toBe(true)
    expect(namesIn(pane)).toEqual(['One', 'Two'])
    pane.clock.advance(10)
    expect(selectIsListLoading(pane.app.state$.value)).toBe(false)
    expect(namesIn(pane)).toEqual(['Two', 'Three'])
    expect(selectDefaultSignature(pane.app.state$.value)?.name).toBe('Renamed')
    expect(signatures(pane).checkedAt).toBe(now(pane))
  })

  it('[KNOW-5] is refreshed with the shared list, and later pages load on request', () => {
    const all = Array.from({ length: 8 }, (_, index) => named(`S${index}`))
    const pane = openPane({ own: all, profile: profile({ delegations: ['u-sales'] }) })
    pane.clock.advance(1000)
    pane.app.record(Signatures.nextPageRequested({ list: 'own' }))
    pane.clock.advance(1000)
    expect(namesIn(pane)).toHaveLength(8)
    pane.service.delegated = [listedSignature({ name: 'Sales', email: 'sales@northwind.example' })]
    refresh(pane)
    expect(signatures(pane).delegated.entries.map(({ name }) => name)).toEqual(['Sales'])
    expect(namesIn(pane)).toHaveLength(5)
    pane.app.record(Signatures.nextPageRequested({ list: 'own' }))
    pane.clock.advance(1000)
    expect(namesIn(pane)).toEqual(all.map(({ name }) => name))
  })

  it('[KNOW-5] is requested once when a second refresh comes during the first', () => {
    const pane = open()
    const before = pane.ports.api.signatures.calls.length
    refresh(pane, 1)
    refresh(pane)
    expect(pane.ports.api.signatures.calls).toHaveLength(before + 1)
  })

  it('ignores a refresh from before a reload', () => {
    const pane = open()
    pane.service.ms = 500
    refresh(pane, 100)
    pane.app.record(Picture.deleteRequested())
    pane.clock.advance(1000)
    expect(namesIn(pane)).toEqual([])
    pane.clock.advance(5000)
    expect(namesIn(pane)).toEqual(['One', 'Two'])
  })

  it('allows an insertion during a refresh', () => {
    const pane = open()
    refresh(pane, 1)
    const [, two] = signatures(pane).own.entries
    pane.app.record(Insertion.chosen({ entryId: two?.entryId ?? '', itemKey: pane.itemKey() }))
    pane.clock.advance(5000)
    expect(pane.message().body.signature).toContain('Two')
  })
})

describe('an unreachable service', () => {
  it.each<[string, Failure]>([
    ['offline', { kind: 'network' }],
    ['down', unavailable],
    ['too slow', { kind: 'timeout' }],
  ])('[KNOW-5] %s: the last list stays usable, and the failed refresh is reported', (_, failure) => {
    const pane = open()
    const checkedAt = signatures(pane).checkedAt
    pane.service.failure = failure
    refresh(pane)
    expect(namesIn(pane)).toEqual(['One', 'Two'])
    expect(signatures(pane)).toMatchObject({ checkedAt, refresh: { status: 'fail', failure } })
    expect(selectListFailure(pane.app.state$.value)).not.toBeNull()
    const [one] = signatures(pane).own.entries
    pane.app.record(Insertion.chosen({ entryId: one?.entryId ?? '', itemKey: pane.itemKey() }))
    pane.clock.advance(5000)
    expect(pane.message().body.signature).toContain('One')
  })

  it.each<[string, Failure]>([
    ['offline', { kind: 'network' }],
    ['too slow', { kind: 'timeout' }],
  ])('[KNOW-5] %s: a signature with pictures can be used, with those at hand attached', (_, failure) => {
    const [logo, other] = ['logo', 'other'].map((name) => `https://cdn.northwind.example/${name}.png`)
    const html = `<p>Rich</p><img src="${logo ?? ''}"><img src="${other ?? ''}">`
    const pane = openPane({
      own: [named('One'), listedSignature({ name: 'Rich', combinedIds: 'c-rich', html, images: [] })],
      standard: cachedSignature({
        html: `<p>Standard</p><img src="${logo ?? ''}">`,
        images: [image(logo ?? '')],
      }),
    })
    pane.clock.advance(1000)
    pane.service.failure = failure
    const [, rich] = signatures(pane).own.entries
    pane.app.record(Insertion.chosen({ entryId: rich?.entryId ?? '', itemKey: pane.itemKey() }))
    pane.clock.advance(10_000)
    const { body, attachments } = pane.message()
    expect(pane.app.state$.value.insertion.latest?.attempt.status).toBe('success')
    expect(body.signature).toContain('src="cid:lsi-attachlogo-2.png"')
    expect(body.signature).toContain(`src="${other ?? ''}"`)
    expect(attachments.map(({ name }) => name)).toEqual(['lsi-attachlogo-2.png'])
  })

  it('a signature that the service refuses is not used without its pictures', () => {
    const html = '<p>Rich</p><img src="https://cdn.northwind.example/logo.png">'
    const pane = openPane({
      own: [listedSignature({ name: 'Rich', combinedIds: 'c-rich', html, images: [] })],
    })
    pane.clock.advance(1000)
    pane.service.failure = unavailable
    const [rich] = signatures(pane).own.entries
    pane.app.record(Insertion.chosen({ entryId: rich?.entryId ?? '', itemKey: pane.itemKey() }))
    pane.clock.advance(10_000)
    expect(pane.app.state$.value.insertion.latest?.attempt).toMatchObject({
      status: 'fail',
      failure: unavailable,
    })
    expect(pane.message().body.signature).not.toContain('Rich')
  })

  it('[KNOW-5] knows that the connection is lost, by the browser or by a request, until it is back', () => {
    const pane = open()
    const isLost = () => pane.app.state$.value.connection.isLost
    expect(isLost()).toBe(false)
    pane.ports.connection.lost$.next()
    expect(isLost()).toBe(true)
    pane.ports.connection.back$.next()
    expect(isLost()).toBe(false)
    pane.service.failure = { kind: 'network' }
    refresh(pane)
    expect(isLost()).toBe(true)
    pane.service.failure = null
    refresh(pane)
    expect(isLost()).toBe(false)
  })

  it('[KNOW-5] is asked again as soon as the network is back', () => {
    const pane = open()
    pane.service.failure = { kind: 'network' }
    refresh(pane)
    pane.service.failure = null
    pane.service.own = [named('New')]
    pane.ports.connection.back$.next()
    pane.clock.advance(1000)
    expect(namesIn(pane)).toEqual(['New'])
    expect(selectListFailure(pane.app.state$.value)).toBeNull()
  })

  it('[KNOW-5] is asked again as soon as it reports its maintenance status', () => {
    const pane = open()
    pane.ports.api.maintenance.answers(of(null))
    pane.service.failure = unavailable
    refresh(pane)
    pane.service.failure = null
    pane.service.own = [named('New')]
    pane.clock.advance(FIRST_STATUS_POLL_MS)
    expect(namesIn(pane)).toEqual(['New'])
  })

  it('is not asked again when nothing failed, nor after a permanent failure', () => {
    const pane = open()
    const before = pane.ports.api.signatures.calls.length
    pane.ports.connection.back$.next()
    pane.clock.advance(1000)
    expect(pane.ports.api.signatures.calls).toHaveLength(before)
    pane.service.failure = { kind: 'malformed', at: 'objects' }
    refresh(pane)
    pane.ports.connection.back$.next()
    pane.clock.advance(1000)
    expect(pane.ports.api.signatures.calls).toHaveLength(before + 1)
  })

  it('is asked again for a list that never loaded', () => {
    const pane = openPane({
      prepare: ({ ports }) => {
        ports.api.signatures.answers(failing({ kind: 'network' }))
      },
    })
    pane.clock.advance(1000)
    expect(signatures(pane)).toMatchObject({ checkedAt: null, own: { load: { status: 'fail' } } })
    pane.ports.api.signatures.answers(of({ page: 1, total: 1, objects: [named('One')] }))
    pane.ports.connection.back$.next()
    pane.clock.advance(1000)
    expect(namesIn(pane)).toEqual(['One'])
    expect(signatures(pane)).toMatchObject({
      checkedAt: now(pane) - 1000,
      own: { load: { status: 'success' } },
    })
  })

  it('is asked again for details, picture and profile, but not after a permanent failure', () => {
    const pane = openPane({
      prepare: ({ ports }) => {
        ports.api.user.answers(failing({ kind: 'timeout' }))
        ports.api.variableStates.answers(failing({ kind: 'network' }))
        ports.api.photo.answers(failing(unavailable))
      },
    })
    const { ports, app, clock } = pane
    app.record(Router.navigationRequested({ to: '/app/settings/attributes' }))
    clock.advance(1000)
    const statuses = () => {
      const { profile, variables, picture } = app.state$.value
      return [profile.status, variables.load.status, picture.url.status]
    }
    expect(statuses()).toEqual(['fail', 'fail', 'fail'])
    ports.api.user.answers(of(profile()))
    ports.api.variableStates.answers(of({ id: 'u-alex', changedFields: [], originalData: {} }))
    ports.api.photo.answers(failing({ kind: 'malformed', at: 'data' }))
    ports.connection.back$.next()
    clock.advance(1000)
    expect(statuses()).toEqual(['success', 'success', 'fail'])
    const asked = () =>
      [ports.api.user, ports.api.variableStates, ports.api.photo].map(({ calls }) => calls.length)
    const before = asked()
    ports.connection.back$.next()
    clock.advance(1000)
    expect(asked()).toEqual(before)
  })
})
