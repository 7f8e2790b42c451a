import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { favouritesStore, recentSignaturesCache } from '../../effects/pane/signatures.ts'
import type { PaneGesture } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { signaturesPath } from '../../streams/pane/router/routes.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import {
  selectIsArranging,
  selectListedEntries,
  selectListGroups,
} from '../../streams/pane/signatures/selectors.ts'
import { openPane, type Pane } from '../support/pane.ts'
import { cachedSignature, listedSignature, masterId, profile } from '../support/state.ts'

// The groups of the list end to end: the whole application over the mailbox model.

const OWN = Array.from({ length: 17 }, (_, index) =>
  listedSignature({
    name: `S${index}`,
    combinedIds: `c-${index}`,
    html: `<p>S${index}</p>`,
    collection: index % 8 === 3 ? 'campaigns' : 'main',
  }),
)
const standard = cachedSignature({ name: 'S12', combinedIds: 'c-12', html: '<p>S12</p>', reply: null })

const open = (options: Parameters<typeof openPane>[0] = {}): Pane => {
  const pane = openPane({ own: OWN, standard, ...options })
  pane.clock.advance(2_000)
  return pane
}

/** The next pane of this browser, after a restart of the mail client. */
const openNext = ({ ports }: Pane, options: Parameters<typeof openPane>[0] = {}): Pane =>
  open({
    ...options,
    prepare: ({ ports: { storage } }) => {
      const copies = [
        [ports.storage.privateCache('u-alex'), storage.privateCache('u-alex')],
        [ports.storage.privateDrafts('u-alex'), storage.privateDrafts('u-alex')],
      ] as const
      for (const [from, to] of copies)
        for (const [key, value] of Object.entries(from.content())) to.set(key, value).subscribe()
    },
  })

const record = ({ app, clock }: Pane, event: PaneGesture, ms = 1_000) => {
  app.record(event)
  clock.advance(ms)
}

const mark = (pane: Pane, combinedIds: string, isFavourite = true) => {
  record(pane, Signatures.favouriteChanged({ combinedIds, isFavourite }))
}

const choose = (pane: Pane, page: number, index: number) => {
  record(pane, Insertion.chosen({ entryId: masterId(page, index), itemKey: pane.itemKey() }))
}

const groups = ({ app }: Pane) =>
  selectListGroups(app.state$.value).map(({ kind, entries }) => [
    kind,
    entries.map(({ entry }) => entry.name).join(' '),
  ])

const stored = ({ ports }: Pane) => {
  const { content } = ports.storage.privateDrafts('u-alex')
  return (content()[favouritesStore.key] as { value: unknown } | undefined)?.value
}

describe('the first draw of the list', () => {
  test('has the default of the third page first, and nothing is drawn above it before', () => {
    const pane = openPane({ own: OWN, standard })
    const drawn: string[] = []
    pane.app.state$.subscribe((state) => {
      const [first] = selectListGroups(state)
      if (first && !selectIsArranging(state))
        drawn.push(`${first.kind} ${first.entries[0]?.entry.name ?? ''}`)
    })
    pane.clock.advance(2_000)
    expect(new Set(drawn)).toEqual(new Set(['default S12']))
    // The last call reads the signatures for other senders, which may be on any page.
    expect(pane.ports.api.signatures.calls.map(([{ page }]) => page)).toEqual([1, 2, 3, 1])
  })

  test('waits for what earlier panes stored, however fast the service is', () => {
    const read$ = new Subject<unknown>()
    const pane = open({
      prepare: ({ ports }) => {
        ports.storage
          .privateDrafts('u-alex')
          .get.answers((key) => (key === favouritesStore.key ? read$ : new Subject()))
      },
    })
    expect(selectIsArranging(pane.app.state$.value)).toBe(true)
    read$.next({ version: 1, owner: 'u-alex', value: ['c-1'] })
    read$.complete()
    pane.clock.advance(1_000)
    expect(selectIsArranging(pane.app.state$.value)).toBe(false)
    expect(groups(pane).slice(0, 2)).toEqual([
      ['default', 'S12'],
      ['favourites', 'S1'],
    ])
  })
})

describe('[CHOOSE-8] the groups', () => {
  test('stay while the user marks and inserts; the next pane has them in their place', () => {
    const pane = open({ standard: cachedSignature({ combinedIds: 'c-0' }) })
    const drawn = groups(pane)
    expect(drawn).toEqual([
      ['default', 'S0'],
      ['rest', 'S1 S2 S3 S4'],
    ])
    mark(pane, 'c-4')
    mark(pane, 'c-2')
    choose(pane, 1, 3)
    choose(pane, 1, 1)
    expect(groups(pane)).toEqual(drawn)
    const marked = selectListedEntries(pane.app.state$.value).filter(({ isFavourite }) => isFavourite)
    expect(marked.map(({ entry }) => entry.name)).toEqual(['S2', 'S4'])
    expect(groups(openNext(pane, { standard: cachedSignature({ combinedIds: 'c-0' }) }))).toEqual([
      ['default', 'S0'],
      ['favourites', 'S4 S2'],
      ['recent', 'S1 S3'],
    ])
  })

  test('have a new favourite when another message is opened', () => {
    const pane = open()
    mark(pane, 'c-2')
    expect(groups(pane).map(([kind]) => kind)).toEqual(['default', 'rest'])
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1_000)
    expect(groups(pane).slice(0, 2)).toEqual([
      ['default', 'S12'],
      ['favourites', 'S2'],
    ])
  })

  test('stay when the list is reloaded, page for page', () => {
    const pane = open()
    const drawn = groups(pane)
    const before = pane.ports.api.signatures.calls.length
    record(pane, Signatures.refreshRequested())
    expect(pane.ports.api.signatures.calls.slice(before).map(([{ page }]) => page)).toEqual([1, 2, 3, 1])
    expect(groups(pane)).toEqual(drawn)
  })
})

describe('a favourite', () => {
  test('survives a sign-out on this device; the recently used ones do not', () => {
    const pane = open()
    mark(pane, 'c-3')
    choose(pane, 1, 1)
    record(pane, Auth.signOutRequested({ reason: { kind: 'person' } }))
    expect(stored(pane)).toEqual(['c-3'])
    expect(pane.ports.storage.privateCache('u-alex').content()).not.toHaveProperty(recentSignaturesCache.key)
    expect(pane.app.state$.value.signatures.favourites).toEqual([])
    record(pane, Auth.signInRequested({ silent: false }))
    expect(pane.app.state$.value.signatures.favourites).toEqual(['c-3'])
    expect(groups(openNext(pane)).slice(0, 2)).toEqual([
      ['default', 'S12'],
      ['favourites', 'S3'],
    ])
  })

  test('of another pane stays when this one changes its own', () => {
    const pane = open()
    mark(pane, 'c-1')
    pane.ports.storage
      .privateDrafts('u-alex')
      .set(favouritesStore.key, { version: 1, owner: 'u-alex', value: ['c-1', 'c-9'] })
      .subscribe()
    mark(pane, 'c-2')
    expect(stored(pane)).toEqual(['c-1', 'c-9', 'c-2'])
    mark(pane, 'c-1', false)
    expect(stored(pane)).toEqual(['c-9', 'c-2'])
  })

  test('that the service no longer lists is forgotten, in storage, too', () => {
    const pane = open()
    mark(pane, 'c-3')
    mark(pane, 'c-16')
    const next = openNext(pane, { own: OWN.slice(0, 16) })
    expect(next.app.state$.value.signatures.favourites).toEqual(['c-3'])
    expect(stored(next)).toEqual(['c-3'])
  })
})

describe('the folder of a collection', () => {
  test('loads page after page while it is open', () => {
    const pane = open({ standard: cachedSignature({ combinedIds: 'c-0' }), profile: profile() })
    expect(pane.app.state$.value.signatures.own.pages).toEqual([1])
    record(pane, Router.navigationRequested({ to: signaturesPath('campaigns') }))
    expect(pane.app.state$.value.signatures.own.pages).toEqual([1, 2, 3, 4])
  })
})
