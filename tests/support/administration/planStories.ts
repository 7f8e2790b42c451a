import {
  FolderExport,
  PlannedPeople,
  Planning,
  Publishing,
} from '../../../streams/administration/plan/events.ts'
import type { FolderFinding } from '../../../streams/wire/administration/publishing.ts'
import { Approvals } from '../../../streams/administration/approving/events.ts'
import { ReleasesLoad } from '../../../streams/administration/overview/events.ts'
import { published, releases } from './answers.ts'
import {
  alex,
  blocksDocument,
  blocksSummary,
  coverageSummary,
  draftOf,
  firstSummary,
  fullSummary,
  personPlan,
  planOf,
  releaseDocument,
  signatureGroup,
} from './plans.ts'
import { Work } from '../../../streams/administration/work/events.ts'
import { type AdministrationStory, at, down, lasting, state, stopped, view } from './story.ts'

const empty = [
  ...at('/plan'),
  ReleasesLoad.loaded({ value: releases() }),
  Planning.draftRestored({ draft: null }),
]
const alexRead = Planning.personRead({ person: alex })
const untouched = [...empty, Planning.draftBegun({ draft: draftOf(), findings: [] }), alexRead]
const begun = [
  ...empty,
  Planning.draftBegun({ draft: draftOf({ edited: ['templates/a.html'] }), findings: [] }),
  alexRead,
]
const finding = (over: Partial<FolderFinding>): FolderFinding => ({
  file: 'templates/a.html',
  line: 3,
  column: 7,
  level: 'error',
  rule: 'unknownVariable',
  message: 'There is no variable "phon".',
  ...over,
})
const findings = [
  finding({}),
  finding({ file: 'signet.yaml', line: 12, column: 5, level: 'warning', message: 'The list fits all.' }),
]
const wrong = Planning.edited({
  path: 'templates/a.html',
  edits: [{ from: 0, to: 0, insert: '<p>{{phon}} {{#if phone}}' }],
})
const planned = [
  ...begun,
  Planning.planRequested(),
  Planning.planned({
    plan: planOf({
      summary: fullSummary,
      variables: [{ path: 'phone', kind: 'changed' }],
      closed: [
        {
          signature: 'autumn',
          name: 'Autumn fair',
          during: { from: '2026-09-01', to: '2026-11-20', timeZone: 'Europe/Berlin' },
        },
      ],
    }),
    document: releaseDocument,
  }),
]
const beyond = [
  ...begun,
  Planning.planRequested(),
  Planning.planned({
    plan: planOf({
      summary: { ...fullSummary, people: 400, unchanged: 67 },
      limit: { most: 40, changed: 333 },
    }),
    document: releaseDocument,
  }),
]
/** Opens that many parts of a plan, from the first one that is folded. */
const unfolding = (parts: number) => ({
  clicks: Array.from({ length: parts }, () => 'main details:not([open]) > summary'),
})
const asking = { clicks: ['[data-sticky] button:last-of-type'] }
const people = Array.from({ length: 60 }, (_, index) => personPlan(`person-${String(index)}`))
const making = [...begun, Planning.planRequested()]
const reading = [...empty, Planning.folderChosen({ folder: { handle: '<handle>' } })]
const publishing = [...planned, Publishing.requested({ note: 'Autumn fair', all: false })]

/** A draft from creation to publication. */
export const planStories = (): readonly AdministrationStory[] => [
  view('plan', empty),
  state('plan, the draft is looked for', at('/plan')),
  state('plan, a folder is read', reading),
  state('plan, a folder is checked', lasting('check', reading, { done: 400, of: 2_000 })),
  state('plan, a check was stopped', [...reading, Planning.beginFailed({ failure: stopped })]),
  state('plan, nothing published', [
    ...empty,
    Planning.publishedChosen(),
    Planning.beginFailed({ failure: { kind: 'http', status: 404, code: 'not_found', data: null } }),
  ]),
  state('plan, not begun', [...empty, Planning.publishedChosen(), Planning.beginFailed({ failure: down })]),
  state('plan, a folder is refused', [
    ...empty,
    Planning.folderRefused({ refusal: { reason: 'tooLarge', limit: 14_000_000 } }),
  ]),
  state('plan, a folder with errors', [...empty, Planning.folderNotRead({ findings })]),

  view('draft', begun),
  state('draft, untouched', untouched),
  state('draft, restored', [
    ...at('/plan'),
    Planning.draftRestored({ draft: draftOf({ folder: 'autumn' }) }),
    alexRead,
  ]),
  state('draft, not kept', [...begun, Planning.draftWritten({ kept: 'refused' })]),
  state('draft, findings', [
    ...empty,
    Planning.draftBegun({ draft: draftOf({ edited: ['templates/a.html'] }), findings }),
    alexRead,
  ]),
  state('draft, not saved as a folder', [
    ...begun,
    FolderExport.requested({ source: 'draft' }),
    FolderExport.failed({ failure: down }),
  ]),
  view('draft, discarding', begun, { clicks: ['[data-discard] button'] }),

  view('planned', planned),
  state('plan, being made', making),
  view('plan, counting', lasting('plan', making, { done: 1_200, of: 5_000 })),
  state('plan, counting, progress unknown', lasting('plan', making, null)),
  state(
    'plan, counting again',
    lasting('plan', [...planned, Planning.planRequested()], { done: 3_000, of: 5_000 }),
  ),
  state(
    'plan, stopping',
    lasting('plan', making, { done: 2_500, of: 5_000 }, Work.stopRequested, Work.stopTaken),
  ),
  state(
    'plan, not stopping',
    lasting('plan', making, { done: 2_500, of: 5_000 }, Work.stopRequested, (work) =>
      Work.stopFailed({ ...work, failure: down }),
    ),
  ),
  state('plan, stopped', [...making, Planning.planFailed({ failure: stopped })]),
  state('plan, not made', [...begun, Planning.planRequested(), Planning.planFailed({ failure: down })]),
  state('planned, nothing changes', [
    ...begun,
    Planning.planRequested(),
    Planning.planned({
      plan: planOf({ summary: { ...planOf().summary, people: 40, unchanged: 40 } }),
      document: releaseDocument,
    }),
  ]),
  view(
    'planned, blocks',
    [
      ...empty,
      Planning.draftBegun({
        draft: draftOf({ document: blocksDocument, edited: ['templates/a.html'] }),
        findings: [],
      }),
      alexRead,
      Planning.planRequested(),
      Planning.planned({ plan: planOf({ summary: blocksSummary }), document: blocksDocument }),
    ],
    unfolding(5),
  ),
  state('planned, only the rules change', [
    ...begun,
    Planning.planRequested(),
    Planning.planned({
      plan: planOf({
        summary: { ...planOf().summary, people: 40, unchanged: 40 },
        variables: [{ path: 'phone', kind: 'changed' }],
      }),
      document: releaseDocument,
    }),
  ]),
  state(
    'planned, a mailbox’s signature names its writer',
    [
      ...begun,
      Planning.planRequested(),
      Planning.planned({
        plan: planOf({
          summary: {
            ...planOf().summary,
            people: 1,
            unchanged: 0,
            signatures: [
              signatureGroup({
                people: 1,
                sample: { person: 'p-desk', address: 'desk@northwind.example' },
                after: {
                  signature: '<p>Sales desk<br>‹Name›, ‹Phone number›</p>',
                  reply: null,
                  mobile: null,
                },
                sampleWriter: true,
              }),
            ],
          },
        }),
        document: releaseDocument,
      }),
    ],
    unfolding(1),
  ),
  state('planned, first signatures', [
    ...begun,
    Planning.planRequested(),
    Planning.planned({ plan: planOf({ summary: firstSummary }), document: releaseDocument }),
  ]),
  view('planned, all parts open', planned, unfolding(4)),
  view('planned, publishing is asked for', planned, asking),
  view('planned, beyond the limit', beyond),
  view('planned, beyond the limit, publishing is asked for', beyond, asking),
  view('planned, approval and editors', [
    ...begun,
    Planning.planRequested(),
    Planning.planned({
      plan: planOf({
        summary: firstSummary,
        approval: { hash: 'e'.repeat(32), by: ['Signet.Publish', 'Directors'] },
        edited: [
          { kind: 'signature', id: 'padrao', name: 'Padrão', editors: ['Portugal'] },
          { kind: 'rest', id: '', name: '', editors: ['Brand team'] },
        ],
      }),
      document: releaseDocument,
    }),
    Approvals.loaded({ value: [] }),
  ]),
  state('planned, approval of another moment', [
    ...begun,
    Planning.planRequested(),
    Planning.planned({
      plan: planOf({ summary: firstSummary, approval: { hash: null, by: ['Directors'] } }),
      document: releaseDocument,
    }),
  ]),
  view('planned, coverage', [
    ...begun,
    Planning.planRequested(),
    Planning.planned({ plan: planOf({ summary: coverageSummary }), document: releaseDocument }),
  ]),
  state('planned, everyone has a signature', [
    ...begun,
    Planning.planRequested(),
    Planning.planned({
      plan: planOf({ summary: { ...planOf().summary, coverage: { none: [], idle: [], alike: [] } } }),
      document: releaseDocument,
    }),
  ]),
  state('planned, the draft changed since', [...planned, wrong, Planning.paused()]),
  state(
    'planned, people',
    [
      ...planned,
      PlannedPeople.shown({ plan: planOf().id, from: 0 }),
      PlannedPeople.pageLoaded({ query: planOf().id, after: null, page: { people, next: null } }),
    ],
    unfolding(3),
  ),
  state('planned, without the role to publish', [
    ...at('/plan', { roles: ['Signet.Read'] }),
    ...planned.slice(at('/plan').length),
  ]),
  state('planned, in maintenance', [
    ...planned,
    ReleasesLoad.loaded({ value: releases({ maintenance: 'active' }) }),
  ]),
  state('publishing', publishing),
  state('publishing pictures', lasting('publish', publishing, { done: 3, of: 12 })),
  state('publishing the release', lasting('publish', publishing, { done: 12, of: 12 })),
  state('published', [
    ...publishing,
    Publishing.done({
      release: planOf().release,
      history: [published({ release: planOf().release }), ...releases().history],
    }),
  ]),
  state('not published, planned over another release', [
    ...publishing,
    Publishing.failed({ failure: { kind: 'http', status: 409, code: 'base_moved', data: null } }),
  ]),
]
