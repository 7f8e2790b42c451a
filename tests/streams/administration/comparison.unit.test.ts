import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { compareSignatures } from '../../../streams/administration/overview/comparison.ts'
import { HistoryComparison } from '../../../streams/administration/overview/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import type { ReleaseDocument, Signature } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'
import { explained } from '../../support/administration/people.ts'

const EVERYONE = { for: 'everyone', not: [] } as const
const signature = (id: string, more: Partial<Signature> = {}): Signature => ({
  id,
  name: `Named ${id}`,
  template: `templates/${id}.html`,
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
  ...more,
})
const documentOf = (
  templates: Readonly<Record<string, string>>,
  more: Partial<ReleaseDocument> = {},
): ReleaseDocument => ({
  version: 1,
  organisation: 'Northwind',
  internal: [],
  plan: { from: null, value: 'full' },
  variables: [],
  chooseDefault: EVERYONE,
  mailboxes: [],
  pictures: {},
  signatures: Object.keys(templates).map((id) => signature(id)),
  templates: Object.fromEntries(
    Object.entries(templates).map(([id, html]) => [`templates/${id}.html`, html]),
  ),
  ...more,
})
const variable = (path: string, from: string) => ({
  path,
  from,
  value: null,
  edit: false,
  resync: false,
  hidden: false,
  label: null,
  group: null,
})
const changes = (before: ReleaseDocument | null, after: ReleaseDocument, person: PersonState | null = null) =>
  compareSignatures({ before, after, person }, 'https://pictures.example/images')

describe('what an entry of the history changed', () => {
  test('is every signature that is new, gone or different, and no other', () => {
    const before = documentOf({ one: '<p>1</p>', two: '<p>2</p>', old: '<p>x</p>' })
    const after = documentOf({ two: '<p>2</p>', new: '<p>n</p>', one: '<p>11</p>' })
    expect(changes(before, after)).toEqual([
      {
        id: 'new',
        name: 'Named new',
        kind: 'added',
        use: 'signature',
        before: null,
        after: '<p>n</p>',
      },
      {
        id: 'one',
        name: 'Named one',
        kind: 'changed',
        use: 'signature',
        before: '<p>1</p>',
        after: '<p>11</p>',
      },
      {
        id: 'old',
        name: 'Named old',
        kind: 'removed',
        use: 'signature',
        before: '<p>x</p>',
        after: null,
      },
    ])
    expect(changes(after, after)).toEqual([])
  })

  test('of the first release is all that it has', () => {
    expect(changes(null, documentOf({ one: '<p>1</p>' }))).toMatchObject([
      { id: 'one', kind: 'added', before: null },
    ])
  })

  test('may be a rule alone, which looks the same, but is not the name of a template', () => {
    const before = documentOf({ one: '<p>1</p>' })
    const of = (more: Partial<Signature>) => ({ ...before, signatures: [signature('one', more)] })
    for (const more of [
      { name: 'Other' },
      { selection: { for: [], not: [] } },
      { during: { from: '2026-01-01', to: '2026-01-02', timeZone: 'UTC' } },
      { recipients: 'internal' },
      { collection: 'x' },
    ] satisfies Partial<Signature>[])
      expect(changes(before, of(more))).toMatchObject([
        { id: 'one', kind: 'changed', before: '<p>1</p>', after: '<p>1</p>' },
      ])
    const moved = { ...of({ template: 'templates/b.html' }), templates: { 'templates/b.html': '<p>1</p>' } }
    expect(changes(before, moved)).toEqual([])
  })

  test('is shown in the use in which it looks different', () => {
    const signatures = [signature('one', { reply: 'templates/r.html' })]
    const before = documentOf({ one: '<p>1</p>', r: '<p>a</p>' }, { signatures })
    const after = documentOf({ one: '<p>1</p>', r: '<p>b</p>' }, { signatures })
    expect(changes(before, after)).toMatchObject([{ use: 'reply', before: '<p>a</p>', after: '<p>b</p>' }])
  })

  test('is drawn for the administrator, or for a sample who has each variable of both releases', () => {
    const before = documentOf({ one: '<p>{{role}}</p>' }, { variables: [variable('role', 'jobTitle')] })
    const after = documentOf({ one: '<p>{{team}}</p>' }, { variables: [variable('team', 'department')] })
    expect(changes(before, after)).toMatchObject([{ before: '<p>role</p>', after: '<p>team</p>' }])
    const { person } = explained()
    expect(changes(before, after, person)).toMatchObject([{ before: '<p>Seller</p>', after: '<p></p>' }])
  })
})

describe('an unfolded entry', () => {
  const value = { before: null, after: documentOf({}), person: null }
  const failure = { kind: 'network' } as const
  const opened = [...at('/history'), HistoryComparison.opened({ number: 2 })]
  const after = (...events: readonly AdministrationEvent[]) =>
    administrationStateAfter(...opened, ...events).comparison

  test('is loaded once, and again after a failure', () => {
    expect(after()).toEqual({ 2: { status: 'pending', asked: 4 } })
    expect(after(HistoryComparison.opened({ number: 2 }))[2]).toMatchObject({ asked: 4 })
    const loaded = HistoryComparison.loaded({ number: 2, value })
    expect(after(loaded, HistoryComparison.opened({ number: 2 }))[2]).toEqual({ status: 'success', value })
    const failed = HistoryComparison.loadFailed({ number: 2, failure })
    expect(after(failed)[2]).toEqual({ status: 'fail', failure })
    expect(after(failed, Place.retryRequested())[2]).toMatchObject({ status: 'pending', asked: 6 })
    expect(after(loaded, Place.retryRequested())[2]).toEqual({ status: 'success', value })
  })

  test('does not wait for an answer that the end of the session cancelled', () => {
    const loaded = [HistoryComparison.opened({ number: 1 }), HistoryComparison.loaded({ number: 1, value })]
    expect(after(...loaded, Session.expired({ failure }))).toEqual({ 1: { status: 'success', value } })
  })
})
