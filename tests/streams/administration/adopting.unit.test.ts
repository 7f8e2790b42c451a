import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  adoptRequestOf,
  originalSignatureOf,
  adoptedTemplateOf,
} from '../../../streams/administration/plan/adopting.ts'
import { Adoption, planDomains, Planning } from '../../../streams/administration/plan/events.ts'
import { MAX_FOLDER_BYTES } from '../../../streams/administration/plan/folder.ts'
import { type ReadSample, findSamples } from '../../../streams/administration/plan/samples.ts'
import { isKnownEventType } from '../../../streams/pane/redact.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { MAX_SAMPLES } from '../../../streams/wire/administration/adopting.ts'
import { ADOPTED_PICTURE, adopted, adoptedFor, sample } from '../../support/administration/adoptions.ts'
import { bannerPicture, draftOf } from '../../support/administration/plans.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const after = (...events: readonly AdministrationEvent[]) =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).adopting
const among = (...paths: readonly string[]) => {
  const found = findSamples(paths.map((path) => ({ path, size: 1 })))
  return 'reason' in found ? found.reason : found.map(({ paths: own }) => [...own.values()])
}
const read = Adoption.read({ samples: [sample(), sample({ name: 'last-week.eml' })] })
const failure = { kind: 'network' } as const

describe('what an adopted signature has of people', () => {
  test('is in no field that an exported log would show, and an exported log has no event of the page', () => {
    const fields = [Planning.templateTaken, Adoption.loaded, Adoption.read, Adoption.personGiven].flatMap(
      ({ fields: each }) => Object.entries(each),
    )
    expect(fields).toEqual([
      ['signature', 'signature'],
      ['taken', 'taken'],
      ['value', 'adopted'],
      ['samples', 'sample[]'],
      ['sample', 'open'],
      ['person', 'person?'],
    ])
    const types = planDomains.flatMap((domain) => Object.values(domain)).flatMap((each) => each.type ?? [])
    expect(types).toContain(Planning.templateTaken.type)
    expect(types.filter(isKnownEventType)).toEqual([])
  })
})

describe('[ADOPT-1] the signatures among chosen files', () => {
  test('are those of Outlook with the pictures of their folders, in every language, and mails', () => {
    expect(
      among(
        'Signatures/Corporate.htm',
        'Signatures/Corporate.rtf',
        'Signatures/Corporate_files/image001.png',
        'Signatures/Corporate_files/filelist.xml',
        'Signatures/Corporate_files/header.htm',
        'Signatures/Kurz.htm',
        'Signatures/Kurz-Dateien/image001.JPG',
        'Signatures/.DS_Store.htm',
        'mails/week.eml',
        'mails/week.msg',
      ),
    ).toEqual([
      ['Corporate.htm', 'Corporate_files/image001.png'],
      ['Kurz.htm', 'Kurz-Dateien/image001.JPG'],
      ['week.eml'],
      ['week.msg'],
    ])
    expect(among('a\\b.html', 'a\\b_files\\c.gif')).toEqual([['b.html', 'b_files/c.gif']])
  })

  test('have all pictures when there is one alone, because a browser names chosen files without their folder', () => {
    expect(among('image001.png', 'Corporate.htm')).toEqual([['Corporate.htm', 'image001.png']])
    expect(among('image001.png', 'A.htm', 'B.htm')).toEqual([['A.htm'], ['B.htm']])
    expect(among('Corporate_files/image001.png', 'Corporate_files/filelist.xml')).toEqual([
      ['Corporate_files/image001.png'],
    ])
    expect(among('image001.png', 'week.eml')).toEqual([['week.eml']])
  })

  test('are refused when there is none, too many, or too much, before they are read', () => {
    expect(among()).toBe('noSignature')
    expect(among('a.txt')).toBe('noSignature')
    const many = (count: number) => Array.from({ length: count }, (_, index) => `${String(index)}.eml`)
    expect(among(...many(MAX_SAMPLES))).toHaveLength(MAX_SAMPLES)
    expect(findSamples(many(MAX_SAMPLES + 1).map((path) => ({ path, size: 1 })))).toEqual({
      reason: 'tooMany',
      limit: MAX_SAMPLES,
    })
    const of = (size: number) => findSamples([{ path: 'a.eml', size }])
    expect(of(MAX_FOLDER_BYTES)).toHaveLength(1)
    expect(of(MAX_FOLDER_BYTES + 1)).toEqual({ reason: 'tooLarge', limit: MAX_FOLDER_BYTES })
  })

  test('have each file once in a sample, and the signature first, whatever the names are', () => {
    const path = fc.array(fc.constantFrom('a', 'a_files', 'b', 'a.htm', 'x.png', 'y.eml', 'a.htm_x', '..'), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.uniqueArray(path.map((parts) => parts.join('/'))), (paths) => {
        const found = findSamples(paths.map((each) => ({ path: each, size: 1 })))
        if ('reason' in found) return
        for (const { paths: own } of found) {
          const [first = ''] = own.keys()
          expect(first).toMatch(/\.(htm|eml|png)$/)
          for (const key of own.keys()) expect(paths).toContain(key)
        }
      }),
    )
  })
})

describe('a picture folder that is chosen behind its signature', () => {
  const file = (path: string) => ({ path, base64: 'AAAA' })
  const signature = (name: string) => ({ name, files: [file(name)] })
  const folder = (...paths: readonly string[]) => ({ name: null, files: paths.map(file) })
  const pathsAfter = (...samples: readonly ReadSample[]) => {
    const { samples: read, reading } = after(...samples.map((each) => Adoption.read({ samples: [each] })))
    return [reading.status, ...read.map(({ files }) => files.map(({ path }) => path).join(' '))]
  }

  test('brings its pictures to the signature beside it, each once', () => {
    const [one, other] = [signature('A.htm'), signature('B.htm')]
    expect(pathsAfter(one, other, folder('B_files/1.png'), folder('B_files/1.png'))).toEqual([
      ...['idle', 'A.htm', 'B.htm B_files/1.png'],
    ])
    expect(pathsAfter(one, folder('pictures/1.png'))).toEqual(['idle', 'A.htm pictures/1.png'])
  })

  test('brings pictures that are of no signature to all of them, also to mails', () => {
    expect(
      pathsAfter(signature('A.htm'), signature('B.htm'), signature('c.eml'), folder('C/logo.png')),
    ).toEqual([...['idle', 'A.htm C/logo.png', 'B.htm C/logo.png', 'c.eml C/logo.png']])
    expect(among('A.htm', 'B.htm', 'logo.png', 'B_files/map.png')).toEqual([
      ['A.htm', 'logo.png'],
      ['B.htm', 'logo.png', 'B_files/map.png'],
    ])
  })

  test('is refused where it belongs to none: Outlook numbers the pictures of each signature anew', () => {
    expect(pathsAfter(folder('A_files/1.png'))).toEqual(['refused'])
    expect(pathsAfter(signature('a.eml'), folder('x/image001.png'))).toEqual(['refused', 'a.eml'])
    expect(pathsAfter(signature('A.htm'), signature('B.htm'), folder('C/image001.png'))).toEqual([
      ...['refused', 'A.htm', 'B.htm'],
    ])
  })

  test('may have files that are no pictures, but not those of Outlook', () => {
    expect(among('logo.svg', 'letter.pdf', 'filelist.xml', 'A.rtf')).toEqual([['logo.svg', 'letter.pdf']])
    expect(among('filelist.xml')).toBe('noSignature')
    expect(among('A.htm', 'logo.svg', 'letter.pdf')).toEqual([['A.htm', 'logo.svg']])
  })
})

describe('what is adopted', () => {
  test('is chosen in several steps, and asked for with its people, the beginning and the variables', () => {
    const state = after(
      ...[Adoption.chosen({ files: createHandle('x') }), read],
      Adoption.personGiven({ sample: 1, person: 'ana@in.example' }),
      Adoption.beginningTyped({ from: ' Regards ' }),
      Adoption.requested(),
    )
    expect(state).toMatchObject({ reading: { status: 'idle' }, load: { status: 'pending' } })
    expect(adoptRequestOf(state, [])).toEqual({
      samples: [
        { files: sample().files, person: null },
        { files: sample().files, person: 'ana@in.example' },
      ],
      from: 'Regards',
      variables: [],
    })
    expect(adoptRequestOf({ ...state, from: ' ' }, []).from).toBeNull()
  })

  test.each<readonly [what: string, event: AdministrationEvent]>([
    ['another sample', Adoption.read({ samples: [sample()] })],
    ['one sample less', Adoption.sampleRemoved({ sample: 0 })],
    ['another person', Adoption.personGiven({ sample: 0, person: null })],
    ['another beginning', Adoption.beginningTyped({ from: 'x' })],
  ])('is out of date with %s, also while it is asked for', (_, event) => {
    const loaded = Adoption.loaded({ value: adoptedFor() })
    expect(after(read, Adoption.requested(), loaded).load).toMatchObject({ status: 'success' })
    expect(after(read, Adoption.requested(), loaded, event).load).toEqual({ status: 'idle' })
    expect(after(read, Adoption.requested(), event, loaded).load).toEqual({ status: 'idle' })
    expect(after(read, Adoption.requested(), event, Adoption.loadFailed({ failure })).load).toEqual({
      status: 'idle',
    })
  })

  test('is made again with pictures that are given to it, and stays until then', () => {
    const value = adoptedFor()
    const made = [read, Adoption.requested(), Adoption.loaded({ value })] as const
    const given = Adoption.picturesGiven({ files: createHandle('x') })
    const pictures = Adoption.read({ samples: [sample({ name: null })] })
    expect(after(...made, given)).toMatchObject({ givenTo: 'result', load: { status: 'success' } })
    expect(after(...made, given, pictures).load).toEqual({ status: 'pending', asked: 4, value })
    expect(after(...made, given, Adoption.chosen({ files: createHandle('x') }), pictures).load).toEqual({
      status: 'idle',
    })
    expect(after(read, given, pictures).load).toEqual({ status: 'idle' })
    const refused = after(...made, given, Adoption.refused({ refusal: { reason: 'noSignature' } }))
    expect(refused).toMatchObject({ reading: { status: 'refused' }, load: { status: 'success', value } })
  })

  test('is asked for once at a time, not without a sample, and again after a failure', () => {
    expect(after(Adoption.requested()).load).toEqual({ status: 'idle' })
    expect(after(read, Adoption.requested(), Adoption.requested()).load).toEqual({
      status: 'pending',
      asked: 1,
    })
    const failed = after(read, Adoption.requested(), Adoption.loadFailed({ failure }))
    expect(failed.load).toEqual({ status: 'fail', failure })
    expect(
      after(read, Adoption.requested(), Adoption.loadFailed({ failure }), Adoption.requested()).load,
    ).toMatchObject({ status: 'pending' })
  })

  test('keeps its samples when others cannot be added, and forgets all once the draft has it', () => {
    const many = Adoption.read({ samples: Array.from({ length: MAX_SAMPLES }, () => sample()) })
    expect(after(read, many)).toMatchObject({
      samples: { length: 2 },
      reading: { status: 'refused', refusal: { reason: 'tooMany', limit: MAX_SAMPLES } },
    })
    expect(after(read, Adoption.refused({ refusal: { reason: 'unreadable' } }))).toMatchObject({
      samples: { length: 2 },
      reading: { status: 'refused' },
    })
    const taken = Planning.templateTaken({
      signature: 'new',
      taken: adoptedTemplateOf(adopted(), 'New', true),
    })
    expect(after(Planning.draftBegun({ draft: draftOf(), findings: [] }), read, taken).samples).toEqual([])
    expect(after(read, Planning.discarded()).samples).toEqual([])
  })

  test('changes nothing for a sample that is not there', () => {
    const before = after(read)
    expect(after(read, Adoption.sampleRemoved({ sample: 2 }))).toEqual(before)
    expect(after(read, Adoption.personGiven({ sample: 2, person: 'a@b.example' }))).toEqual(before)
  })

  test('stays chosen when the session ends, and is asked for no more', () => {
    const ended = after(read, Adoption.requested(), Session.expired({ failure: { kind: 'network' } }))
    expect(ended).toMatchObject({ samples: { length: 2 }, load: { status: 'idle' } })
    const reading = after(
      Adoption.chosen({ files: createHandle('x') }),
      Session.expired({ failure: { kind: 'network' } }),
    )
    expect(reading.reading).toEqual({ status: 'idle' })
  })

  test('is taken with its pictures by the hash in their paths, and without what is no picture', () => {
    const odd = [...adopted().pictures, { path: `adopted/${'0'.repeat(32)}.png`, base64: 'AAAA' }]
    const taken = adoptedTemplateOf(
      adopted({ pictures: [...odd, { path: 'logo.png', base64: bannerPicture.base64 }] }),
      'New',
      false,
    )
    expect(taken.people).toEqual(['alex.kim@northwind.example'])
    expect(taken.pictures).toEqual({
      [ADOPTED_PICTURE]: {
        hash: bannerPicture.hash,
        mediaType: 'image/png',
        base64: bannerPicture.base64,
      },
    })
    expect(taken).toMatchObject({
      name: 'New',
      variables: [{ path: 'mobile_phone', from: 'mobilePhone', edit: false, group: 'mapped' }],
    })
  })

  test('[ADOPT-6] has its original with the addresses of its pictures', () => {
    const { html, images } = originalSignatureOf(adopted(), 'https://x.example/images')
    expect(html).not.toContain('{{')
    expect(html).toContain(`https://x.example/images/${bannerPicture.hash}`)
    expect(images.map(({ content }) => content)).toEqual([bannerPicture.base64])
    for (const { url } of images) expect(html).toContain(url)
  })
})
