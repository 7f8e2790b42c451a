import type { ReleaseHistory } from '../../../streams/wire/administration/publishing.ts'
import type { AuditFact } from '../../../streams/organisation/facts/audit.ts'
import {
  type ClickDay,
  REPORTED_DAYS,
  MIN_REPORTED_CLICKS,
} from '../../../streams/organisation/figures/clicks.ts'
import type { ChangingPeriod, ChangingPeriods } from '../../../streams/organisation/figures/periods.ts'
import type { Insight } from '../../../streams/organisation/figures/insight.ts'
import {
  type AuditPage,
  type CallerInfo,
  type Overview,
  roles,
} from '../../../streams/wire/administration/insight.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import type { HistoryEntry } from '../../../streams/organisation/facts/state.ts'

// Sample answers of the administration calls.

/** 2026-11-23, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 23, 12)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The ids of releases: 32 hex digits. */
export const releaseId = (digit: string): string => digit.repeat(32)

/** All roles within an organisation. */
const ownRoles = roles.filter((role) => role !== 'Signet.Operate')

export const me = (over: Partial<CallerInfo> = {}): CallerInfo => ({
  name: 'alex.kim@northwind.example',
  roles: ownRoles,
  organisation: 'Northwind Trading',
  version: '0.1.0',
  ...over,
})

export const published = (over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  release: releaseId('c'),
  at: NOON - 2 * HOUR_MS,
  by: 'alex.kim@northwind.example',
  note: 'The banner for the winter fair',
  rolledBack: false,
  ...over,
})

export const releases = (over: Partial<ReleaseHistory> = {}): ReleaseHistory => ({
  current: releaseId('c'),
  maintenance: null,
  history: [
    published(),
    published({ release: releaseId('b'), at: NOON - 9 * DAY_MS, note: '', by: 'application the-pipeline' }),
    published({ release: releaseId('a'), at: NOON - 40 * DAY_MS, note: 'The first release' }),
  ],
  ...over,
})

const changingPeriod = (
  of: ChangingPeriod['of'],
  id: string,
  name: string,
  from: string,
  to: string,
  timeZone = 'Europe/Berlin',
): ChangingPeriod => ({ of, id, name, during: { from, to, timeZone } })

/** A block that ends, one that begins and ends, and a signature that begins; one is in another time zone. */
export const changingPeriods = (over: Partial<ChangingPeriods> = {}): ChangingPeriods => ({
  at: NOON,
  periods: [
    changingPeriod('block', 'autumn', 'Autumn banner', '2026-09-01', '2026-11-29'),
    changingPeriod('block', 'fair', 'The winter fair', '2026-11-30', '2026-12-12'),
    changingPeriod('signature', 'hanoi', 'Hanoi, new year', '2026-12-21', '2027-01-04', 'Asia/Ho_Chi_Minh'),
  ],
  more: 0,
  ...over,
})

export const overview = (over: Partial<Overview> = {}): Overview => ({
  release: releaseId('c'),
  published: published(),
  numbers: { number: 3, backTo: null },
  people: 4_980,
  toldToday: 3_112,
  told: 4_820,
  mailboxes: 14,
  maintenance: null,
  problems: [
    { message: 'noSignature', count: 12 },
    { message: 'directoryNeedsLeave', count: 1 },
  ],
  changing: changingPeriods(),
  ...over,
})

export const insight = (over: Partial<Insight> = {}): Insight => ({
  since: NOON - 90 * DAY_MS,
  people: 4_980,
  signatures: [
    { signature: 'corporate', name: 'Northwind standard', people: 4_120 },
    { signature: 'sales', name: 'Sales, with the banner of the winter fair', people: 640 },
    { signature: 'short', name: 'Short', people: 208 },
  ],
  versions: [
    { version: '0.1.0', people: 4_700 },
    { version: '0.0.9', people: 120 },
  ],
  clients: [
    { client: 'OfficeOnline', people: 2_600 },
    { client: 'Outlook', people: 2_200 },
    { client: 'iOS', people: 20 },
  ],
  launches: [
    { client: 'OfficeOnline', went: 1_204, failed: 3 },
    { client: 'Outlook', went: 980, failed: 12 },
  ],
  ...over,
})

/** The clicks in the 90 days until yesterday: these numbers on the last days, fewer than 5 on all others. */
export const clickDays = (...numbers: readonly number[]): readonly ClickDay[] =>
  Array.from({ length: REPORTED_DAYS }, (_, index) => {
    const day = dayOf(NOON - (REPORTED_DAYS - index) * DAY_MS)
    const clicks = numbers[index - REPORTED_DAYS + numbers.length]
    return clicks === undefined || clicks < MIN_REPORTED_CLICKS
      ? { day, fewerThan: MIN_REPORTED_CLICKS }
      : { day, clicks }
  })

export const auditFact = (over: Partial<AuditFact> = {}): AuditFact => ({
  at: NOON - HOUR_MS,
  actor: 'alex.kim@northwind.example',
  stream: 'organisation',
  person: null,
  type: 'organisation/releasePublished',
  note: 'The banner for the winter fair',
  fields: [],
  ...over,
})

export const auditPage = (over: Partial<AuditPage> = {}): AuditPage => ({
  facts: [
    auditFact(),
    auditFact({
      at: NOON - 3 * HOUR_MS,
      actor: 'directory',
      stream: 'person',
      person: 'u-0042',
      type: 'person/directoryChanged',
      note: null,
      fields: ['jobTitle', 'department'],
    }),
    auditFact({ at: NOON - 5 * HOUR_MS, type: 'organisation/maintenanceSet', note: null }),
  ],
  next: null,
  people: { 'u-0042': { name: 'Ana Silva', address: 'ana@in.example' } },
  labels: {},
  ...over,
})
