import type { PictureRefusal } from '../../../streams/administration/plan/banners.ts'
import { Designing } from '../../../streams/administration/design/events.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { InsightLoad } from '../../../streams/administration/overview/events.ts'
import { Adoption, Fitting, Planning, Suggestions } from '../../../streams/administration/plan/events.ts'
import { RulesFile, RulesFileEdits, RulesFileApplying } from '../../../streams/administration/plan/events.ts'
import type { ReleaseDocument, Selection } from '../../../streams/organisation/release/release.ts'
import type { FolderFinding } from '../../../streams/wire/administration/publishing.ts'
import { actedIn } from './design.ts'
import { clickDays, insight } from './answers.ts'
import { explained, found } from './people.ts'
import { block, withTheseBlocks } from '../blocks.ts'
import {
  alex,
  bannerPicture,
  brandChangedIn,
  draftOf,
  largePicture,
  manySignatures,
  releaseDocument,
} from './plans.ts'
import { adopted, adoptedFor, sample, unusedFiles } from './adoptions.ts'
import { type AdministrationStory, at, down, noConnection, state, view } from './story.ts'

const alexRead = Planning.personRead({ person: alex })
const on = (path: string, document: ReleaseDocument = releaseDocument) => [
  ...at(path),
  Planning.draftRestored({ draft: null }),
  Planning.draftNeeded(),
  Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
]
const withoutPerson = on('/signatures/files')
const begun = [...withoutPerson, alexRead]
/** A draft whose template names who writes for a mailbox, shown for this mailbox. */
const ofMailbox = [
  ...on('/signatures/files', {
    ...releaseDocument,
    mailboxes: [{ address: 'desk@northwind.example', selection: { for: 'everyone', not: [] }, values: {} }],
    templates: {
      ...releaseDocument.templates,
      'templates/a.html': '<p>{{writer.display_name}}<br>{{phone}}</p>',
    },
  }),
  Planning.personRead({
    person: {
      ...alex,
      id: 'p-desk',
      addresses: ['desk@northwind.example'],
      directory: { displayName: 'Sales desk' },
    },
  }),
]
/** A draft whose organisation defines colours, fonts and logos. */
const branded = on('/signatures/files', {
  ...releaseDocument,
  brand: {
    colours: { navy: '#1f3a5f', 'Light sand': '#f4efe6' },
    fonts: ['Arial', 'Source Sans 3'],
    logos: ['logo.png'],
  },
})
/** A draft whose signatures use a colour and a logo of its brand. */
const withOwnBrand: ReleaseDocument = {
  ...releaseDocument,
  brand: {
    colours: { Navy: '#1f3a5f', 'Light sand': '#f4efe6' },
    fonts: ['Arial', 'Source Sans 3'],
    logos: ['logo.png'],
  },
  templates: {
    ...releaseDocument.templates,
    'templates/a.html': '<table bgcolor="#1F3A5F"><tr><td style="color:#1f3a5f">{{phone}}</td></tr></table>',
  },
  pictures: { ...releaseDocument.pictures, 'logos/northwind-on-white.png': 'c0ffee' },
}
const ownBrand = [
  ...on('/signatures/brand', withOwnBrand),
  InsightLoad.loaded({
    value: { ...insight(), signatures: [{ signature: 'b', name: 'Sales', people: 4_210 }] },
  }),
]
const noBrand = on('/signatures/brand', { ...releaseDocument, pictures: {} })
const wrong = Planning.edited({
  path: 'templates/a.html',
  edits: [{ from: 0, to: 0, insert: '<p>{{phon}} {{#if phone}}' }],
})
const finding: FolderFinding = {
  file: 'signet.yaml',
  line: 12,
  column: 5,
  level: 'error',
  rule: 'x',
  message: 'There is no template "templates/gone.html".',
}

const cards = [
  ...[...on('/signatures'), alexRead],
  InsightLoad.loaded({
    value: { ...insight(), signatures: [{ signature: 'a', name: 'Corporate', people: 4_210 }] },
  }),
]
const defaultsRead = InsightLoad.loaded({
  value: {
    ...insight(),
    signatures: manySignatures.signatures
      .filter(({ id }) => id !== 'board')
      .map(({ id, name }, index) => ({ signature: id, name, people: 90 - index })),
  },
})
const fifteen = [...on('/signatures', manySignatures), alexRead, defaultsRead]
const seeking = [...on('/signatures/id/b'), alexRead, Planning.holderNeeded({ signature: 'b' })]
const one = [...seeking, Planning.holderFound({ person: { ...found('p-ana'), name: 'Ana Silva' } })]
/** The page of a signature or block begins with its design. */
const RULES = { clicks: ['[data-side] label:nth-of-type(2)'] }
const PICTURE = '<img src="{{picture logo.png}}" alt="Northwind">'
/** A draft whose two signatures include the same part. */
const withSharedPart: ReleaseDocument = {
  ...releaseDocument,
  brand: { colours: { Navy: '#1f3a5f', 'Light sand': '#f4efe6' }, fonts: ['Source Sans 3'], logos: [] },
  templates: { ...releaseDocument.templates, 'templates/a.html': '<p>{{phone}}</p>{{> legal}}' },
}
const withLists = {
  ...releaseDocument,
  lists: {
    Partners: ['quayside.example', 'ana@harbour.example'],
    Press_and_public_relations: ['gazette.example'],
  },
}
const designing = [...on('/signatures/id/b', withSharedPart), alexRead]
/** The rules file has just got the signature whose page is open. */
const notDrawn = [
  ...on('/signatures/id/c', withSharedPart),
  alexRead,
  RulesFileApplying.done({
    yaml: '',
    document: {
      ...withSharedPart,
      signatures: withSharedPart.signatures.map((each) => (each.id === 'b' ? { ...each, id: 'c' } : each)),
    },
    findings: [],
  }),
]
const sharing = [...on('/signatures/id/a', withSharedPart), alexRead]
/** The place of a text of the template of Sales, which follows another text. */
function placeIn(before: string, text: string) {
  const path = 'templates/b.html'
  const from = (releaseDocument.templates[path] ?? '').indexOf(before + text) + before.length
  return { path, from, to: from + text.length }
}
function done(event: AdministrationEvent | null): AdministrationEvent {
  if (!event) throw new Error('The act does not fit the item')
  return event
}
const selected = (before: string, text: string) => Designing.selected({ place: placeIn(before, text) })
const partSelected = Designing.selected({
  place: { path: 'templates/legal.part.html', from: 0, to: '<i>{{legal_line}}</i>'.length },
})
const PHONE = { path: 'templates/a.html', from: 0, to: '<p>{{phone}}</p>'.length }
const fewRules = Planning.signatureChanged({
  signature: 'b',
  changes: {
    name: 'Sales, with a name that is longer than most names of signatures are',
    selection: {
      for: [
        [
          { by: 'group', values: ['sales', 'sales-emea'] },
          { by: 'field', field: 'country', values: ['DE'] },
        ],
        [{ by: 'address', values: ['*@sales.northwind.example'] }],
        [
          {
            by: 'test',
            field: 'jobTitle',
            tests: [{ is: 'starts', values: ['Head of', 'Director'] }],
          },
          { by: 'test', field: 'employeeHireDate', tests: [{ is: 'before', day: '2026-01-01' }] },
          { by: 'language', values: ['de', 'fr'] },
          {
            by: 'manager',
            conditions: [
              { by: 'test', field: 'mobilePhone', tests: [{ is: 'any' }] },
              { by: 'person', values: ['ben@in.example'] },
            ],
          },
        ],
      ],
      not: [[{ by: 'person', values: ['ana@in.example'] }]],
    },
    during: { from: '2026-09-01', to: '2026-11-30', timeZone: 'Europe/Berlin' },
    recipients: ['quayside.example', 'harbour.example'],
    collection: 'campaigns',
  },
})
const withoutSignatures = { ...releaseDocument, signatures: [], templates: {} }
const rulesFile = [...on('/signatures/files/signet.yaml'), alexRead]
const rules = RulesFile.loaded({ value: 'version: 1 # Northwind Trading' })
const typed = RulesFileEdits.typed({ text: 'version: 1 # new' })
const taking = [...rulesFile, rules, typed, RulesFileApplying.requested({ yaml: 'version: 1 # new' })]
const taken = { yaml: 'version: 1 # new', findings: [] }

const during = (from: string, to: string) => ({ from, to, timeZone: 'Europe/Berlin' })
const withSlot = {
  ...releaseDocument,
  templates: {
    ...releaseDocument.templates,
    'templates/a.html': '<p>{{phone}}</p>{{block banner}}{{block notice}}',
  },
}
/** A draft with blocks in two slots, one of which no signature shows. A third slot has no blocks. */
const withBlocks = withTheseBlocks(withSlot, [
  block({ during: during('2026-09-01', '2026-12-05'), recipients: 'external', replies: false }),
  block({
    id: 'winter',
    name: 'Winter break',
    template: 'templates/blocks/winter.html',
    during: during('2027-01-04', '2027-01-31'),
  }),
  block({
    id: 'careers',
    name: 'Careers',
    template: 'templates/blocks/careers.html',
    share: 50,
    selection: { for: [[{ by: 'field', field: 'country', values: ['DE', 'AT'] }]], not: [] },
  }),
  block({
    id: 'award',
    name: 'Award',
    slot: 'awards',
    template: 'templates/blocks/award.html',
    during: during('2026-01-01', '2026-06-30'),
  }),
])
const over = (path: string, document: ReleaseDocument) => [
  ...at(path),
  Planning.draftRestored({ draft: draftOf({ document, hasNewRules: true }) }),
  alexRead,
]
const oneBlock = [
  ...over('/blocks/id/autumn', withBlocks),
  Planning.recipientsChosen({ recipients: 'external' }),
]
/** A block with the part that a signature includes, too. */
const inFair = over('/blocks/id/autumn', {
  ...withBlocks,
  templates: { ...withBlocks.templates, 'templates/blocks/autumn.html': '<p>Autumn fair</p>{{> legal}}' },
})
const pictureRead = [
  Planning.pictureChosen({ picture: { handle: '<handle>' } }),
  Planning.pictureRead({ picture: bannerPicture }),
]
const alexNamed = {
  ...alex,
  directory: { ...alex.directory, givenName: 'Alex', surname: 'Kim', jobTitle: 'Head of Sales' },
}
const gallery = [
  ...over('/signatures/gallery', withBlocks),
  Planning.selfChosen(),
  Planning.personRead({ person: alexNamed }),
]
const adopt = over('/signatures/adopt', releaseDocument)
const sampleChosen = Adoption.chosen({ files: { handle: '<handle>' } })
const adoptChosen = [
  ...adopt,
  sampleChosen,
  Adoption.read({
    samples: [sample(), sample({ name: 'last-week.eml', files: sample().files.slice(0, 1) })],
  }),
]
const adoptMade = [...adoptChosen, Adoption.requested(), Adoption.loaded({ value: adoptedFor() })]
const inGermany: Selection = {
  for: [[{ by: 'field', field: 'country', values: ['DE'] }]],
  not: [[{ by: 'group', values: ['interns'] }]],
}
const banner = over('/blocks/banner', withBlocks)
/** Two pictures that nothing uses: a small one, and one that is too large. */
const given = [largePicture, bannerPicture].flatMap((picture) => [
  Planning.pictureGiven({ name: picture.name, picture: { handle: '<handle>' } }),
  Planning.pictureAdded({ picture }),
])
const giving = Planning.pictureGiven({ name: 'logo.svg', picture: { handle: '<handle>' } })
const pictureTooLarge = [
  giving,
  Planning.pictureTooLarge({
    name: 'a-photo-with-a-name-that-is-longer-than-most.jpg',
    picture: { handle: '<handle>' },
    bytes: 4_400_000,
    raster: { type: 'image/jpeg', width: 4032, height: 3024 },
  }),
]
const pictureRefused = [giving, Planning.pictureNotAdded({ name: 'logo.svg', refusal: 'format' })]
const manyPictures = on('/signatures/files', {
  ...releaseDocument,
  brand: { colours: {}, fonts: [], logos: ['social/9.png'] },
  pictures: Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`social/${String(at)}.png`, 'c0ffee'])),
})

const refused = (refusal: PictureRefusal) => [...banner, ...pictureRead, Planning.pictureRefused({ refusal })]

const forEveryone: Selection = { for: 'everyone', not: [] }
const forSales: Selection = { for: [[{ by: 'group', values: ['sales'] }]], not: [] }
const counted = (selection: Selection, people: number, of = 240) => [
  Fitting.shown({ selection }),
  Fitting.loaded({ value: { people, of } }),
]

/** A draft's signatures and blocks: as cards, individually and as files. */
export const signatureStories = (): readonly AdministrationStory[] => [
  view('signatures', cards),
  state('signatures, the draft begins', on('/signatures').slice(0, -1)),
  state('signatures, nothing published', [
    ...on('/signatures').slice(0, -1),
    Planning.beginFailed({ failure: { kind: 'http', status: 404, code: 'not_found', data: null } }),
  ]),
  state('signatures, not begun', [
    ...on('/signatures').slice(0, -1),
    Planning.beginFailed({ failure: down }),
  ]),
  state('signatures, none', [
    ...at('/signatures'),
    Planning.draftRestored({ draft: draftOf({ folder: 'new', document: withoutSignatures }) }),
    alexRead,
  ]),
  state('signatures, changed', [...cards, fewRules, Planning.paused()]),
  state('signatures, a template is missing', [
    ...cards,
    Planning.signatureChanged({ signature: 'b', changes: { template: 'templates/gone.html' } }),
    Planning.paused(),
  ]),
  state('signatures, with a sample', [...cards, Planning.sampleChosen()]),
  state('signatures, a new one', cards, { clicks: ['[data-new] button'] }),
  view('signatures, fifteen', fifteen),
  state('signatures, fifteen, and nobody knows whose default', [
    ...on('/signatures', manySignatures),
    alexRead,
    Planning.cardsFiltered({ text: '', show: 'nobody' }),
  ]),
  view('signatures, searched', [...fifteen, Planning.cardsFiltered({ text: 'emea re', show: 'all' })]),
  ...(['everyone', 'some', 'now', 'later', 'over', 'nobody'] as const).map((show) =>
    state(`signatures, filtered: ${show}`, [...fifteen, Planning.cardsFiltered({ text: '', show })]),
  ),
  state('signatures, none found', [
    ...fifteen,
    Planning.cardsFiltered({ text: 'finance', show: 'everyone' }),
  ]),
  state('signatures, one is moved', fifteen, { clicks: ['li:nth-child(2) [data-handle]'] }),

  view('signature', [...one, ...counted(forSales, 12)], RULES),
  state('signature, a person who has it is sought', seeking, RULES),
  state('signature, no person has it', [...seeking, Planning.holderFound({ person: null })], RULES),
  state(
    'signature, a person who has it is not found',
    [...seeking, Planning.holderFailed({ failure: down })],
    RULES,
  ),
  state('signature, its people are counted', [...one, Fitting.shown({ selection: forSales })], RULES),
  state(
    'signature, its people were not counted',
    [...one, Fitting.shown({ selection: forSales }), Fitting.loadFailed({ failure: noConnection })],
    RULES,
  ),
  view(
    'signature, groups are found',
    [
      ...one,
      Suggestions.sought({ field: 'group', search: '' }),
      Suggestions.loaded({
        value: {
          values: [
            { value: 'all-staff', people: 4_987 },
            { value: 'service', people: 1 },
            { value: 'sales', people: 12 },
          ],
        },
      }),
    ],
    { clicks: [...RULES.clicks, '[role=combobox]'] },
  ),
  state(
    'signature, groups are looked for',
    [...one, Suggestions.sought({ field: 'group', search: '' })],
    RULES,
  ),
  state(
    'signature, groups were not loaded',
    [
      ...one,
      Suggestions.sought({ field: 'group', search: '' }),
      Suggestions.loadFailed({ failure: noConnection }),
    ],
    RULES,
  ),
  state('signature, for nobody', [...one, ...counted(forSales, 0)], RULES),
  state('signature, with many rules', [...one, fewRules, Planning.paused()], RULES),
  state(
    'signature, for lists of recipients and the first message of a conversation',
    [
      ...on('/signatures/id/b', withLists),
      alexRead,
      Planning.signatureChanged({
        signature: 'b',
        changes: {
          recipients: ['Partners', 'Press_and_public_relations', 'quayside.example'],
          thread: 'first',
        },
      }),
      Planning.paused(),
    ],
    RULES,
  ),
  state(
    'signature, as classic Outlook draws it',
    [...one, Planning.lookChosen({ look: 'classicOutlook' })],
    RULES,
  ),
  state('signature, at the width of a phone', [...one, Planning.widthChosen({ width: 'phone' })], RULES),
  state('signature, for everyone', [...on('/signatures/id/a'), alexRead], RULES),
  state('signature, which is gone', [...one, Planning.signatureRemoved({ signature: 'b' })]),
  state('signature, removing', one, { clicks: [...RULES.clicks, '[data-remove] button'] }),
  view('signature, its template', one, { clicks: ['[data-side] label:last-of-type'] }),

  view('design', designing),
  view('design, words selected', [...designing, selected('<p>', '{{display_name}}')]),
  view('design, picture selected', [...designing, selected('', PICTURE)]),
  state('design, linked picture selected', [
    ...[...designing, selected('', PICTURE)],
    done(
      actedIn(withSharedPart, {
        place: placeIn('', PICTURE),
        act: { kind: 'linkedPicture', isLinked: true },
      }),
    ),
  ]),
  state('design, picture selected, all are linked', [
    ...[...on('/signatures/id/b', { ...withSharedPart, linked: true }), alexRead],
    selected('', PICTURE),
  ]),
  state('design, words typed in', [
    ...designing,
    Designing.typingBegan({ place: placeIn('<p>', '{{display_name}}') }),
  ]),
  state('design, part selected', [...designing, selected('</p>', '{{> legal}}')]),
  state('design, an act is done', [
    ...designing,
    done(
      actedIn(withSharedPart, { place: placeIn('', PICTURE), act: { kind: 'size', width: 40, height: 40 } }),
    ),
  ]),
  state('design, asking about a shared part', [...designing, partSelected], {
    clicks: ['aside div > button:nth-of-type(3)'],
  }),
  state('design, asking about a shared template', [...sharing, Designing.selected({ place: PHONE })], {
    clicks: ['aside div > button:nth-of-type(3)'],
  }),
  state('design, inserting', designing, { clicks: ['aside > button'] }),
  state('design, inserting a button', designing, {
    clicks: ['aside > button', 'dialog li:nth-child(4) button'],
  }),
  state('design, linking', [...designing, selected('', PICTURE)], {
    clicks: ['[data-keeps-typing] > button:nth-last-of-type(2)'],
  }),
  state('design, at the width of a phone', [...designing, Planning.widthChosen({ width: 'phone' })]),
  state('design, dark', [...designing, Planning.lookChosen({ look: 'dark' })]),
  state('design, as classic Outlook draws it', [
    ...designing,
    Planning.lookChosen({ look: 'classicOutlook' }),
  ]),
  state('design, no version for the use', [...sharing, Planning.kindChosen({ use: 'meeting' })]),
  state('design, a person who has it is sought', seeking),
  state('design, not drawn yet', notDrawn),

  view('blocks', over('/blocks', withBlocks)),
  state('blocks, counting', over('/blocks', { ...withBlocks, counting: true })),
  state('blocks, a new one', over('/blocks', withBlocks), { clicks: ['[data-new] button'] }),
  state('blocks, moving one', over('/blocks', withBlocks), { clicks: ['[data-handle]'] }),
  state('blocks, none yet', over('/blocks', releaseDocument)),
  state('blocks, a template is missing', over('/blocks', { ...withBlocks, templates: withSlot.templates })),
  view('block, its design', oneBlock),
  state('block, its design, by itself', [...oneBlock, Planning.recipientsChosen({ recipients: 'internal' })]),
  state('block, its design, in a slot that no signature shows', over('/blocks/id/award', withBlocks)),
  state(
    'block, its design, without a template',
    over('/blocks/id/autumn', { ...withBlocks, templates: withSlot.templates }),
  ),
  state('block, its design, asking about a shared part', [...inFair, partSelected], {
    clicks: ['aside div > button:nth-of-type(3)'],
  }),
  state('block, its design, inserting', oneBlock, { clicks: ['aside > button'] }),
  view('block', [...oneBlock, ...counted(forEveryone, 240)], RULES),
  state(
    'block, for later messages of a conversation',
    [
      ...oneBlock,
      Planning.blockChanged({ block: 'autumn', changes: { thread: 'later' } }),
      Planning.paused(),
    ],
    RULES,
  ),
  state(
    'block, in a share of the messages',
    [
      ...oneBlock,
      Planning.blockChanged({ block: 'autumn', changes: { share: 30, turns: 'mail' } }),
      Planning.paused(),
    ],
    RULES,
  ),
  state(
    'block, for a list of recipients',
    [
      ...over('/blocks/id/autumn', { ...withBlocks, lists: withLists.lists }),
      Planning.blockChanged({
        block: 'autumn',
        changes: { recipients: ['Partners', 'ana@quayside.example'] },
      }),
      Planning.paused(),
    ],
    RULES,
  ),
  state(
    'block, for other recipients',
    [...oneBlock, Planning.recipientsChosen({ recipients: 'internal' })],
    RULES,
  ),
  state(
    'block, behind another one',
    [
      ...over('/blocks/id/autumn', withBlocks),
      Planning.blockAdded({ block: 'notice', name: 'Notice', like: 'careers' }),
      Planning.blockMoved({ block: 'notice', to: 0 }),
      Planning.blockChanged({
        block: 'notice',
        changes: { selection: { for: 'everyone', not: [] }, share: 100 },
      }),
      Planning.blockChanged({ block: 'autumn', changes: { recipients: 'everyone', during: null } }),
      Planning.paused(),
    ],
    RULES,
  ),
  state(
    'block, with hours',
    over('/blocks/id/autumn', {
      ...withBlocks,
      blocks: [
        block({
          during: during('2026-09-01', '2026-12-05'),
          hours: {
            spans: [
              { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
              { days: [6], from: '09:00', to: '12:00' },
            ],
            timeZone: during('2026-09-01', '2026-12-05').timeZone,
          },
        }),
      ],
    }),
    RULES,
  ),
  state(
    'block, on days that each person enters',
    over('/blocks/id/autumn', {
      ...withBlocks,
      variables: ['absence_from', 'absence_to'].map((path) => ({
        ...{ path, from: null, value: null, edit: true, resync: false, hidden: false, group: null },
        label: path === 'absence_from' ? 'Away from' : 'Away until',
      })),
      blocks: [
        block({ ownDays: { from: 'absence_from', to: 'absence_to', before: 14, timeZone: 'Europe/Berlin' } }),
      ],
    }),
    RULES,
  ),
  state(
    'block, on days that each person enters, without details for them',
    over('/blocks/id/autumn', {
      ...withBlocks,
      variables: [],
      blocks: [block({ ownDays: { from: 'absence_from', to: 'absence_to', before: 0, timeZone: 'UTC' } })],
    }),
    RULES,
  ),
  state('block, in a slot that no signature shows', over('/blocks/id/award', withBlocks), RULES),
  state('block, with a finding', [
    ...at('/blocks/id/autumn'),
    Planning.draftBegun({
      draft: draftOf({ folder: 'autumn', document: withBlocks }),
      findings: [
        finding,
        { ...finding, file: 'templates/blocks/autumn.html', message: 'There is no picture.' },
      ],
    }),
    alexRead,
  ]),
  state(
    'block, with clicks',
    [
      ...oneBlock,
      InsightLoad.loaded({
        value: insight({
          clicks: [{ block: 'autumn', name: 'Autumn fair', days: clickDays(5, 8, 0, 21, 64, 120, 98) }],
        }),
      }),
    ],
    RULES,
  ),
  state('block, which is gone', [...oneBlock, Planning.blockRemoved({ block: 'autumn' })]),
  state('block, removing', oneBlock, { clicks: [...RULES.clicks, '[data-remove] button'] }),
  view('block, its template', oneBlock, { clicks: ['[data-side] label:last-of-type'] }),

  view('brand', ownBrand),
  state('brand, nothing yet', noBrand),
  state('brand, changed', [
    ...ownBrand,
    brandChangedIn(withOwnBrand, { kind: 'colourAdded', name: 'Sun', colour: '#ffd700' }),
  ]),
  state('brand, all pictures are linked', [...ownBrand, Planning.linkingSwitched({ isOn: true })]),
  state('brand, a new colour', ownBrand, { clicks: ['[data-add-colour] button'] }),
  state('brand, changing a light colour', ownBrand, { clicks: ['li:last-child [data-change] button'] }),
  state('brand, a logo', ownBrand, { clicks: ['[data-add-logo] button'] }),
  state('brand, no picture for a logo', noBrand, { clicks: ['[data-add-logo] button'] }),
  state('brand, asking whether the signatures follow', ownBrand, {
    clicks: ['[data-replace] button', 'dialog label:last-of-type'],
  }),

  view('gallery', gallery),
  state('gallery, dark', [...gallery, Planning.lookChosen({ look: 'dark' })]),
  state('gallery, with a sample', [...gallery, Planning.sampleChosen()]),
  state('gallery, at the width of a phone', gallery, {
    clicks: ['[data-look] fieldset:last-of-type label:first-of-type'],
  }),

  view('adopt', adoptMade),
  state('adopt, nothing chosen', adopt),
  state('adopt, the files are read', adopt.concat(sampleChosen)),
  state('adopt, the files are refused', [
    ...adopt,
    sampleChosen,
    Adoption.refused({ refusal: { reason: 'tooLarge', limit: 14_000_000 } }),
  ]),
  state('adopt, chosen', [...adoptChosen, Adoption.personGiven({ sample: 1, person: 'ana@in.example' })]),
  state(
    'adopt, the person of a sample',
    [
      ...adoptChosen,
      Planning.personSearched({ text: 'ana' }),
      Planning.peopleFound({ people: [found('p-ana')] }),
    ],
    { clicks: ['[data-samples] button'] },
  ),
  state('adopt, being made', [...adoptChosen, Adoption.requested()]),
  ...(['sample_unreadable', 'signature_not_found', 'person_unknown'] as const).map((code) =>
    state(`adopt, not made: ${code}`, [
      ...adoptChosen,
      Adoption.requested(),
      Adoption.loadFailed({ failure: { kind: 'http', status: 422, code, data: { sample: 1 } } }),
    ]),
  ),
  state('adopt, offline', [
    ...adoptChosen,
    Adoption.requested(),
    Adoption.loadFailed({ failure: noConnection }),
  ]),
  state('adopt, files that replace no picture', [
    ...adoptChosen,
    Adoption.requested(),
    Adoption.loaded({ value: adoptedFor({ adopted: adopted({ unusedFiles }) }) }),
  ]),
  state('adopt, made again with pictures', [
    ...adoptMade,
    Adoption.picturesGiven({ files: { handle: '<handle>' } }),
    Adoption.read({ samples: [sample({ name: null })] }),
  ]),
  state('adopt, no pictures given', [
    ...adoptMade,
    Adoption.picturesGiven({ files: { handle: '<handle>' } }),
    Adoption.refused({ refusal: { reason: 'noSignature' } }),
  ]),
  state('adopt, all pictures given', [
    ...adoptMade,
    Adoption.picturesGiven({ files: { handle: '<handle>' } }),
    Adoption.read({ samples: [sample({ name: null })] }),
    Adoption.loaded({ value: adoptedFor({ adopted: adopted({ linked: [] }) }) }),
  ]),
  state('adopt, of an unknown person, with nothing to tell', [
    ...adoptChosen,
    Adoption.requested(),
    Adoption.loaded({
      value: adoptedFor({
        person: null,
        adopted: adopted({
          placeholders: [],
          takenOut: [],
          linked: [],
          people: [null],
          questions: [{ kind: 'noPerson', texts: [] }],
        }),
      }),
    }),
  ]),

  view('banner', [...banner, ...pictureRead, ...counted(forEveryone, 1, 1)]),
  state('banner, nothing yet', over('/blocks/banner', releaseDocument)),
  state('banner, no signature has a slot', [...over('/blocks/banner', releaseDocument), ...pictureRead]),
  state('banner, the picture is read', [...banner, ...pictureRead.slice(0, 1)]),
  ...(['format', 'tooLong'] as const).map((refusal) =>
    state(`banner, refused: ${refusal}`, refused(refusal)),
  ),
  state('banner, something is missing', banner, { clicks: ['[data-add] button'] }),
  state('banner, pictures of the draft offered', banner, { clicks: ['[data-pick] button'] }),
  state('banner, for some people', [
    ...banner,
    ...pictureRead,
    Planning.audienceChosen({ audience: { selection: inGermany, isComplete: true } }),
    ...counted(inGermany, 1_812, 4_987),
  ]),
  state('banner, counting', over('/blocks/banner', { ...withBlocks, counting: true })),
  state('banner, no signature', over('/blocks/banner', withoutSignatures)),

  view('files', begun),
  view('files, pictures that nothing uses', [...begun, ...given, Planning.paused()]),
  state('files, a picture is read', [...begun, giving]),
  state('files, a picture is too large', [...begun, ...pictureTooLarge]),
  state('files, a picture is refused', [...begun, ...pictureRefused]),
  state('files, unused pictures are removed', [...begun, ...given, Planning.paused()], {
    clicks: ['[data-remove-pictures] button'],
  }),
  state('files, no pictures', on('/signatures/files', { ...releaseDocument, pictures: {}, templates: {} })),
  state('draft, wrong placeholders', [...begun, wrong, Planning.paused()]),
  state('draft, the list of templates is open', [...begun, Planning.listShown({ isShown: true })]),
  state('draft, the preview in a narrow window', [...begun, Planning.sideChosen({ side: 'preview' })]),
  state('draft, the person is read', withoutPerson),
  state('draft, the administrator has no signature', [
    ...withoutPerson,
    Planning.personFailed({ failure: { kind: 'http', status: 404, code: 'not_found', data: null } }),
  ]),
  state('draft, the person is not read', [...withoutPerson, Planning.personFailed({ failure: down })]),
  state('draft, of a mailbox whose writer is anyone', ofMailbox, { clicks: ['[data-controls]'] }),
  state(
    'draft, of a mailbox with a chosen writer',
    [...ofMailbox, Planning.writerChosen({ person: 'p-alex' }), Planning.writerRead({ person: alex })],
    { clicks: ['[data-controls]'] },
  ),
  state('draft, with a sample', [...begun, Planning.sampleChosen()]),
  state(
    'draft, people found',
    [
      ...[...begun, Planning.sideChosen({ side: 'preview' }), Planning.personSearched({ text: 'ana' })],
      Planning.peopleFound({ people: [found('p-ana'), found('p-anabel')] }),
    ],
    { clicks: ['[data-controls]', '[data-person] button'] },
  ),
  state('draft, for a person, dark', [
    ...begun,
    Planning.personChosen({ person: 'p-ana' }),
    Planning.personRead({ person: explained().person }),
    Planning.templateOpened({ path: 'templates/b.html', line: null, column: null }),
    Planning.sideChosen({ side: 'preview' }),
    Planning.lookChosen({ look: 'dark' }),
  ]),

  view('draft, a word is selected', [
    ...begun,
    Planning.selected({ path: 'templates/a.html', from: 3, to: 12 }),
    Planning.sideChosen({ side: 'preview' }),
  ]),
  view('draft, of a brand', branded),
  view('draft, variables offered', branded, { clicks: ['[data-tool=field]'] }),
  state('draft, variables offered for a condition', branded, { clicks: ['[data-tool=ifFilled]'] }),
  view('draft, pictures offered', [...begun, ...given, Planning.paused()], {
    clicks: ['[data-tool=picture]', 'dialog [role=radiogroup] label:nth-of-type(2)'],
  }),
  state('draft, many pictures offered', manyPictures, { clicks: ['[data-tool=picture]'] }),
  state('draft, no pictures to offer', on('/signatures/files', { ...releaseDocument, pictures: {} }), {
    clicks: ['[data-tool=picture]'],
  }),
  state('draft, no slots to offer', branded, { clicks: ['[data-tool=slot]'] }),
  state('draft, networks offered', branded, { clicks: ['[data-tool=social]'] }),
  state('draft, colours offered', branded, { clicks: ['[data-tool=colour]'] }),
  state('draft, fonts offered', branded, { clicks: ['[data-tool=font]'] }),

  view('rules as a file', [...rulesFile, rules]),
  state('rules as a file, being written', rulesFile),
  state('rules as a file, not written', [...rulesFile, RulesFile.loadFailed({ failure: down })]),
  state('rules as a file, being read', taking),
  state('rules as a file, with mistakes', [
    ...taking,
    RulesFileApplying.done({ ...taken, document: null, findings: [finding] }),
  ]),
  state('rules as a file, taken', [
    ...taking,
    RulesFileApplying.done({ ...taken, document: { ...releaseDocument, internal: [] } }),
  ]),
  state('rules as a file, not taken', [...taking, RulesFileApplying.failed({ failure: down })]),
]
