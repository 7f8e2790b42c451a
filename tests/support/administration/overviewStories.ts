import {
  AuditLog,
  HistoryComparison,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from '../../../streams/administration/overview/events.ts'
import type { Overview } from '../../../streams/wire/administration/insight.ts'
import type { ComparedReleases } from '../../../streams/administration/overview/comparison.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import type { BlockClicks } from '../../../streams/organisation/figures/clicks.ts'
import { DAY_MS, dayOf } from '../../../streams/organisation/release/names.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { releaseDocument } from './plans.ts'
import {
  auditPage,
  changingPeriods,
  clickDays,
  insight,
  NOON,
  overview,
  published,
  releaseId,
  releases,
} from './answers.ts'
import { type AdministrationStory, at, down, noConnection, roleMissing, state, view } from './story.ts'

const loadedNow = [
  ...at('/now'),
  OverviewLoad.loaded({ value: overview() }),
  InsightLoad.loaded({ value: insight() }),
]
const nowWith = (over: Partial<Overview>) => [
  ...at('/now'),
  OverviewLoad.loaded({ value: overview(over) }),
  InsightLoad.loaded({ value: insight() }),
]
/** The answer of a service that omits the newer fields. */
const { told: _told, changing: _changing, ...earlierOverview } = overview()
/** As many periods as are listed, and more. */
const manyPeriods = changingPeriods({
  periods: Array.from({ length: 20 }, (_, index) => ({
    of: 'block' as const,
    id: `banner-${String(index)}`,
    name: `Banner ${String(index + 1)} for an event with a name that does not fit into one line`,
    during: {
      from: dayOf(NOON + (index - 5) * DAY_MS),
      to: dayOf(NOON + (index + 7) * DAY_MS),
      timeZone: 'Europe/Berlin',
    },
  })),
  more: 12,
})
const manyCounts = insight({
  people: 50_000,
  signatures: Array.from({ length: 40 }, (_, index) => ({
    signature: `s-${String(index)}`,
    name: `Signature of department ${String(index + 1)}`,
    people: Math.round(24_000 / (index + 1)),
  })),
})
const loadedMuch = [
  ...at('/now'),
  OverviewLoad.loaded({
    value: overview({
      people: 50_000,
      problems: [{ message: 'noSignature', count: 9 }],
      changing: manyPeriods,
    }),
  }),
  InsightLoad.loaded({ value: manyCounts }),
]
const counting = (clicks: readonly BlockClicks[]) => [
  ...at('/now'),
  OverviewLoad.loaded({ value: overview({ problems: [] }) }),
  InsightLoad.loaded({ value: insight({ clicks }) }),
]
/** A block with many clicks, one with fewer than 5 each day, and a deleted block. */
const countedClicks: readonly BlockClicks[] = [
  {
    block: 'winter',
    name: 'The winter fair',
    days: clickDays(5, 8, 0, 21, 64, 120, 98, 71, 12, 9, 0, 43, 180, 1_204, 340, 96, 55, 14, 11, 36),
  },
  { block: 'careers', name: 'Come and work with us', days: [] },
  { block: 'autumn', name: 'autumn', days: clickDays(31, 7, 0, 0, 6, 0, 0) },
]
const loadedHistory = [...at('/history'), ReleasesLoad.loaded({ value: releases() })]
const loadedMaintenance = [...at('/maintenance'), OverviewLoad.loaded({ value: overview() })]
const loadedAudit = [
  ...at('/audit'),
  AuditLog.pageLoaded({ query: null, after: null, page: auditPage({ next: 'b' }) }),
]
const toB = RollBack.requested({ release: releaseId('b'), note: '' })

/** The second entry of the history is unfolded. */
const unfolded = { clicks: ['main ol > li:nth-child(2) summary'] }
const changedDocument: ReleaseDocument = {
  ...releaseDocument,
  signatures: releaseDocument.signatures.map((each) =>
    each.id === 'b' ? { ...each, id: 'old', name: 'Summer fair' } : each,
  ),
  templates: { ...releaseDocument.templates, 'templates/a.html': '<p><b>{{phone}}</b></p>' },
}
const compared = (documents: Pick<ComparedReleases, 'before' | 'after'>) => [
  ...loadedHistory,
  HistoryComparison.opened({ number: 2 }),
  HistoryComparison.loaded({ number: 2, value: { ...documents, person: null } }),
]

/** Sign-in, and the areas Now, History, Maintenance and Audit. */
export const overviewStories = (): readonly AdministrationStory[] => [
  view('opening', [Session.started({ known: true })]),
  view('signed out', [Session.started({ known: false })]),
  view('signed out in the playground', [
    Session.administratorsRead({
      administrators: [
        { name: 'Alex Kim', roles: ['Signet.Read', 'Signet.Publish', 'Signet.People', 'Signet.Audit'] },
        { name: 'Maria Silva', roles: ['Signet.Read'] },
        { name: 'Jonas Weber', roles: ['Signet.Operate'] },
      ],
    }),
    Session.started({ known: false }),
  ]),
  state('signing in', [Session.started({ known: false }), Session.signInRequested()]),
  state('sign-in window blocked', [
    Session.started({ known: false }),
    Session.signInRequested(),
    Session.signInFailed({ failure: { kind: 'auth', code: 'popup_window_error' } }),
  ]),
  view('without any role', [
    Session.started({ known: true }),
    Session.signInFailed({ failure: roleMissing }),
  ]),
  state('sign-in, offline', [
    Session.started({ known: true }),
    Session.signInFailed({ failure: noConnection }),
  ]),
  state('sign-in ended', [
    ...loadedNow,
    Session.expired({ failure: { kind: 'http', status: 401, code: 'invalid_token', data: null } }),
  ]),
  state('signed out by the administrator', [...loadedNow, Session.signOutRequested(), Session.signedOut()]),
  state('no such page', [...at('/nowhere')]),
  view('account', loadedNow, { clicks: ['header button'] }),
  state('account of an operator', at('/now', { roles: ['Signet.Operate'] }), { clicks: ['header button'] }),

  view('the areas, open in a narrow window', loadedNow, { clicks: ['nav > button'] }),

  view('now', loadedNow),
  state('now loading', at('/now')),
  state('now not loaded', [
    ...at('/now'),
    OverviewLoad.loadFailed({ failure: down }),
    InsightLoad.loadFailed({ failure: down }),
  ]),
  state('now, offline later', [
    ...loadedNow,
    Place.entered({ path: '/now' }),
    OverviewLoad.loadFailed({ failure: noConnection }),
    InsightLoad.loadFailed({ failure: noConnection }),
  ]),
  state('now, figures loading', [...at('/now'), OverviewLoad.loaded({ value: overview() })]),
  state('now, figures not loaded', [
    ...at('/now'),
    OverviewLoad.loaded({ value: overview() }),
    InsightLoad.loadFailed({ failure: down }),
  ]),
  view('now, everything well', nowWith({ problems: [], changing: changingPeriods({ periods: [] }) })),
  state('now, nothing published', [
    ...at('/now'),
    OverviewLoad.loaded({
      value: overview({
        release: null,
        published: null,
        numbers: null,
        people: 0,
        toldToday: 0,
        told: 0,
        mailboxes: 0,
        problems: [],
        changing: changingPeriods({ periods: [] }),
      }),
    }),
    InsightLoad.loaded({
      value: insight({ people: 0, signatures: [], versions: [], clients: [], launches: [] }),
    }),
  ]),
  state(
    'now, people kept without a signature',
    nowWith({ keptWithout: 3, problems: [], changing: changingPeriods({ periods: [] }) }),
  ),
  state('now, nothing reported yet', [
    ...at('/now'),
    OverviewLoad.loaded({ value: overview({ toldToday: 0, told: 0, problems: [] }) }),
    InsightLoad.loaded({ value: insight({ versions: [], clients: [], launches: [] }) }),
  ]),
  state('now during maintenance', nowWith({ maintenance: 'active', problems: [] })),
  state('now, maintenance announced', nowWith({ maintenance: 'planned', problems: [] })),
  state('now, an earlier service', [
    ...at('/now'),
    OverviewLoad.loaded({ value: earlierOverview }),
    InsightLoad.loaded({ value: insight() }),
  ]),
  view('now, many of everything', loadedMuch),
  state('now, all that begins or ends', loadedMuch, {
    clicks: ['main button', 'main button', 'main button'],
  }),
  view('now, clicks', counting(countedClicks)),
  state('now, days of clicks as a table', counting(countedClicks), {
    clicks: ['main figure summary'],
  }),
  state('now, no block with a counted link', counting([])),
  state('now not allowed', [...at('/now', { roles: ['Signet.Audit'] })]),

  view('history', loadedHistory),
  state(
    'history, what changed loading',
    [...loadedHistory, HistoryComparison.opened({ number: 2 })],
    unfolded,
  ),
  state(
    'history, what changed not loaded',
    [
      ...loadedHistory,
      HistoryComparison.opened({ number: 2 }),
      HistoryComparison.loadFailed({ number: 2, failure: down }),
    ],
    unfolded,
  ),
  view('history, what changed', compared({ before: changedDocument, after: releaseDocument }), unfolded),
  state(
    'history, no signature changed',
    compared({ before: releaseDocument, after: releaseDocument }),
    unfolded,
  ),
  state('history, the first release', compared({ before: null, after: releaseDocument }), unfolded),
  state('history loading', at('/history')),
  state('history empty', [
    ...at('/history'),
    ReleasesLoad.loaded({ value: releases({ current: null, history: [] }) }),
  ]),
  state('history, who may only read', [
    ...at('/history', { roles: ['Signet.Read'] }),
    ReleasesLoad.loaded({ value: releases() }),
  ]),
  view('history, asking before rolling back', loadedHistory, { clicks: ['main ol button'] }),
  state('history, rolling back', [...loadedHistory, toB]),
  state('history, rolled back', [
    ...loadedHistory,
    toB,
    RollBack.done({
      release: releaseId('b'),
      history: [published({ release: releaseId('b'), rolledBack: true, note: '' }), ...releases().history],
    }),
  ]),
  state('history, roll-back refused', [
    ...loadedHistory,
    toB,
    RollBack.failed({
      failure: {
        kind: 'http',
        status: 409,
        code: 'base_moved',
        data: { code: 'base_moved', message: 'Another release was published meanwhile.' },
      },
    }),
  ]),

  view('maintenance', loadedMaintenance),
  state('maintenance planned', [
    ...at('/maintenance'),
    OverviewLoad.loaded({ value: overview({ maintenance: 'planned' }) }),
  ]),
  state('maintenance saving', [...loadedMaintenance, MaintenanceChange.requested({ status: 'active' })]),
  state('maintenance saved', [
    ...loadedMaintenance,
    MaintenanceChange.requested({ status: 'active' }),
    MaintenanceChange.done({ status: 'active' }),
  ]),
  state('maintenance refused', [
    ...loadedMaintenance,
    MaintenanceChange.requested({ status: 'active' }),
    MaintenanceChange.failed({ failure: roleMissing }),
  ]),
  state('maintenance, who may only read', [
    ...at('/maintenance', { roles: ['Signet.Read'] }),
    OverviewLoad.loaded({ value: overview() }),
  ]),

  view('audit', loadedAudit),
  state('audit loading', at('/audit')),
  state('audit, next page loading', [...loadedAudit, AuditLog.moreRequested()]),
  state('audit, next page not loaded', [
    ...loadedAudit,
    AuditLog.moreRequested(),
    AuditLog.pageFailed({ failure: noConnection }),
  ]),
  state('audit empty', [
    ...at('/audit'),
    AuditLog.pageLoaded({ query: null, after: null, page: { facts: [], next: null } }),
  ]),
  state('audit not allowed', at('/audit', { roles: ['Signet.Read', 'Signet.Publish'] })),
]
