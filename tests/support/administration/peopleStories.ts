import {
  type HandAct,
  exclusionForm,
  pinForm,
  valueForm,
} from '../../../streams/administration/people/byHand.ts'
import {
  Correction,
  DepartmentsLoad,
  PersonErasure,
  PeopleImport,
  OnePerson,
  People,
  PersonExport,
  Thumbnail,
  UnsignedPeople,
} from '../../../streams/administration/people/events.ts'
import { NO_FILTERS } from '../../../streams/administration/people/filters.ts'
import { UNSIGNED_PEOPLE_PATH } from '../../../streams/administration/people/rules.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import type { FoundPeople, ImportResult } from '../../../streams/wire/administration/people.ts'
import { answered, assigned, explained, found, mayStand, slotOf } from './people.ts'
import {
  type AdministrationStory,
  at,
  changedMeanwhile,
  down,
  importStopped,
  lasting,
  noConnection,
  roleMissing,
  signatureGone,
  someStopped,
  state,
  stopped,
  view,
} from './story.ts'

const CORPORATE = { id: 'corporate', name: 'Corporate' }
const page = (next: string | null = null): FoundPeople => ({
  people: [
    {
      ...found('p-ana'),
      name: 'Ana Silva',
      department: 'Sales',
      signature: CORPORATE,
      seenAt: Date.UTC(2026, 10, 23),
    },
    {
      ...found('p-ben'),
      name: 'Ben Weber',
      isActive: false,
      department: 'Legal and compliance',
      signature: null,
      none: { kind: 'hasLeft' },
      seenAt: Date.UTC(2026, 8, 1),
    },
    { ...found('p-cleo'), name: '', department: '', signature: CORPORATE, seenAt: null },
  ],
  next,
  signatures: [CORPORATE, { id: 'sales', name: 'Sales' }],
})
const departments = DepartmentsLoad.loaded({
  value: { values: ['Sales', 'Legal and compliance'].map((value) => ({ value, people: 1 })) },
})
const listed = (next: string | null = null) => [
  ...at('/people'),
  departments,
  People.pageLoaded({ query: '', after: null, page: page(next) }),
]

const during = { from: '2026-09-01', to: '2026-09-30', timeZone: 'Europe/Berlin' }
const DEPARTMENT = { by: 'field', field: 'department', values: ['Sales'] } as const
const COUNTRY = { by: 'field', field: 'country', values: ['DE', 'AT'] } as const

const DAYS = { from: '2026-09-01', to: '2026-09-30', timeZone: 'Europe/Berlin' }
/** A person for each reason to have no signature. */
const unsigned = (over: Partial<FoundPeople> = {}) =>
  UnsignedPeople.pageLoaded({
    query: '',
    after: null,
    page: {
      people: [
        { ...found('p-ana'), name: 'Ana Silva', none: { kind: 'nothingFits', asked: ['jobTitle', 'group'] } },
        {
          ...found('p-ben'),
          name: 'Ben Weber',
          none: { kind: 'notOpen', name: 'Autumn fair', during: DAYS },
        },
        {
          ...found('p-cleo'),
          name: '',
          seenAt: null,
          none: { kind: 'leftOut', name: 'Everyone', by: [{ by: 'person', values: ['cleo@in.example'] }] },
        },
      ],
      next: null,
      ...over,
    },
  })

/** One signature for each reason. */
const everyReason = explained({
  signatures: [
    assigned({
      signature: 'autumn',
      name: 'Autumn fair',
      because: [DEPARTMENT, COUNTRY],
      during,
      isDefault: false,
    }),
    assigned({ signature: 'board', name: 'Board', because: null, isAssigned: false, isDefault: false }),
    assigned(),
    assigned({
      signature: 'sales',
      name: 'Sales',
      isDefault: false,
      because: [{ by: 'group', values: ['sales', 'press'] }],
    }),
    assigned({
      signature: 'spring',
      name: 'Spring fair',
      isAssigned: false,
      isDefault: false,
      isOpen: false,
      during: { from: '2026-03-01', to: '2026-03-31', timeZone: 'Europe/Berlin' },
    }),
    assigned({
      signature: 'trainees',
      name: 'Trainees',
      because: null,
      isAssigned: false,
      isDefault: false,
      leftOut: [{ by: 'person', values: ['ana@in.example'] }],
    }),
    assigned({
      signature: 'external',
      name: 'External',
      because: null,
      isAssigned: false,
      isDefault: false,
      leftOut: [{ by: 'address', values: ['*@in.example'] }],
    }),
  ],
  details: [
    { path: 'job_title', label: 'Job title', value: 'Head of sales', replaces: 'Seller' },
    { path: 'phone', label: null, value: '', replaces: null },
    { path: 'office', label: 'Office', value: 'Lisbon', replaces: '' },
  ],
})
const WIDE = `<table width="760"><tr><td style="width:760px;background:#0f6cbd;color:#ffffff">Autumn fair, hall 7</td></tr></table>`
const drawn = answered({
  signatures: [
    { signature: 'autumn', name: 'Autumn fair', isDefault: false, html: WIDE },
    ...answered().signatures,
    { signature: 'sales', name: 'Sales', isDefault: false, html: null },
  ],
})
const AUTUMN = { from: '2026-10-01', to: '2026-11-30', timeZone: 'Europe/Berlin' }
/** One block for each reason. */
const withBlocks = explained({
  blocks: [
    slotOf('banner', {
      'Autumn banner': mayStand({ during: AUTUMN, recipients: 'external' }),
      'Winter banner': { kind: 'notYet', during: { ...AUTUMN, from: '2026-12-01', to: '2026-12-31' } },
      'Summer banner': { kind: 'over', during: { ...AUTUMN, from: '2026-06-01', to: '2026-08-31' } },
      Quayside: mayStand({
        because: [DEPARTMENT, COUNTRY],
        recipients: ['quayside.example'],
        replies: false,
      }),
      Careers: mayStand({ share: 50 }),
      Award: { kind: 'always', by: 'Careers' },
    }),
    slotOf('notice', {
      'German notice': { kind: 'nothingFits' },
      'Board notice': { kind: 'leftOut', by: [{ by: 'address', values: ['*@in.example'] }] },
      'Trainee notice': { kind: 'leftOut', by: [{ by: 'person', values: ['ana@in.example'] }] },
      Trial: { kind: 'notInShare', share: 20 },
    }),
  ],
})
const drawnWithBlocks = answered({
  signatures: answered().signatures.map((each) => ({
    ...each,
    html: `${each.html ?? ''}<p>Autumn fair, hall 7</p>`,
    blocks: ['Autumn banner'],
  })),
})
const ADMIN = { by: 'alex@in.example', at: Date.UTC(2026, 10, 12, 9) }
/** A value of each source, and everything that an administrator can set. */
const setByHand = explained({
  person: {
    ...explained().person,
    directory: { jobTitle: 'Head of sales', pronouns: 'she/her', badge: '7', office: 'Lisbon' },
    corrections: {
      fields: {
        jobTitle: { value: 'Head of sales', until: 'changed', ...ADMIN },
        badge: { value: '7', until: '2026-12-24', ...ADMIN },
      },
      supplement: { pronouns: { value: 'she/her', by: 'extra.csv', at: ADMIN.at } },
      under: { jobTitle: 'Seller', pronouns: null, badge: null },
      pinned: { signature: 'gone', until: 'removed', ...ADMIN },
    },
  },
  signatures: [assigned({ isPinned: true, because: null })],
  details: [
    {
      path: 'job_title',
      label: 'Job title',
      value: 'Head of sales',
      replaces: null,
      field: 'jobTitle',
      source: 'administrator',
    },
    {
      path: 'pronouns',
      label: 'Pronouns',
      value: 'she/her',
      replaces: null,
      field: 'pronouns',
      source: 'file',
    },
    {
      path: 'office',
      label: 'Office',
      value: 'Lisbon',
      replaces: null,
      field: 'office',
      source: 'directory',
    },
    { path: 'motto', label: 'Motto', value: 'Onwards', replaces: null, field: null, source: 'person' },
    {
      path: 'website',
      label: 'Website',
      value: 'www.in.example',
      replaces: null,
      field: null,
      source: 'release',
    },
  ],
  unused: ['badge'],
})
const keptWithout = explained({
  person: {
    ...explained().person,
    corrections: {
      fields: {},
      supplement: {},
      under: {},
      excluded: { until: '2026-12-24', ...ADMIN },
      pinned: { signature: 'gone', until: 'removed', ...ADMIN },
    },
  },
  signatures: [assigned({ isAssigned: false, isDefault: false, isExcluded: true })],
  default: null,
  none: { kind: 'excluded' },
})
const person = 'p-ana'
const opened = at('/people/p-ana')
const correctedByHand = [
  ...opened,
  OnePerson.explained({ person, value: setByHand }),
  OnePerson.drawn({ person, value: answered() }),
]
const entering = (act: HandAct | null) => [
  ...correctedByHand,
  ...(act === null ? [] : [Correction.entered({ act })]),
]
const newTitle: HandAct = {
  kind: 'value',
  field: 'jobTitle',
  value: 'Chief of sales',
  until: { end: 'changed', day: '' },
}
const correctionFailed = (failure: Failure) => [
  ...entering(newTitle),
  Correction.requested(),
  Correction.failed({ person, failure }),
]
/** Somebody else corrected the job title meanwhile. */
const correctedByOthers = explained({
  ...setByHand,
  person: {
    ...setByHand.person,
    revision: 4,
    directory: { ...setByHand.person.directory, jobTitle: 'Director of sales' },
    corrections: {
      fields: {
        jobTitle: { value: 'Director of sales', until: 'removed', ...ADMIN, by: 'kim@in.example' },
      },
      supplement: {},
      under: { jobTitle: 'Seller' },
    },
  },
})
const shown = [
  ...opened,
  OnePerson.explained({ person, value: everyReason }),
  OnePerson.drawn({ person, value: drawn }),
]
const drawnForMailbox = (html: string) =>
  OnePerson.drawn({
    person,
    value: answered({
      signatures: answered()
        .signatures.slice(0, 1)
        .map((each) => ({ ...each, html })),
      namesWriter: true,
    }),
  })
const ofMailbox = [
  ...opened,
  OnePerson.explained({ person, value: explained() }),
  drawnForMailbox('<p>Sales desk<br>‹Display name›</p>'),
]
const reader = [
  ...at('/people/p-ana', { roles: ['Signet.Read'] }),
  OnePerson.explained({ person, value: explained() }),
  OnePerson.drawn({ person, value: answered() }),
]

const offered = [...listed(), PeopleImport.offered({ file: createHandle(''), name: 'people.csv' })]
const result: ImportResult = {
  added: 12,
  changed: 3,
  unchanged: 4_980,
  refused: [{ row: 7, reason: 'The address ana@in.example is that of another person.' }],
  problems: [
    {
      file: 'people.csv',
      line: 4,
      column: 1,
      level: 'error',
      code: 'csv.address',
      message: '"nowhere" is no address.',
    },
  ],
}
const nothing: ImportResult = { added: 0, changed: 0, unchanged: 3, refused: [], problems: [] }
const tried = [...offered, PeopleImport.tried({ result })]

export const peopleStories = (): readonly AdministrationStory[] => [
  view('people', listed('n-1')),
  state('people loading', at('/people')),
  state('people not loaded', [...at('/people'), People.pageFailed({ failure: down })]),
  state('no people yet', [
    ...at('/people'),
    People.pageLoaded({ query: '', after: null, page: { people: [], next: null } }),
  ]),
  state('people, nothing found', [
    ...listed(),
    People.searched({ query: 'nemo' }),
    People.pageLoaded({ query: 'nemo', after: null, page: { people: [], next: null } }),
  ]),
  state('people, nobody fits the filters', [
    ...listed(),
    People.filtered({ filters: { ...NO_FILTERS, department: 'Sales', who: 'left' } }),
    People.pageLoaded({ query: '', after: null, page: { ...page(), people: [] } }),
  ]),
  state('people by their last report', [
    ...listed(),
    People.filtered({ filters: { ...NO_FILTERS, sort: 'seen', isDescending: true, who: 'unseen' } }),
    People.pageLoaded({ query: '', after: null, page: page() }),
  ]),
  view('people, a thumbnail', [
    ...listed(),
    Thumbnail.pointed({ person: 'p-ana' }),
    Thumbnail.drawn({ person: 'p-ana', value: answered() }),
  ]),
  state('people searching', [...listed(), People.searched({ query: 'ana' })]),
  state('people not allowed', at('/people', { roles: ['Signet.Audit'] })),
  state('people, a reader', [
    ...at('/people', { roles: ['Signet.Read'] }),
    People.pageLoaded({ query: '', after: null, page: page() }),
  ]),

  view('people without a signature', [...at(UNSIGNED_PEOPLE_PATH), unsigned()]),
  state('people without a signature loading', at(UNSIGNED_PEOPLE_PATH)),
  state('people without a signature, going on', [
    ...at(UNSIGNED_PEOPLE_PATH),
    unsigned({ people: [], next: 'n-1' }),
  ]),
  state('everyone has a signature', [...at(UNSIGNED_PEOPLE_PATH), unsigned({ people: [] })]),

  view('one person', shown),
  view('one person beside the list', [
    ...shown,
    departments,
    People.pageLoaded({ query: '', after: null, page: page() }),
  ]),
  state('one person loading', opened),
  state('one person not there', [
    ...opened,
    OnePerson.explainFailed({
      person,
      failure: { kind: 'http', status: 404, code: 'not_found', data: null },
    }),
  ]),
  state('one person not loaded', [...opened, OnePerson.explainFailed({ person, failure: noConnection })]),
  state('one person, without signatures', [
    ...opened,
    OnePerson.explained({
      person,
      value: explained({
        signatures: [],
        default: null,
        mailboxes: [],
        details: [],
        person: { ...explained().person, active: false, groups: [] },
        none: { kind: 'hasLeft' },
      }),
    }),
    OnePerson.drawn({ person, value: answered({ signatures: [] }) }),
  ]),
  state('one person, who chose a signature of a mailbox', [
    ...opened,
    OnePerson.explained({
      person,
      value: explained({
        signatures: [assigned({ isDefault: false })],
        default: { choice: { master: 'corporate-p-desk' }, by: 'user' },
      }),
    }),
    OnePerson.drawFailed({ person, failure: down }),
  ]),
  state('one person, whose assistant has left', [
    ...opened,
    OnePerson.explained({
      person,
      value: explained({
        namesLeft: [
          { path: 'assistant', label: 'Assistant', address: 'ben@in.example' },
          { path: 'job_title', label: null, address: 'cleo@in.example' },
        ],
      }),
    }),
  ]),
  state('one person on another day', [...shown, OnePerson.dayChosen({ day: '2026-10-01' })]),
  state('one person, a mailbox whose writer is anyone', ofMailbox),
  state('one person, a mailbox with a chosen writer', [
    ...ofMailbox,
    OnePerson.writerChosen({
      writer: { id: 'p-ben', address: 'ben@in.example', name: 'Ben Hill', isActive: true },
    }),
    drawnForMailbox('<p>Sales desk<br>Ben Hill</p>'),
  ]),
  view('one person, replies in dark', [
    ...shown,
    OnePerson.kindChosen({ kind: 'reply' }),
    OnePerson.drawn({ person, value: drawn }),
    OnePerson.themeChosen({ isDark: true }),
  ]),
  view('one person, blocks for someone outside', [
    ...opened,
    OnePerson.explained({ person, value: withBlocks }),
    OnePerson.recipientsChosen({ recipients: 'external' }),
    OnePerson.drawn({ person, value: drawnWithBlocks }),
  ]),
  state('one person, blocks before there are recipients', [
    ...opened,
    OnePerson.explained({ person, value: withBlocks }),
    OnePerson.drawn({ person, value: answered() }),
  ]),
  view('one person, corrected by hand', correctedByHand),
  state('one person, corrected by hand, a reader', [
    ...at('/people/p-ana', { roles: ['Signet.Read'] }),
    OnePerson.explained({ person, value: setByHand }),
    OnePerson.drawn({ person, value: answered() }),
  ]),
  view('one person, correcting a value', entering(valueForm(setByHand.person, 'office', 'Lisbon'))),
  state('one person, correcting what the person changed', [
    ...opened,
    OnePerson.explained({
      person,
      value: explained({
        details: explained().details.map((each) => ({ ...each, field: 'jobTitle', source: 'person' })),
      }),
    }),
    Correction.entered({ act: valueForm(explained().person, 'jobTitle', '') }),
  ]),
  state(
    'one person, correcting without a day',
    entering({ ...newTitle, until: { end: 'day', day: '2020-01-01' } }),
    { clicks: ['dialog button[type=submit]'] },
  ),
  state('one person, saving a correction', [...entering(newTitle), Correction.requested()]),
  state('one person, correction not saved', correctionFailed(noConnection)),
  state('one person, changed meanwhile, loading', correctionFailed(changedMeanwhile)),
  view('one person, changed meanwhile', [
    ...correctionFailed(changedMeanwhile),
    OnePerson.explained({ person, value: correctedByOthers }),
  ]),
  state('one person, changed meanwhile, not loaded', [
    ...correctionFailed(changedMeanwhile),
    OnePerson.explainFailed({ person, failure: noConnection }),
  ]),
  state('one person, correction saved', [
    ...entering(newTitle),
    Correction.requested(),
    Correction.done({ person }),
  ]),
  view('one person, asking before keeping without a signature', entering(exclusionForm(setByHand.person))),
  view('one person, giving a certain signature', entering(pinForm(setByHand.person, ['corporate']))),
  state('one person, given a signature that is gone', [
    ...entering(pinForm(setByHand.person, ['autumn'])),
    Correction.requested(),
    Correction.failed({ person, failure: signatureGone }),
    OnePerson.explained({ person, value: setByHand }),
  ]),
  state(
    'one person, asking before a correction is taken back',
    entering({ kind: 'takeBack', target: { kind: 'value', field: 'jobTitle' } }),
  ),
  state('one person, taking back a signature that somebody took back', [
    ...entering({ kind: 'takeBack', target: { kind: 'pinned' } }),
    Correction.requested(),
    Correction.failed({ person, failure: changedMeanwhile }),
    OnePerson.explained({ person, value: correctedByOthers }),
  ]),
  state('one person, kept without a signature', [
    ...opened,
    OnePerson.explained({ person, value: keptWithout }),
    OnePerson.drawn({ person, value: answered({ signatures: [] }) }),
  ]),
  state('one person, a reader', reader),
  state('one person saved', [...shown, PersonExport.requested(), PersonExport.done({ person })]),
  state('one person not saved', [
    ...shown,
    PersonExport.requested(),
    PersonExport.failed({ person, failure: roleMissing }),
  ]),
  view('one person, asking before erasing', [...shown, PersonErasure.opened()]),
  state('one person, not erased', [
    ...shown,
    PersonErasure.opened(),
    PersonErasure.typed({ text: 'ana@in.example' }),
    PersonErasure.requested(),
    PersonErasure.failed({ person, failure: noConnection }),
  ]),
  state('one person erased', [
    ...listed(),
    ...shown.slice(at('/people').length),
    PersonErasure.done({ person, id: person, address: 'ana@in.example' }),
  ]),

  state('import trying', offered),
  state('import trying, counting', lasting('try', offered, { done: 0, of: 1 })),
  state('import trying, stopped', [...offered, PeopleImport.tryFailed({ failure: stopped })]),
  state('import not tried', [
    ...offered,
    PeopleImport.tryFailed({ failure: { kind: 'storage', action: 'read' } }),
  ]),
  state('import refused', [...offered, PeopleImport.tryFailed({ failure: roleMissing })]),
  view('import tried', tried),
  state('import changes nothing', [...offered, PeopleImport.tried({ result: nothing })]),
  state('importing', [...tried, PeopleImport.confirmed()]),
  view(
    'importing, counting',
    lasting('import', [...tried, PeopleImport.confirmed()], { done: 1_200, of: 5_000 }),
  ),
  state('import stopped', [
    ...tried,
    PeopleImport.confirmed(),
    PeopleImport.failed({ failure: someStopped }),
  ]),
  state('imported', [...tried, PeopleImport.confirmed(), PeopleImport.done({ result })]),
  state('import stopped by the database', [
    ...tried,
    PeopleImport.confirmed(),
    PeopleImport.failed({ failure: importStopped }),
  ]),
  state('import broken off', [
    ...tried,
    PeopleImport.confirmed(),
    PeopleImport.failed({ failure: noConnection }),
  ]),
]
