/** A draft and its plans, in the form of the service's answers. */
import type { BannerPicture } from '../../../streams/administration/plan/banners.ts'
import { type BrandChange, brandEdit } from '../../../streams/administration/plan/brand.ts'
import type { Draft } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { type Coverage, MAX_UNCOVERED_NAMED } from '../../../streams/organisation/rules/coverage.ts'
import type { PersonPlan, PlanSummary, SignatureGroup } from '../../../streams/organisation/plan/plan.ts'
import type { Period, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { NOON, releaseId } from './answers.ts'
import { block } from '../blocks.ts'
import { variableOf } from '../variables.ts'

/** A one-pixel picture. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const signature = (over: Partial<ReleaseDocument['signatures'][number]>) => ({
  id: 'a',
  name: 'Corporate',
  template: 'templates/a.html',
  reply: null,
  mobile: null,
  selection: { for: 'everyone', not: [] } as const,
  during: null,
  recipients: 'everyone' as const,
  collection: null,
  ...over,
})

const during = (from: string, to: string): Period => ({ from, to, timeZone: 'Europe/Berlin' })
const PERIODS: Readonly<Record<string, Period>> = {
  legal: during('2026-01-01', '2026-06-30'),
  press: during('2026-09-01', '2026-12-31'),
  events: during('2027-02-01', '2027-02-28'),
}

/** Two signatures that use two templates and a part. */
export const releaseDocument: ReleaseDocument = {
  version: 1,
  organisation: 'Northwind Trading',
  internal: ['northwind.example'],
  chooseDefault: { for: 'everyone', not: [] },
  plan: { from: null, value: 'full' },
  variables: [
    variableOf('phone', { from: 'businessPhones.0', group: 'mapped' }),
    variableOf('legal_line', { value: 'Northwind Ltd' }),
  ],
  signatures: [
    signature({}),
    signature({
      id: 'b',
      name: 'Sales',
      template: 'templates/b.html',
      reply: 'templates/a.html',
      selection: { for: [[{ by: 'group', values: ['sales'] }]], not: [] },
    }),
  ],
  mailboxes: [],
  templates: {
    'templates/a.html': '<p>{{phone}}</p>',
    'templates/b.html': '<p>{{display_name}} <img src="{{picture logo.png}}" alt="Northwind"></p>{{> legal}}',
    'templates/legal.part.html': '<i>{{legal_line}}</i>',
  },
  pictures: { 'logo.png': 'c0ffee' },
}

const DEPARTMENTS = [
  ...['Finance', 'Legal', 'Press', 'Events', 'Service', 'Purchasing'],
  ...['Research', 'Production', 'Logistics', 'Quality', 'Personnel', 'Board'],
].map((name) => ({ id: name.toLowerCase(), name, template: `templates/${name.toLowerCase()}.html` }))

/**
 * Fifteen signatures: those of `releaseDocument`, one for each of twelve departments, and one for a country. In November
 * 2026, the period of Legal is over, that of Press is open, and that of Events is still to come.
 */
export const manySignatures: ReleaseDocument = {
  ...releaseDocument,
  signatures: [
    ...releaseDocument.signatures,
    ...DEPARTMENTS.map((department) =>
      signature({
        ...department,
        selection: {
          for: [[{ by: 'field', field: 'department', values: [`${department.name} EMEA`] }]],
          not: [],
        },
        during: PERIODS[department.id] ?? null,
      }),
    ),
    signature({
      id: 'espana',
      name: 'España',
      selection: { for: [[{ by: 'field', field: 'country', values: ['ES'] }]], not: [] },
    }),
  ],
  templates: {
    ...releaseDocument.templates,
    ...Object.fromEntries(
      DEPARTMENTS.map(({ name, template }) => [template, `<p>{{display_name}}<br>${name}</p>`]),
    ),
  },
}

export const draftOf = (over: Partial<Draft> = {}): Draft => ({
  begun: NOON,
  changed: NOON,
  base: releaseId('c'),
  folder: null,
  original: null,
  edited: [],
  hasNewRules: false,
  yaml: null,
  document: releaseDocument,
  pictures: { c0ffee: { mediaType: 'image/png', base64: PIXEL } },
  ...over,
})

/** The signed-in administrator's own record as a person in the organisation. */
export const alex: PersonState = {
  id: 'p-alex',
  revision: 1,
  account: null,
  active: true,
  language: 'en',
  groups: [],
  values: {},
  addresses: ['alex.kim@northwind.example'],
  metadata: {},
  picture: null,
  directoryPicture: null,
  directory: { 'businessPhones.0': '+49 30 5550', displayName: 'Alex Kim' },
}

const sample = { person: 'u-0042', address: 'maria.silva@northwind.example' }

export const signatureGroup = (over: Partial<SignatureGroup> = {}): SignatureGroup => ({
  kind: 'changed',
  signature: 'a',
  name: 'Corporate',
  aspects: ['signature'],
  people: 333,
  sample,
  before: { signature: '<p>+49 30 1234</p>', reply: null, mobile: null },
  after: { signature: '<p><b>+49 30 1234</b></p>', reply: null, mobile: null },
  ...over,
})

const nothing: PlanSummary = {
  people: 4_987,
  unchanged: 4_642,
  signatures: [],
  defaults: [],
  losing: [],
  reordered: [],
  choosing: [],
  mailboxes: [],
  missing: [],
}

export const planOf = (over: Partial<Plan> = {}): Plan => ({
  id: releaseId('9'),
  base: releaseId('c'),
  release: releaseId('d'),
  at: NOON,
  until: NOON + 86_400_000,
  pictures: 'https://signet.example/images',
  summary: nothing,
  variables: [],
  closed: [],
  ...over,
})

/** Every kind of change. */
export const fullSummary: PlanSummary = {
  ...nothing,
  signatures: [
    signatureGroup(),
    signatureGroup({
      people: 2,
      sample,
      aspects: ['reply'],
      before: { signature: null, reply: '<p>T</p>', mobile: null },
      after: { signature: null, reply: '<p>Tel.</p>', mobile: null },
    }),
    signatureGroup({ kind: 'added', signature: 'b', name: 'Sales', aspects: [], people: 40, before: null }),
  ],
  defaults: [
    {
      from: 'Corporate',
      to: 'Sales',
      people: 40,
      sample,
      because: [
        { by: 'field', field: 'department', values: ['Sales'] },
        { by: 'group', values: ['sales-emea', 'sales-us'] },
      ],
    },
  ],
  losing: [{ people: 12, sample }],
  reordered: [{ people: 3, sample }],
  choosing: [{ people: 5, sample, mayChoose: false }],
  mailboxes: [{ people: 7, sample, address: 'sales@northwind.example', kind: 'added' }],
  missing: [{ people: 3, sample, signature: 'a', name: 'Corporate', variables: ['phone'] }],
}

/** First signatures, and people who lose theirs: what else changes is no signature. */
export const firstSummary: PlanSummary = {
  ...nothing,
  people: 200,
  unchanged: 112,
  signatures: [
    signatureGroup({ kind: 'added', aspects: [], people: 3, before: null }),
    signatureGroup({ kind: 'removed', signature: 'b', name: 'Sales', aspects: [], people: 1, after: null }),
  ],
  defaults: [
    { from: null, to: 'Corporate', people: 3, sample, because: 'everyone' },
    { from: 'Sales', to: null, people: 1, sample, because: null },
  ],
  losing: [{ people: 1, sample }],
  choosing: [{ people: 84, sample, mayChoose: true }],
}

const autumn: Period = { from: '2026-11-20', to: '2026-12-24', timeZone: 'Europe/Berlin' }

/** A document with blocks in two slots; one slot is empty for some time. */
export const blocksDocument: ReleaseDocument = {
  ...releaseDocument,
  blocks: [
    block({ id: 'autumn', name: 'Harbour days', during: autumn, recipients: 'external', replies: false }),
    block({ id: 'careers', name: 'Careers', share: 50 }),
    block({
      id: 'notice',
      name: 'Holiday notice',
      slot: 'notice',
      during: { ...autumn, from: '2026-12-21' },
    }),
  ],
  templates: {
    ...releaseDocument.templates,
    'templates/a.html': '<p>{{phone}}</p>{{block banner}}{{block notice}}',
    [block().template]: '<p>Meet us</p>',
  },
}

/** The plan's summary for these blocks: one new, one removed, one changed. */
export const blocksSummary: PlanSummary = {
  ...nothing,
  unchanged: 1_200,
  blocks: [
    {
      kind: 'added',
      block: 'autumn',
      name: 'Harbour days',
      slot: 'banner',
      aspects: [],
      people: 3_787,
      sample,
      before: null,
      after: { html: '<p>Meet us</p>', during: autumn, recipients: 'external', replies: false },
    },
    {
      kind: 'changed',
      block: 'careers',
      name: 'Careers',
      slot: 'banner',
      people: 40,
      sample,
      aspects: ['html', 'days'],
      before: { html: '<p>Jobs</p>', during: null, recipients: 'everyone', replies: true },
      after: { html: '<p>Meet us</p>', during: null, recipients: ['northwind.example'], replies: true },
    },
    {
      kind: 'removed',
      block: 'summer',
      name: 'Summer',
      slot: 'banner',
      aspects: [],
      people: 1,
      sample,
      before: { html: '<p>Sun</p>', during: null, recipients: 'everyone', replies: true },
      after: null,
    },
  ],
  reach: (blocksDocument.blocks ?? []).map(
    ({ id, name, slot, during, recipients, replies, share }, index) => ({
      block: id,
      name,
      slot,
      during,
      recipients,
      replies,
      share,
      people: [3_787, 2_490, 0][index] ?? 0,
    }),
  ),
}

/**
 * People without a signature for each reason, a rule for each reason why it never decides, and two equal signatures.
 */
export const coverage: Coverage = {
  none: [
    {
      why: { kind: 'nothingFits', asked: ['department', 'manager'] },
      people: 61,
      first: Array.from({ length: MAX_UNCOVERED_NAMED - 2 }, (_, index) => ({
        person: `n-${String(index)}`,
        address: `newcomer${String(index)}@northwind.example`,
      })),
    },
    {
      why: { kind: 'leftOut', name: 'Sales', by: [{ by: 'group', values: ['trainees'] }] },
      people: 1,
      first: [{ person: 't', address: 'tess.edge@northwind.example' }],
    },
    {
      why: { kind: 'leftOut', name: 'Board', by: [{ by: 'person', values: ['cfo@northwind.example'] }] },
      people: 1,
      first: [{ person: 'c', address: 'cfo@northwind.example' }],
    },
    {
      why: { kind: 'notOpen', name: 'Harbour days', during: autumn },
      people: 1,
      first: [{ person: 'j', address: 'jonas.weber@northwind.example' }],
    },
  ],
  idle: [
    { kind: 'signature', id: 'c', name: 'Press', people: 0, behind: null },
    { kind: 'signature', id: 'd', name: 'Service', people: 12, behind: 'Corporate' },
    { kind: 'signature', id: 'e', name: 'Board', people: 3, behind: null },
    { kind: 'signature', id: 'f', name: 'Harbour days', people: 1, behind: 'Corporate' },
    { kind: 'block', id: 'award', name: 'Award', people: 0, behind: null },
    { kind: 'block', id: 'careers', name: 'Careers', people: 0, behind: 'Autumn' },
  ],
  alike: [{ first: 'Corporate', second: 'Service' }],
}

/** A plan without changes, for a release with this coverage. */
export const coverageSummary: PlanSummary = { ...nothing, unchanged: 4_987, coverage }

/** A banner's picture as read by the page. */
export const bannerPicture: BannerPicture = {
  name: 'autumn-fair.png',
  base64: PIXEL,
  hash: '0123456789abcdef0123456789abcdef',
  raster: { type: 'image/png', width: 880, height: 220 },
}

/** A picture with more pixels than a signature needs. */
export const largePicture: BannerPicture = {
  name: 'Harbour.png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAABuAAAAG4AQMAAACO/LPPAAAABlBMVEXz9vkfOl/DfFj5AAABSUlEQVR42u3PMQ0AAAgDsPk3DSJIdpDWQRMAAAAAAAAAAAAAAACAq3lMTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTq6UAwAAAAAAAAAAAAAAACoWu7sh3Ft4NAEAAAAASUVORK5CYII=',
  hash: 'fedcba9876543210fedcba9876543210',
  raster: { type: 'image/png', width: 1760, height: 440 },
}

export const personPlan = (person: string, over: Partial<PersonPlan> = {}): PersonPlan => ({
  person,
  address: `${person}@northwind.example`,
  default: null,
  losesAll: false,
  reordered: false,
  signatures: [{ kind: 'changed', signature: 'a', name: 'Corporate', aspects: ['signature'] }],
  mayChoose: null,
  mailboxes: { added: [], removed: [] },
  missing: [],
  ...over,
})

/** The gesture of a change to this document's brand. Throws if it changes nothing. */
export function brandChangedIn(document: ReleaseDocument, change: BrandChange) {
  const edit = brandEdit(document, change)
  if (!edit) throw new Error('The change changes nothing')
  return Planning.brandChanged({ edit })
}
