import { NEVER, type Observable, of, Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { SEARCH_PAUSE_MS, TYPING_PAUSE_MS } from '../../effects/administration/plan.ts'
import { type ChosenPicture, MAX_BANNER_BYTES } from '../../streams/administration/plan/banners.ts'
import type { BrandChange } from '../../streams/administration/plan/brand.ts'
import { MAX_GIVEN_PICTURE_BYTES } from '../../streams/administration/plan/draftPictures.ts'
import { splitIntoUploads } from '../../streams/administration/plan/pictures.ts'
import { editsBetween } from '../../streams/administration/plan/draft.ts'
import {
  Adoption,
  FolderExport,
  PlannedPeople,
  Planning,
  Publishing,
} from '../../streams/administration/plan/events.ts'
import { galleryTemplate } from '../../streams/organisation/release/gallery.ts'
import { LOGO } from '../../streams/organisation/release/galleryPictures.ts'
import { PEOPLE_PER_PAGE } from '../../streams/administration/plan/reducer.ts'
import type { Administration } from '../../src/administration/createAdministration.ts'
import { RulesFileEdits, RulesFileApplying } from '../../streams/administration/plan/events.ts'
import { firstDraftParts } from '../../streams/administration/plan/first.ts'
import { adoptedTemplateOf } from '../../streams/administration/plan/adopting.ts'
import { Place } from '../../streams/administration/place/events.ts'
import { loadedValue } from '../../streams/kernel/load.ts'
import { orNull } from '../../streams/kernel/schema.ts'
import { documentSchema } from '../../streams/wire/administration/document.ts'
import type { AnswerOf } from '../../streams/wire/administration/calls.ts'
import type { FoundPerson } from '../../streams/wire/administration/people.ts'
import { Session } from '../../streams/administration/session/events.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { me, NOON, releaseId, releases } from '../support/administration/answers.ts'
import { explained, found } from '../support/administration/people.ts'
import { adopted, sample } from '../support/administration/adoptions.ts'
import {
  bannerPicture,
  draftOf,
  personPlan,
  planOf,
  releaseDocument,
  brandChangedIn,
} from '../support/administration/plans.ts'
import { fakeAdministrationPorts, startAdministrationAt, VISIT } from '../support/administration/ports.ts'
import { createClock } from '../support/clock.ts'
import { png } from '../support/pictures.ts'
import { failing } from '../support/ports.ts'

// What an administrator does on the page Plan, through the whole program over fakes.

const PATH = 'templates/a.html'
const HASH = 'c0ffee'
const { pictures } = draftOf()
const exported = { release: releaseId('c'), document: releaseDocument, pictures }
const read = { folder: 'autumn', files: { 'signet.yaml': 'eA==' } }
const yaml = 'version: 1 # the text of the folder\n'
const WRITTEN = 'version: 1\n'
const folder = createHandle('a folder')
const chosen: ChosenPicture = {
  name: 'fair.png',
  base64: pictures[HASH]?.base64 ?? '',
  hash: 'ab'.repeat(16),
}
/** The name of work: of the visit, and of the event that asked for it. */
const WORK = expect.stringMatching(new RegExp(`^${VISIT}[0-9a-f]{8}$`)) as unknown

/** The page at a path. On the page Plan, a draft begins at once from what is published. */
function open(path = '/plan') {
  const clock = createClock(NOON)
  const ports = fakeAdministrationPorts(clock)
  ports.api.exported.answers(of(exported))
  ports.api.writtenYaml.answers(of(WRITTEN))
  const page = startAdministrationAt(path, ports)
  return { clock, ports, page, plan: () => page.state$.value.plan }
}

const type = (page: Administration, text: string) => {
  const before = page.state$.value.plan.draft?.document.templates[PATH] ?? ''
  page.record(Planning.edited({ path: PATH, edits: editsBetween(before, text) }))
}

const begin = () => open('/plan')

describe('a draft', () => {
  test('begins from what is published', () => {
    const { plan } = begin()
    expect(plan()).toMatchObject({
      draft: {
        base: releaseId('c'),
        folder: null,
        document: releaseDocument,
        pictures,
        edited: [],
        yaml: null,
        begun: NOON,
      },
      open: { path: PATH },
    })
  })

  test('begins once for a page that shows it, from what is published', () => {
    const { page, ports, plan } = open('/now')
    expect(plan().draft).toBeNull()
    for (const path of ['/signatures', '/plan', '/signatures/id/a'])
      page.record(Place.linkFollowed({ to: path }))
    expect(ports.api.exported.calls).toEqual([[null]])
    expect(plan().signature).toBe('a')
    page.record(Planning.discarded())
    expect(ports.api.exported.calls).toHaveLength(2)
    expect(plan().draft).not.toBeNull()
  })

  test('that is only a copy is read again when the administrator comes back, and replaced when it is another', () => {
    const { page, ports, plan } = begin()
    const first = plan().draft
    const come = (path: string) => page.record(Place.linkFollowed({ to: path }))
    come('/signatures')
    come('/signatures/files')
    expect(ports.api.exported.calls).toHaveLength(1)
    come('/now')
    come('/plan')
    expect(ports.api.exported.calls).toHaveLength(2)
    expect(plan()).toMatchObject({ draft: first, beginning: { status: 'idle' } })
    expect(plan().draft).toBe(first)
    const later = { ...exported, release: releaseId('e') }
    const exported$ = new Subject<typeof exported>()
    ports.api.exported.answers(of(later), exported$)
    come('/now')
    come('/plan')
    expect(plan().draft?.base).toBe(releaseId('e'))
    come('/now')
    come('/plan')
    type(page, 'one')
    exported$.next({ ...exported, release: releaseId('f') })
    expect(plan()).toMatchObject({
      draft: { base: releaseId('e'), edited: [PATH] },
      beginning: { status: 'idle' },
    })
    come('/now')
    come('/plan')
    expect(ports.api.exported.calls).toHaveLength(4)
  })

  test('begins with a first signature for an organisation that has published nothing', () => {
    const { page, ports, plan } = open('/now')
    ports.api.exported.answers(failing({ kind: 'http', status: 404, code: 'not_found', data: null }))
    page.record(Place.linkFollowed({ to: '/signatures' }))
    expect(plan()).toMatchObject({ draft: null, beginning: { status: 'fail' } })
    page.record(Planning.firstChosen({ template: null }))
    expect(plan()).toMatchObject({
      draft: { base: null, hasNewRules: true, document: { organisation: me().organisation } },
      open: { path: 'templates/standard.html' },
    })
    expect(plan().draft?.document.internal).toEqual([me().name.split('@')[1]])
    expect(orNull(documentSchema).read(plan().draft?.document, '')).toEqual(plan().draft?.document)
    expect(ports.drafts.content()).toHaveProperty('draft')
  })

  test('does not begin by itself while one is read, and not without the role', () => {
    const ports = fakeAdministrationPorts(createClock(NOON))
    ports.api.exported.answers(NEVER)
    const page = startAdministrationAt('/plan', ports)
    page.record(Place.linkFollowed({ to: '/signatures' }))
    expect(ports.api.exported.calls).toHaveLength(1)
    const others = fakeAdministrationPorts(createClock(NOON))
    others.api.me.answers(of(me({ roles: ['Signet.Audit'] })))
    startAdministrationAt('/plan', others)
    expect(others.api.exported.calls).toEqual([])
  })

  test('that is only a copy of what is published is not stored', () => {
    const { page, ports, plan } = begin()
    expect(ports.drafts.set.calls).toEqual([])
    page.record(Planning.signatureMoved({ signature: 'a', to: 1 }))
    expect(ports.drafts.content()).toMatchObject({ draft: { draft: { hasNewRules: true } } })
    ports.api.plan.answers(of(planOf()))
    ports.api.publish.answers(of({ release: planOf().release, history: [] }))
    page.record(Planning.planRequested())
    page.record(Publishing.requested({ note: '', all: false }))
    expect(plan().draft).toMatchObject({ base: planOf().release, hasNewRules: false })
    expect(ports.drafts.content()).toEqual({})
  })

  test('has a signature that is added, whose page opens', () => {
    const { page, plan } = begin()
    page.record(Planning.signatureAdded({ signature: 'sales', name: 'Sales', like: 'b' }))
    expect(page.state$.value.place.path).toBe('/signatures/id/sales')
    expect(plan()).toMatchObject({ signature: 'sales', open: { path: 'templates/sales.html' } })
  })

  test('begins with a template of the gallery, with its logo', () => {
    const { page, ports, plan } = open('/now')
    ports.api.exported.answers(failing({ kind: 'http', status: 404, code: 'not_found', data: null }))
    page.record(Place.linkFollowed({ to: '/signatures' }))
    page.record(
      Planning.firstChosen({ template: galleryTemplate('classic', firstDraftParts(null, null).document) }),
    )
    expect(plan().draft).toMatchObject({
      document: { pictures: { 'gallery/logo.png': LOGO.hash } },
      pictures: { [LOGO.hash]: { base64: LOGO.base64 } },
    })
    expect(plan().draft?.document.templates['templates/standard.html']).toContain('gallery/logo.png')
  })

  test('has a template that is taken from the gallery, whose page opens', () => {
    const { page, ports, plan } = begin()
    const offered = galleryTemplate('classic', releaseDocument)
    page.record(Planning.templateTaken({ signature: 'sales', taken: { ...offered, name: 'Sales' } }))
    expect(page.state$.value.place.path).toBe('/signatures/id/sales')
    expect(plan()).toMatchObject({ signature: 'sales', open: { path: 'templates/sales.html' } })
    expect(plan().draft?.document.signatures.at(-1)).toMatchObject({ name: 'Sales 2' })
    expect(ports.drafts.content()).toMatchObject({ draft: { draft: { hasNewRules: true } } })
  })

  test('[ADOPT-1] [ADOPT-7] has a template that is made of an existing signature, under another name', () => {
    const { page, ports, plan } = open('/signatures/adopt')
    ports.folders.samples.answers(of({ reason: 'noSignature' }), of([sample()]), of([sample()]))
    const state = () => page.state$.value.adopting
    const logged = ports.log.lines.length
    page.record(Adoption.chosen({ files: folder }))
    expect(state().reading).toEqual({ status: 'refused', refusal: { reason: 'noSignature' } })
    page.record(Adoption.chosen({ files: folder }))
    expect(state()).toMatchObject({ reading: { status: 'idle' }, samples: [sample()] })
    page.record(Adoption.personGiven({ sample: 0, person: 'alex.kim@northwind.example' }))
    const refused = { kind: 'http', status: 422, code: 'signature_empty', data: null } as const
    ports.api.adopt.answers(failing(refused), of(adopted()))
    ports.api.person.answers(of(explained()))
    page.record(Adoption.requested())
    expect(state().load).toEqual({ status: 'fail', failure: refused })
    page.record(Adoption.requested())
    expect(ports.api.adopt.calls.at(-1)).toEqual([
      {
        samples: [{ files: sample().files, person: 'alex.kim@northwind.example' }],
        from: null,
        variables: releaseDocument.variables,
      },
    ])
    expect(loadedValue(state().load)).toEqual({ adopted: adopted(), person: explained().person })
    const before = plan().draft?.document
    page.record(
      Planning.templateTaken({
        signature: 'corporate',
        taken: adoptedTemplateOf(adopted(), 'Corporate', true),
      }),
    )
    expect(page.state$.value.place.path).toBe('/signatures/id/corporate')
    const now = plan().draft?.document
    expect(now?.templates).toMatchObject(before?.templates ?? {})
    expect(now?.signatures.at(-1)).toMatchObject({
      name: 'Corporate 2',
      template: 'templates/corporate.html',
    })
    expect(now?.variables.at(-1)).toMatchObject({ path: 'mobile_phone', from: 'mobilePhone' })
    expect(Object.keys(plan().draft?.pictures ?? {})).toContain(bannerPicture.hash)
    expect(ports.drafts.content()).toMatchObject({ draft: { draft: { hasNewRules: true } } })
    expect(state().samples).toEqual([])
    expect(ports.log.lines.slice(logged)).toEqual([])
  })

  test('has a signature of a person who is not known, made without asking for the person', () => {
    const { page, ports } = open('/signatures/adopt')
    ports.folders.samples.answers(failing({ kind: 'defect', message: 'x' }), of([sample()]))
    page.record(Adoption.chosen({ files: folder }))
    expect(page.state$.value.adopting.reading).toMatchObject({ refusal: { reason: 'unreadable' } })
    page.record(Adoption.chosen({ files: folder }))
    ports.api.adopt.answers(of(adopted({ people: [null] })))
    const asked = ports.api.person.calls.length
    page.record(Adoption.requested())
    expect(loadedValue(page.state$.value.adopting.load)).toMatchObject({ person: null })
    expect(ports.api.person.calls).toHaveLength(asked)
  })

  test('has a block that is added, whose page opens', () => {
    const { page, plan } = begin()
    page.record(Planning.blockAdded({ block: 'notice', name: 'Notice', like: null }))
    page.record(Planning.blockAdded({ block: 'award', name: 'Award', like: 'notice' }))
    expect(page.state$.value.place.path).toBe('/blocks/id/award')
    expect(plan()).toMatchObject({ block: 'award', open: { path: 'templates/blocks/award.html' } })
  })

  test('has a banner over the picture that is chosen last, keeps its picture, and opens its page', () => {
    const { page, ports, plan } = open('/blocks/banner')
    page.record(Planning.blockAdded({ block: 'notice', name: 'Notice', like: null }))
    page.record(Place.linkFollowed({ to: '/blocks/banner' }))
    const first$ = new Subject<ChosenPicture | null>()
    ports.files.picture.answers(first$, of(chosen))
    page.record(Planning.pictureChosen({ picture: folder }))
    expect(plan().banner.status).toBe('pending')
    page.record(Planning.pictureChosen({ picture: folder }))
    first$.next(null)
    expect(plan().banner).toMatchObject({ status: 'success', value: chosen })
    expect(ports.files.picture.calls).toEqual([
      [folder, MAX_BANNER_BYTES],
      [folder, MAX_BANNER_BYTES],
    ])
    page.record(
      Planning.bannerAdded({
        block: 'fair',
        banner: {
          name: 'Fair',
          alt: 'Fair',
          address: null,
          isCounted: false,
          into: null,
          slot: 'banner',
          selection: { for: 'everyone', not: [] },
          during: null,
          recipients: 'everyone',
        },
      }),
    )
    expect(page.state$.value.place.path).toBe('/blocks/id/fair')
    expect(plan().draft?.document.blocks).toMatchObject([{ id: 'fair' }, { id: 'notice' }])
    const stored = ports.drafts.content()['draftPictures'] as Readonly<{ pictures: object }>
    expect(Object.keys(stored.pictures)).toEqual([HASH, chosen.hash])
    type(page, 'one')
    expect(ports.drafts.set.calls.filter(([key]) => key === 'draftPictures')).toHaveLength(2)
  })

  test('has a brand that is changed, with the templates that follow, and keeps both', () => {
    const { page, ports, plan, clock } = open('/signatures/brand')
    const change = (made: BrandChange) => {
      page.record(brandChangedIn(plan().draft?.document ?? expect.fail('no draft'), made))
    }
    change({ kind: 'colourAdded', name: 'Navy', colour: '#1f3a5f' })
    type(page, '<p style="color:navy;border-color:#1F3A5F">')
    change({ kind: 'colourChanged', from: 'Navy', name: 'Blue', colour: '#2563eb', isFollowed: true })
    const draft = {
      document: {
        brand: { colours: { Blue: '#2563eb' } },
        templates: { [PATH]: '<p style="color:navy;border-color:#2563eb">' },
      },
      edited: [PATH],
      hasNewRules: true,
    }
    expect(plan().draft).toMatchObject(draft)
    expect(ports.drafts.content()['draft']).toMatchObject({ draft })
    clock.advance(TYPING_PAUSE_MS)
    expect(plan().debounced).toBe(plan().draft?.document)
  })

  test('says why a file is no picture of a banner', () => {
    const { page, ports, plan } = open('/blocks/banner')
    ports.files.picture.answers(
      of(null),
      of({ ...chosen, base64: 'AAAA' }),
      failing({ kind: 'storage', action: 'read' }),
    )
    const refusals = [1, 2, 3].map(() => {
      page.record(Planning.pictureChosen({ picture: folder }))
      return plan().banner
    })
    expect(refusals).toMatchObject([
      { refusal: 'tooLarge' },
      { refusal: 'format' },
      { refusal: 'unreadable' },
    ])
  })

  test('has every picture that is given, one after the other, and says which files are none', () => {
    const { page, ports, plan } = open('/signatures/files')
    const give = (name: string) => page.record(Planning.pictureGiven({ name, picture: folder }))
    const first$ = new Subject<ChosenPicture | null>()
    ports.files.picture.answers(
      first$,
      of({ ...chosen, base64: 'AAAA' }),
      of(null),
      failing({ kind: 'storage', action: 'read' }),
    )
    for (const name of ['fair.png', 'a.svg', 'large.png', 'moved.png']) give(name)
    expect(plan().adding.pending).toBe(4)
    expect(ports.files.picture.calls).toEqual([[folder, MAX_GIVEN_PICTURE_BYTES]])
    first$.next(chosen)
    expect(plan().adding).toEqual({
      pending: 0,
      added: { path: 'fair.png', isNew: true },
      large: [],
      refused: [
        { name: 'a.svg', refusal: 'format' },
        { name: 'large.png', refusal: 'tooLarge' },
        { name: 'moved.png', refusal: 'unreadable' },
      ],
    })
    const stored = ports.drafts.content()['draftPictures'] as Readonly<{ pictures: object }>
    expect(stored.pictures).toHaveProperty([chosen.hash])
    page.record(Planning.picturesRemoved({ paths: ['fair.png'] }))
    expect(plan().draft?.document.pictures).not.toHaveProperty(['fair.png'])
  })

  test('has a picture beyond the limits scaled down, unless it is still too large then', () => {
    const { page, ports, plan } = open('/signatures/files')
    const heavy = Buffer.concat([Buffer.from(png(4_000, 3_000), 'base64'), Buffer.alloc(MAX_BANNER_BYTES)])
    const photo = { ...chosen, base64: heavy.toString('base64') }
    const raster = { type: 'image/png', width: 4_000, height: 3_000 }
    const to = { width: 880, height: 660 }
    const handles = Array.from({ length: 4 }, () => createHandle('x'))
    const photo$ = of(photo)
    ports.files.picture.answers(photo$, photo$, photo$, photo$, photo$, photo$, photo$)
    ports.pictures.scaled.answers(
      of({ ...chosen, hash: 'smaller', base64: png(880, 660) }),
      of(photo),
      failing({ kind: 'notLoaded' }),
    )
    for (const picture of handles) page.record(Planning.pictureGiven({ name: 'p.png', picture }))
    const large = handles.map((picture) => ({ name: 'p.png', picture, bytes: heavy.length, raster }))
    expect(plan().adding).toMatchObject({ pending: 0, added: null, large, refused: [] })
    expect(ports.pictures.scaled.calls).toEqual([])
    const [first, second, third, fourth] = handles
    const refusals = [first, second, third].map((picture) => {
      if (picture) page.record(Planning.largePictureWanted({ name: 'p.png', picture, ...to }))
      return plan().adding.refused.map(({ refusal }) => refusal)
    })
    expect(refusals).toEqual([[], ['tooLarge'], ['notScaled']])
    expect(ports.pictures.scaled.calls[0]).toEqual([{ ...photo, raster }, to])
    expect(plan().draft?.document.pictures).toMatchObject({ 'fair.png': 'smaller' })
    if (fourth) page.record(Planning.largePictureLeftOut({ picture: fourth }))
    expect(plan().adding.large).toEqual([])
    expect(ports.files.picture.calls).toHaveLength(7)
  })

  test('has a smaller copy of a picture, but only one that is lighter', () => {
    const { page, ports, plan } = open('/signatures/files')
    const large = Buffer.concat([Buffer.from(png(900, 300), 'base64'), Buffer.alloc(3)]).toString('base64')
    ports.files.picture.answers(of({ ...chosen, base64: large }))
    page.record(Planning.pictureGiven({ name: 'fair.png', picture: folder }))
    const to = { width: 440, height: 147 }
    const copy = { ...chosen, hash: 'copy' }
    ports.pictures.scaled.answers(
      of({ ...copy, base64: large }),
      of({ ...copy, base64: 'AAAA' }),
      failing({ kind: 'notLoaded' }),
      of({ ...copy, base64: png(440, 147) }),
    )
    const refusals = [1, 2, 3, 4].map(() => {
      page.record(Planning.smallerPictureWanted({ path: 'fair.png', ...to }))
      return plan().adding.refused.map(({ name, refusal }) => `${name}: ${refusal}`)
    })
    expect(refusals).toEqual([['fair.png: notLighter'], ['fair.png: notScaled'], ['fair.png: notScaled'], []])
    expect(plan().adding).toMatchObject({ pending: 0, added: { path: 'fair-440.png', isNew: true } })
    expect(plan().draft?.document.pictures).toMatchObject({
      'fair.png': chosen.hash,
      'fair-440.png': 'copy',
    })
    const raster = { type: 'image/png', width: 900, height: 300 }
    expect(ports.pictures.scaled.calls[0]).toEqual([{ ...chosen, base64: large, raster }, to])
    page.record(Planning.smallerPictureWanted({ path: 'gone.png', ...to }))
    expect(ports.pictures.scaled.calls).toHaveLength(4)
    const stored = ports.drafts.content()['draftPictures'] as Readonly<{ pictures: object }>
    expect(stored.pictures).toHaveProperty(['copy'])
  })

  test('has a banner over a picture of the draft, whatever file was chosen before', () => {
    const { page, ports, plan } = open('/blocks/banner')
    const first$ = new Subject<ChosenPicture | null>()
    ports.files.picture.answers(first$, of({ ...chosen, hash: 'other' }))
    page.record(Planning.pictureChosen({ picture: folder }))
    page.record(Planning.pictureGiven({ name: 'fair.png', picture: folder }))
    page.record(Planning.draftPictureChosen({ path: 'fair.png' }))
    first$.next(null)
    expect(plan().banner).toMatchObject({ status: 'success', value: { name: 'fair.png' } })
  })

  test('takes the text of signet.yaml that the service has read, and is written as that text', () => {
    const { page, ports, plan } = open('/signatures/files/signet.yaml')
    const rules = () => page.state$.value.rulesFile
    expect(ports.api.writtenYaml.calls).toEqual([[releaseDocument, null]])
    expect(rules().load).toEqual({ status: 'success', value: WRITTEN })
    page.record(RulesFileEdits.typed({ text: yaml }))
    const document = { ...releaseDocument, signatures: releaseDocument.signatures.slice(0, 1) }
    const finding = {
      file: 'signet.yaml',
      line: 1,
      column: 1,
      level: 'error',
      rule: 'x',
      message: 'No.',
    } as const
    ports.api.readYaml.answers(of({ document: null, findings: [finding] }), of({ document, findings: [] }))
    page.record(RulesFileApplying.requested({ yaml }))
    expect(ports.api.readYaml.calls).toEqual([[yaml, null, releaseDocument]])
    expect(rules()).toMatchObject({ typed: yaml, findings: [finding], taking: { status: 'idle' } })
    expect(plan().draft?.document).toBe(releaseDocument)
    page.record(RulesFileApplying.requested({ yaml }))
    expect(rules()).toMatchObject({ typed: null, findings: [], taking: { status: 'success' } })
    expect(plan().draft).toMatchObject({ document, yaml, hasNewRules: true })
    // A form changes the rules; the page of the file shows the text for them.
    page.record(Planning.signatureChanged({ signature: 'a', changes: { name: 'New' } }))
    page.record(Place.linkFollowed({ to: '/signatures' }))
    page.record(Place.linkFollowed({ to: '/signatures/files/signet.yaml' }))
    expect(ports.api.writtenYaml.calls.at(-1)).toEqual([plan().draft?.document, yaml])
  })

  test('begins from a folder that the service read and checked, over what is published', () => {
    const { page, ports, plan } = open()
    const finding = { file: PATH, line: 1, column: 1, level: 'warning', rule: 'x', message: 'Look.' } as const
    ports.folders.read.answers(of(read))
    ports.api.readFolder.answers(of({ document: releaseDocument, pictures, yaml, findings: [finding] }))
    page.record(Planning.folderChosen({ folder }))
    expect(ports.api.readFolder.calls).toEqual([[read.files, WORK]])
    expect(plan()).toMatchObject({
      draft: { base: releases().current, folder: 'autumn', document: releaseDocument, yaml },
      findings: [finding],
    })
  })

  test('does not begin from a folder that is refused or cannot be read, and says why', () => {
    const { page, ports, plan } = open('/now')
    ports.folders.read.answers(of({ reason: 'noFolder' } as const))
    page.record(Planning.folderChosen({ folder }))
    expect(plan().beginning).toEqual({ status: 'refused', refusal: { reason: 'noFolder' } })
    expect(ports.api.readFolder.calls).toEqual([])
    const finding = { file: PATH, line: 1, column: 1, level: 'error', rule: 'x', message: 'No.' } as const
    ports.folders.read.answers(of(read))
    ports.api.readFolder.answers(of({ document: null, pictures: {}, yaml: null, findings: [finding] }))
    page.record(Planning.folderChosen({ folder }))
    expect(plan().beginning).toEqual({ status: 'notRead', findings: [finding] })
    ports.api.readFolder.answers(failing({ kind: 'network' }))
    page.record(Planning.folderChosen({ folder }))
    expect(plan().beginning).toEqual({ status: 'fail', failure: { kind: 'network' } })
    expect(plan().draft).toBeNull()
  })

  test('is that of the last choice: what was chosen before it does not replace it later', () => {
    const { page, ports, plan } = open('/now')
    const read$ = new Subject<typeof read>()
    ports.folders.read.answers(read$)
    ports.api.readFolder.answers(of({ document: releaseDocument, pictures, yaml, findings: [] }))
    page.record(Planning.folderChosen({ folder }))
    page.record(Planning.publishedChosen())
    type(page, 'one')
    const typed = plan().draft
    read$.next(read)
    expect(plan().draft).toBe(typed)
    expect(plan().draft?.folder).toBeNull()
  })

  test('is none when the session ends before it begins', () => {
    const { page, ports, plan } = open('/now')
    const exported$ = new Subject<typeof exported>()
    ports.api.exported.answers(exported$)
    page.record(Planning.publishedChosen())
    page.record(Session.signOutRequested())
    exported$.next(exported)
    expect(plan().draft).toBeNull()
    expect(ports.drafts.set.calls).toEqual([])
  })

  test('is there again at the next visit as it was typed last, with its pictures written once', () => {
    const { page, ports, plan } = begin()
    type(page, 'one')
    type(page, 'two')
    const kept = plan().draft
    page.stop()
    const again = { ...fakeAdministrationPorts(createClock(NOON)), drafts: ports.drafts }
    const later = startAdministrationAt('/plan', again)
    expect(later.state$.value.plan.draft).toEqual(kept)
    expect(later.state$.value.plan).toMatchObject({ wasRestored: true, draft: { edited: [PATH] } })
    expect(ports.drafts.set.calls.filter(([key]) => key === 'draftPictures')).toHaveLength(1)
  })

  test('is not read by an administrator of another organisation', () => {
    const { page, ports } = begin()
    type(page, 'one')
    page.stop()
    const others = { ...fakeAdministrationPorts(createClock(NOON)), drafts: ports.drafts }
    others.api.me.answers(of(me({ organisation: 'Contoso' })))
    const theirs = startAdministrationAt('/plan', others)
    expect(theirs.state$.value.plan).toMatchObject({ draft: null, wasRestored: false })
  })

  test('is written as it is then when a write ends, however much was typed meanwhile', () => {
    const { page, ports, plan } = begin()
    const write$ = new Subject<'kept'>()
    ports.drafts.set.answers(write$, of('kept'))
    type(page, 'one')
    type(page, 'two')
    type(page, 'three')
    // Pictures first, then the draft; a copy of what is published was not written.
    expect(ports.drafts.set.calls.length).toBe(1)
    write$.next('kept')
    write$.complete()
    expect(ports.drafts.set.calls.length).toBe(3)
    expect(ports.drafts.set.calls.at(-1)).toMatchObject([
      'draft',
      { draft: { document: plan().draft?.document } },
    ])
  })

  test('that the browser does not take says so, and says when it does again', () => {
    const { page, ports, plan } = begin()
    ports.drafts.set.answers(of('refused'), of('kept'))
    type(page, 'one')
    expect(plan().kept).toBe('refused')
    type(page, 'two')
    expect(plan().kept).toBe('kept')
  })

  test('has its pictures written again with the next edit after the browser refused them', () => {
    const { page, ports, plan } = open()
    ports.drafts.set.answers(of('refused'), of('kept'))
    type(page, 'zero')
    expect(plan().kept).toBe('refused')
    type(page, 'one')
    expect(plan().kept).toBe('kept')
    const keys = ports.drafts.set.calls.map(([key]) => key)
    expect(keys).toEqual(['draftPictures', 'draft', 'draftPictures', 'draft'])
    type(page, 'two')
    expect(ports.drafts.set.calls.at(-1)?.[0]).toBe('draft')
    expect(ports.drafts.set.calls).toHaveLength(5)
  })

  test('is removed from the browser when it is discarded, also while it is written', () => {
    const { page, ports } = begin()
    const write$ = new Subject<'kept'>()
    ports.drafts.set.answers(write$)
    type(page, 'one')
    page.record(Planning.discarded())
    write$.next('kept')
    write$.complete()
    expect(ports.drafts.content()).toEqual({})
  })

  test('outlives a sign-in that expires, and a sign-out', () => {
    const { page, ports, plan } = begin()
    type(page, 'one')
    ports.api.plan.answers(failing({ kind: 'http', status: 401, code: 'invalid_token', data: null }))
    page.record(Planning.planRequested())
    expect(page.state$.value.session.status).toBe('out')
    expect(plan().draft?.document.templates[PATH]).toBe('one')
    page.record(Session.signInRequested())
    expect(plan().draft?.document.templates[PATH]).toBe('one')
    page.record(Session.signOutRequested())
    expect(plan().draft).toBeNull()
    page.record(Session.signInRequested())
    expect(plan()).toMatchObject({ wasRestored: true, draft: { edited: [PATH] } })
    expect(plan().draft?.document.templates[PATH]).toBe('one')
  })

  test('is computed once the typing pauses', () => {
    const { page, clock, plan } = begin()
    type(page, 'one')
    clock.advance(TYPING_PAUSE_MS - 1)
    type(page, 'two')
    clock.advance(TYPING_PAUSE_MS - 1)
    expect(plan().debounced).toBe(releaseDocument)
    clock.advance(1)
    expect(plan().debounced?.templates[PATH]).toBe('two')
  })
})

describe('the preview', () => {
  test('is for a person who is found once the typing pauses', () => {
    const { page, ports, clock, plan } = begin()
    ports.api.findPeople.answers(of({ people: [found('p-ana')], next: null }))
    ports.api.person.answers(of(explained()))
    page.record(Planning.personSearched({ text: 'a' }))
    clock.advance(SEARCH_PAUSE_MS - 1)
    page.record(Planning.personSearched({ text: 'an' }))
    clock.advance(SEARCH_PAUSE_MS)
    expect(ports.api.findPeople.calls).toEqual([['an', null]])
    expect(plan().search.found).toEqual({ status: 'success', value: [found('p-ana')] })
    page.record(Planning.personChosen({ person: 'p-ana' }))
    expect(ports.api.person.calls.at(-1)).toEqual(['p-ana', null])
    expect(plan().person.load).toEqual({ status: 'success', value: explained().person })
    expect(plan().search).toEqual({ text: '', found: { status: 'idle' } })
  })

  test('is written by a person who is chosen, until nobody in particular is', () => {
    const { page, ports, clock, plan } = begin()
    ports.api.findPeople.answers(of({ people: [found('p-ana')], next: null }))
    ports.api.person.answers(of(explained()))
    page.record(Planning.personSearched({ text: 'an' }))
    page.record(Planning.writerChosen({ person: 'p-ana' }))
    clock.advance(SEARCH_PAUSE_MS)
    expect(ports.api.findPeople.calls).toEqual([])
    expect(ports.api.person.calls.at(-1)).toEqual(['p-ana', null])
    expect(plan().writer).toEqual({
      wanted: 'p-ana',
      load: { status: 'success', value: explained().person },
    })
    ports.api.person.answers(failing({ kind: 'network' }))
    page.record(Planning.writerChosen({ person: 'p-ben' }))
    expect(plan().writer).toMatchObject({ wanted: 'p-ben', load: { status: 'fail' } })
    const { length } = ports.api.person.calls
    page.record(Planning.writerChosen({ person: null }))
    expect(plan().writer).toEqual({ wanted: null, load: { status: 'idle' } })
    expect(ports.api.person.calls).toHaveLength(length)
  })

  describe('of a signature that the administrator does not have', () => {
    const [, sales] = releaseDocument.signatures
    const notSales = explained({ person: { ...explained().person, groups: [] } })
    const start = (answer: Observable<FoundPerson | null>) => {
      const opened = open('/signatures/id/b')
      opened.ports.api.person.answers((person) => of(person === 'p-ana' ? explained() : notSales))
      opened.ports.api.matchingPerson.answers(answer)
      opened.page.record(Planning.selfChosen())
      return opened
    }

    test('is offered for a person who has it, who is sought once', () => {
      const { page, ports, plan, clock } = start(of(found('p-ana')))
      expect(ports.api.matchingPerson.calls).toEqual([[sales?.selection]])
      expect(plan().holder.load).toEqual({ status: 'success', value: found('p-ana') })
      page.record(Planning.personChosen({ person: 'p-ana' }))
      page.record(Planning.selfChosen())
      type(page, 'one')
      clock.advance(TYPING_PAUSE_MS)
      expect(ports.api.matchingPerson.calls).toHaveLength(1)
    })

    test('is offered for another person once other rules are written', () => {
      const { page, ports, clock } = start(of(null))
      const selection = { for: [[{ by: 'group' as const, values: ['press'] }]], not: [] }
      page.record(Planning.signatureChanged({ signature: 'b', changes: { selection } }))
      expect(ports.api.matchingPerson.calls).toHaveLength(1)
      clock.advance(TYPING_PAUSE_MS)
      expect(ports.api.matchingPerson.calls).toEqual([[sales?.selection], [selection]])
    })

    test('is sought again only when the administrator says so after a failure', () => {
      const { page, ports, plan } = start(failing({ kind: 'network' }))
      page.record(Planning.selfChosen())
      expect([ports.api.matchingPerson.calls.length, plan().holder.load.status]).toEqual([1, 'fail'])
      page.record(Planning.holderRetried())
      expect(ports.api.matchingPerson.calls).toHaveLength(2)
    })

    test('is not sought for an administrator whose session has ended', () => {
      const { ports, page, plan } = start(failing({ kind: 'auth', code: 'login_required' }))
      expect(page.state$.value.session.status).toBe('out')
      expect(plan().holder.load).toEqual({ status: 'idle' })
      expect(ports.api.matchingPerson.calls).toHaveLength(1)
    })
  })

  test('is not for a person who was found late', () => {
    const { page, ports, clock, plan } = begin()
    ports.api.findPeople.answers(of({ people: [found('p-ana')], next: null }))
    page.record(Planning.personSearched({ text: 'a' }))
    page.record(Planning.sampleChosen())
    clock.advance(SEARCH_PAUSE_MS)
    page.record(Planning.personSearched({ text: 'b' }))
    page.record(Planning.selfChosen())
    clock.advance(SEARCH_PAUSE_MS)
    expect(ports.api.findPeople.calls).toEqual([])
    expect(plan().search).toEqual({ text: '', found: { status: 'idle' } })
  })

  test('is for the administrator from the beginning of a draft, by the address of the sign-in', () => {
    const { page, ports, plan } = open('/now')
    ports.api.person.answers(of(explained()))
    expect(ports.api.person.calls).toEqual([])
    page.record(Planning.publishedChosen())
    expect(ports.api.person.calls).toEqual([[me().name, null]])
    expect(plan().person).toEqual({
      wanted: 'self',
      load: { status: 'success', value: explained().person },
    })
    page.record(Planning.sampleChosen())
    expect(ports.api.person.calls).toHaveLength(1)
    page.record(Planning.selfChosen())
    expect(ports.api.person.calls.at(-1)).toEqual([me().name, null])
  })

  test('waits for the next session, when the session ends before the administrator is read', () => {
    const { page, ports, plan } = open('/now')
    const read$ = new Subject<ReturnType<typeof explained>>()
    ports.api.person.answers(read$, of(explained()))
    ports.api.plan.answers(failing({ kind: 'http', status: 401, code: 'invalid_token', data: null }))
    page.record(Planning.publishedChosen())
    page.record(Planning.planRequested())
    read$.next(explained())
    expect(plan().person).toEqual({ wanted: 'self', load: { status: 'idle' } })
    page.record(Session.signInRequested())
    expect(ports.api.person.calls).toHaveLength(2)
    expect(plan().person.load.status).toBe('success')
  })
})

describe('a plan', () => {
  function make() {
    const opened = begin()
    opened.ports.api.plan.answers(of(planOf()))
    opened.page.record(Planning.planRequested())
    return opened
  }

  test('is made of the draft after the pictures that the service does not have', () => {
    const { page, ports, plan } = begin()
    type(page, 'one')
    ports.api.missingPictures.answers(of([HASH]))
    ports.api.plan.answers(of(planOf()))
    page.record(Planning.planRequested())
    const { document } = plan().draft ?? draftOf()
    expect(ports.sent.map(({ name, args }) => [name, args]).slice(-3)).toEqual([
      ['api.missingPictures', [[HASH]]],
      ['api.sendPictures', [{ [HASH]: pictures[HASH]?.base64 }]],
      ['api.plan', [document, null, WORK]],
    ])
    expect(plan().made).toEqual({ status: 'success', value: { plan: planOf(), document } })
  })

  test('leads to the place that the service refuses', () => {
    const { page, ports, plan } = begin()
    const data = { code: 'template_invalid', message: `${PATH}:1:4: There is no variable "phon".` }
    ports.api.plan.answers(failing({ kind: 'http', status: 422, code: 'template_invalid', data }))
    page.record(Planning.planRequested())
    expect(plan().findings).toMatchObject([{ file: PATH, line: 1, column: 4, level: 'error' }])
    ports.api.plan.answers(failing({ kind: 'network' }))
    page.record(Planning.planRequested())
    expect(plan().made).toEqual({ status: 'fail', failure: { kind: 'network' } })
  })

  test('reads its people while they are shown, one page after the other', () => {
    const { page, ports, plan } = make()
    const some = (start: number, count: number) =>
      Array.from({ length: count }, (_, at) => personPlan(`p-${String(start + at)}`))
    ports.api.planPeople.answers(
      of({ people: some(0, 70), next: 'a' }),
      of({ people: [], next: 'b' }),
      of({ people: some(70, 20), next: null }),
    )
    expect(ports.api.planPeople.calls).toEqual([])
    page.record(PlannedPeople.shown({ plan: planOf().id, from: 0 }))
    expect(ports.api.planPeople.calls).toEqual([[planOf().id, null]])
    page.record(PlannedPeople.shown({ plan: planOf().id, from: PEOPLE_PER_PAGE }))
    expect(ports.api.planPeople.calls).toEqual([
      [planOf().id, null],
      [planOf().id, 'a'],
      [planOf().id, 'b'],
    ])
    expect(plan().people).toMatchObject({ load: { status: 'success' }, next: null })
    expect(plan().people.items).toEqual(some(0, 90))
  })

  test('shows people once more after a page that failed', () => {
    const { page, ports, plan } = make()
    ports.api.planPeople.answers(
      failing({ kind: 'network' }),
      of({ people: [personPlan('p-1')], next: null }),
    )
    page.record(PlannedPeople.shown({ plan: planOf().id, from: 0 }))
    expect(plan().people.load).toMatchObject({ status: 'fail', failure: { kind: 'network' } })
    page.record(PlannedPeople.shown({ plan: planOf().id, from: 0 }))
    expect(plan().people.items).toEqual([personPlan('p-1')])
  })

  test('is published once, with its note, and the draft is then what is published', () => {
    const { page, ports, plan } = make()
    const publish$ = new Subject<AnswerOf<'publish'>>()
    ports.api.publish.answers(publish$)
    page.record(Publishing.requested({ note: 'Autumn fair', all: false }))
    page.record(Publishing.requested({ note: 'again', all: false }))
    expect(ports.api.publish.calls).toEqual([[planOf().id, { note: 'Autumn fair', all: false }, WORK]])
    publish$.next({ release: planOf().release, history: releases().history.slice(0, 1) })
    expect(loadedValue(page.state$.value.releases)).toMatchObject({
      current: planOf().release,
      history: releases().history.slice(0, 1),
    })
    expect(plan()).toMatchObject({ published: planOf().release, draft: { base: planOf().release } })
    expect(ports.drafts.content()).toEqual({})
  })

  test('of a draft that was changed since is not published', () => {
    const { page, ports } = make()
    type(page, 'one')
    page.record(Publishing.requested({ note: '', all: false }))
    expect(ports.api.publish.calls).toEqual([])
  })
})

describe('a folder', () => {
  const files = { 'signet.yaml': 'eA==' }

  test('is saved of the draft, with the pictures that the service does not have', () => {
    const { page, ports, plan } = begin()
    type(page, 'one')
    ports.api.missingPictures.answers(of([HASH]))
    ports.api.writtenFolder.answers(of(files))
    ports.folders.pack.answers(of(Uint8Array.of(1)))
    page.record(FolderExport.requested({ source: 'draft' }))
    expect(ports.api.writtenFolder.calls).toEqual([
      [plan().draft?.document, { [HASH]: pictures[HASH]?.base64 }, null],
    ])
    expect(ports.folders.pack.calls).toEqual([['signatures', files]])
    expect(ports.downloads.save.calls).toEqual([
      [{ name: 'signatures.zip', mediaType: 'application/zip', content: Uint8Array.of(1) }],
    ])
    expect(plan().exporting).toEqual({ source: 'draft', attempt: { status: 'success' } })
  })

  test('is saved of a draft of a folder with its signet.yaml, which the service changes', () => {
    const { page, ports, plan } = open()
    ports.folders.read.answers(of(read))
    ports.api.readFolder.answers(of({ document: releaseDocument, pictures, yaml, findings: [] }))
    page.record(Planning.folderChosen({ folder }))
    ports.api.missingPictures.answers(of([]))
    ports.api.writtenFolder.answers(of(files))
    ports.folders.pack.answers(of(Uint8Array.of(1)))
    page.record(FolderExport.requested({ source: 'draft' }))
    expect(ports.api.writtenFolder.calls).toEqual([[plan().draft?.document, {}, yaml]])
  })

  test('is saved of what is published, whatever the draft is', () => {
    const { page, ports } = begin()
    type(page, 'one')
    ports.api.writtenFolder.answers(of(files))
    ports.folders.pack.answers(of(Uint8Array.of(1)))
    page.record(FolderExport.requested({ source: 'published' }))
    expect(ports.api.writtenFolder.calls).toEqual([[releaseDocument, {}, null]])
  })

  test('is saved as it was asked for last: an earlier answer is not taken for it', () => {
    const { page, ports, plan } = begin()
    const draft$ = new Subject<typeof files>()
    ports.api.writtenFolder.answers(draft$, of(files))
    ports.folders.pack.answers(of(Uint8Array.of(1)))
    page.record(FolderExport.requested({ source: 'draft' }))
    page.record(FolderExport.requested({ source: 'published' }))
    draft$.next(files)
    expect(ports.api.writtenFolder.calls.map(([document]) => document)).toEqual([
      plan().draft?.document,
      releaseDocument,
    ])
    expect(ports.downloads.save.calls).toHaveLength(1)
    expect(plan().exporting).toEqual({ source: 'published', attempt: { status: 'success' } })
  })

  test('that is not written says so', () => {
    const { page, ports, plan } = begin()
    ports.api.writtenFolder.answers(failing({ kind: 'network' }))
    page.record(FolderExport.requested({ source: 'draft' }))
    expect(plan().exporting?.attempt).toEqual({ status: 'fail', failure: { kind: 'network' } })
  })
})

test('pictures are sent in parts that a request takes, each picture once', () => {
  const large = 'x'.repeat(5_000_000)
  const parts = splitIntoUploads({ a: large, b: large, c: 'y', d: large, e: 'z'.repeat(9_000_000) })
  expect(parts.map((part) => Object.keys(part))).toEqual([['a'], ['b', 'c'], ['d'], ['e']])
  expect(splitIntoUploads({})).toEqual([])
})

test('an answer that comes after the draft was discarded changes nothing', () => {
  const { page, ports, plan } = begin()
  const answer$ = new Subject<ReturnType<typeof planOf>>()
  ports.api.plan.answers(answer$)
  page.record(Planning.planRequested())
  page.record(Planning.discarded())
  answer$.next(planOf())
  expect(plan().made).toEqual({ status: 'idle' })
  ports.api.plan.answers(NEVER)
})
