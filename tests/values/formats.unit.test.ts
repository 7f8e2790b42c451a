import fc from 'fast-check'
import { getCountries } from 'libphonenumber-js/max'
import { PNG } from 'pngjs'
import { encode } from 'uqr'
import { describe, expect, it, vi } from 'vitest'
import { readPictureFormat } from '../../src/folder/pictureFormats.ts'
import { countryCode } from '../../src/values/countries.ts'
import { UNSEALED_FORMATS } from '../../src/values/formats.ts'
import { withAddressCache } from '../../src/values/postalAddress.ts'
import { qrPath, qrPicture, qrTextAt } from '../../src/values/qrCode.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import { groupPlans } from '../../streams/organisation/plan/plan.ts'
import { compileRelease } from '../../streams/organisation/release/release.ts'
import { EVERYONE } from '../streams/organisation/arbitraries.ts'
import { cases } from '../support/cases.ts'
import { compareReleases, plannedFor } from '../support/planned.ts'
import { variableOf } from '../support/variables.ts'

describe('a phone number', () => {
  it.each([
    ['+49 30 901820', '', '+49 30 901820'],
    ['+4930901820', 'PT', '+49 30 901820'],
    ['030/90182-0', 'DE', '+49 30 901820'],
    ['(030) 901820', 'Deutschland', '+49 30 901820'],
    ['0049 30 901820', 'DE', '+49 30 901820'],
    ['(425) 555-0100', 'United States', '+1 425 555 0100'],
    ['020 7946 0000', 'UK', '+44 20 7946 0000'],
    ['+49 30 901820 ext. 5', '', '+49 30 901820 ext. 5'],
    ['+49 (0)30 901820', 'DE', '+49 30 901820'],
    ['(+49) 30 901820', '', '+49 30 901820'],
    ["'+49 30 901820", '', '+49 30 901820'],
    ["'030 901820", 'DE', '+49 30 901820'],
    ['0049 30 901820', '', '+49 30 901820'],
    ['0049 30 901820', 'US', '+49 30 901820'],
    ['\uFF0B49 30 901820', '', '+49 30 901820'],
  ])('[ADOPT-9] %j in %j is %j', (text, country, written) => {
    expect(UNSEALED_FORMATS.phone(text, country)).toBe(written)
  })

  it.each([
    ['', 'DE'],
    ['1234', 'DE'],
    ['030 901820', ''],
    ['030 901820', 'Narnia'],
    ['call +49 30 901820', ''],
    ['ask Maria', 'DE'],
    ['+49', 'DE'],
    [`+49 30 901820${' '.repeat(100)}`, 'DE'],
    ['+49 30 901820 / +49 171 5550123', 'DE'],
    ['030 901820, 0171 5550123', 'DE'],
    ['+44 (0)7700 900 123', 'GB'],
  ])('[ADOPT-9] %j in %j is none', (text, country) => {
    expect(UNSEALED_FORMATS.phone(text, country)).toBeNull()
  })

  it.each([
    ['+49 (0)30 901820', 'DE', '+4930901820'],
    ['+1 604 555 0123 ext. 212', 'CA', '+16045550123;ext=212'],
    ['+1 604 555 0123;ext=212', '', '+16045550123;ext=212'],
    ['(+49) 30 901820', 'DE', '+4930901820'],
    ["'+49 30 901820", 'DE', '+4930901820'],
    ['030/901820', 'Germany', '+4930901820'],
    ['0049 30 901820', '', '+4930901820'],
    // No one has this number, but it is one of its country's length.
    ['+44 (0)7700 900 123', '', '+447700900123'],
  ])('[ADOPT-9] for a telephone, %j in %j is %j', (text, country, number) => {
    expect(UNSEALED_FORMATS.tel(text, country)).toEqual({ number, isAlone: true })
  })

  it.each([
    ['+49 30 901820 / +49 171 5550123', 'DE', '+4930901820'],
    ['+49 30 901820, 030 901821', 'DE', '+4930901820'],
    ['+49 30 901820; +49 171 5550123', '', '+4930901820'],
    ['+49 30 901820\n+49 171 5550123', '', '+4930901820'],
    ['+49 30 901820 +49 171 5550123', '', '+4930901820'],
    ['030 901820 oder 0171 5550123', 'DE', '+4930901820'],
    ['+1 604 555 0123;ext=212 | +1 604 555 0199', '', '+16045550123;ext=212'],
    ['Tel: +49 30 901820', '', '+4930901820'],
    ['+49 30 901820 (Maria)', '', '+4930901820'],
  ])('[ADOPT-9] is the first of %j in %j: %j', (text, country, number) => {
    expect(UNSEALED_FORMATS.tel(text, country)).toEqual({ number, isAlone: false })
  })

  it.each([
    ['', 'DE'],
    ['212', 'DE'],
    ['ext. 212', 'DE'],
    ['030 901820', ''],
    ['+49', 'DE'],
    ['ask Maria', 'DE'],
    // Not the second one, and no number of both.
    ['+49 30 901820 0171 5550123', 'DE'],
    [`+49 30 901820${' '.repeat(100)}`, 'DE'],
  ])('[ADOPT-9] for a telephone, %j in %j is none', (text, country) => {
    expect(UNSEALED_FORMATS.tel(text, country)).toBeNull()
  })

  it('[ADOPT-9] is dialled as it is shown', () => {
    const national = fc.integer({ min: 200_000, max: 9_999_999_999 }).map((digits) => `0${String(digits)}`)
    const before = fc.constantFrom('', "'", ' ')
    fc.assert(
      fc.property(
        national,
        before,
        fc.constantFrom('DE', 'PT', 'US', 'GB', 'BR', 'JP'),
        (text, start, country) => {
          const shown = UNSEALED_FORMATS.phone(start + text, country)
          if (shown === null) return
          const dialled = { number: shown.replace(/[^+\d]/g, ''), isAlone: true }
          expect([UNSEALED_FORMATS.tel(start + text, country), UNSEALED_FORMATS.tel(shown, '')]).toEqual([
            dialled,
            dialled,
          ])
        },
      ),
      cases(200),
    )
  })

  it('[ADOPT-9] that was written is written the same again, wherever it is read', () => {
    const national = fc.integer({ min: 200_000, max: 9_999_999_999 }).map((digits) => `0${String(digits)}`)
    fc.assert(
      fc.property(national, fc.constantFrom('DE', 'PT', 'US', 'GB', 'BR', 'JP'), (text, country) => {
        const written = UNSEALED_FORMATS.phone(text, country)
        if (written === null) return
        expect(written).toMatch(/^\+\d[\d -]+$/)
        for (const other of ['', 'FR', 'CA']) expect(UNSEALED_FORMATS.phone(written, other)).toBe(written)
      }),
      cases(200),
    )
  })

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), fc.string(), (text, country) => {
        const written = UNSEALED_FORMATS.phone(text, country)
        expect(written === null || written.startsWith('+')).toBe(true)
      }),
      cases(200),
    )
  })
})

describe('a country', () => {
  it.each([
    ['DE', 'DE'],
    [' de ', 'DE'],
    ['Germany', 'DE'],
    ['Deutschland', 'DE'],
    ['Allemagne', 'DE'],
    ['ÖSTERREICH', 'AT'],
    ['osterreich', 'AT'],
    ['The Netherlands', 'NL'],
    ['Nederland', 'NL'],
    ['UK', 'GB'],
    ['United Kingdom', 'GB'],
    ['England', 'GB'],
    ['USA', 'US'],
    ['U.S.A.', null],
    ['United States of America', 'US'],
    ['日本', 'JP'],
    ['Brasil', 'BR'],
    ['Narnia', null],
    ['ZZ', null],
    ['', null],
    ['x'.repeat(200), null],
  ])('%j is %j', (text, code) => {
    expect(countryCode(text)).toBe(code)
    expect(UNSEALED_FORMATS.isCountry(text)).toBe(code !== null)
  })
})

describe('a postal address', () => {
  const NONE = { street: '', postalCode: '', city: '', state: '', country: '' }

  it.each([
    [
      { street: 'Hauptstr. 5', postalCode: '10115', city: 'Berlin', state: 'Berlin', country: 'DE' },
      ['Hauptstr. 5', '10115 Berlin', 'Germany'],
    ],
    [
      { street: 'Hauptstr. 5\r\n2. OG', postalCode: '10115', city: 'Berlin', country: 'Deutschland' },
      ['Hauptstr. 5', '2. OG', '10115 Berlin', 'Deutschland'],
    ],
    [
      { street: '1 Main St', postalCode: '98052', city: 'Redmond', state: 'WA', country: 'US' },
      ['1 Main St', 'Redmond, WA 98052', 'United States'],
    ],
    [
      { street: '1 High St', postalCode: 'SW1A 1AA', city: 'London', country: 'United Kingdom' },
      ['1 High St', 'London', 'SW1A 1AA', 'United Kingdom'],
    ],
    [{ city: 'Paris', country: 'FR' }, ['Paris', 'France']],
    [
      { street: 'Fő utca 1', postalCode: '1011', city: 'Pest', country: 'HU' },
      ['1011 Pest', 'Fő utca 1', 'Hungary'],
    ],
    [{ street: 'Rua A', city: 'Rio', country: 'BR' }, ['Rua A', 'Rio', 'Brazil']],
    [
      { street: 'Rua A', city: 'São Paulo', state: 'São Paulo', country: 'BR' },
      ['Rua A', 'São Paulo - São Paulo', 'Brazil'],
    ],
    [{ city: 'Singapore', postalCode: '238823', country: 'SG' }, ['Singapore 238823', 'Singapore']],
    [{ city: 'Singapore', country: 'SG' }, ['Singapore']],
    [{ street: 'x', city: 'Vaduz', postalCode: '9490', country: 'LI' }, ['x', '9490 Vaduz', 'Liechtenstein']],
    [
      { street: 'x', city: 'Washington', state: 'Washington, D.C.', country: 'US' },
      ['x', 'Washington, Washington, D.C.', 'United States'],
    ],
    [{ street: 'Abay 1', city: 'Almaty', country: 'KZ' }, ['Abay 1', 'Almaty', 'Kazakhstan']],
    [
      { street: '1 Zhong', postalCode: '100080', city: 'Beijing', country: 'China' },
      ['1 Zhong', 'Beijing', '100080', 'China'],
    ],
    [{ street: 'x', postalCode: 'z', city: 'y', country: 'Narnia' }, ['x', 'z y', 'Narnia']],
    [{ street: 'A <b> & "c"', postalCode: '1', city: 'D' }, ['A <b> & "c"', '1 D']],
    [{}, []],
    [{ street: ' \n ', state: 'WA', country: 'US' }, []],
  ])('[ADOPT-9] of %j is %j', (parts, lines) => {
    expect(UNSEALED_FORMATS.address({ ...NONE, ...parts })).toEqual(lines)
  })

  it('[ADOPT-9] has what is given of street, postal code and city, in lines that are not empty', () => {
    const part = fc.oneof(
      fc.constant(''),
      fc.string({ maxLength: 30 }),
      fc.constantFrom('https://a.example', 'New York'),
    )
    const country = fc.constantFrom('', 'DE', 'US', 'GB', 'JP', 'BR', 'Narnia', 'GG', 'NL', 'CN', 'HK', 'IN')
    const parts = fc.record({ street: part, postalCode: part, city: part, state: part, country })
    fc.assert(
      fc.property(parts, (given) => {
        const lines = UNSEALED_FORMATS.address(given)
        const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
        for (const line of lines) expect([line, line]).toEqual([plain(line), line || 'a line'])
        for (const one of [given.street, given.postalCode, given.city])
          expect(lines.join(' ')).toContain(plain(one))
      }),
      cases(200),
    )
  })
})

describe('a postal address of any country', () => {
  const PARTS = { street: 'Street 1', postalCode: '12345', city: 'Town', state: 'Region' }
  type Given = Readonly<Record<keyof typeof PARTS, boolean>>
  const english = new Intl.DisplayNames('en', { type: 'region' })
  const given: fc.Arbitrary<Given> = fc.record({
    street: fc.boolean(),
    postalCode: fc.boolean(),
    city: fc.boolean(),
    state: fc.boolean(),
  })
  const addressOf = (country: string, { street, postalCode, city, state }: Given) =>
    UNSEALED_FORMATS.address({
      street: street ? PARTS.street : '',
      postalCode: postalCode ? PARTS.postalCode : '',
      city: city ? PARTS.city : '',
      state: state ? PARTS.state : '',
      country,
    })

  it('[ADOPT-9] ends with its English name, whether the country is given by its code or by that name', () => {
    const all = { street: true, postalCode: true, city: true, state: false }
    for (const country of getCountries()) {
      const lines = addressOf(country, all)
      expect([country, lines.at(-1)]).toEqual([country, english.of(country)])
      expect(addressOf(english.of(country) ?? '', all)).toEqual(lines)
    }
  })

  it('[ADOPT-9] has each part that is given once, and nothing else but what separates them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...getCountries()), given, (country, are) => {
        const lines = addressOf(country, are)
        if (!are.street && !are.postalCode && !are.city) {
          expect(lines).toEqual([])
          return
        }
        const own = lines.slice(0, -1)
        let rest = own.join('|')
        for (const part of ['street', 'postalCode', 'city', 'state'] as const) {
          const times = rest.split(PARTS[part]).length - 1
          if (part === 'state') expect([country, times <= Number(are.state)]).toEqual([country, true])
          else expect([country, part, times]).toEqual([country, part, Number(are[part])])
          rest = rest.replace(PARTS[part], '')
        }
        expect([country, rest]).toEqual([country, expect.stringMatching(/^[|, -]*$/)])
        for (const line of own)
          expect([country, line]).toEqual([country, line.replace(/^[ .,-]+|[ .,-]+$/g, '')])
      }),
      cases(1_000),
    )
  })
})

describe('a plan with the postal address', () => {
  const PATHS = Array.from({ length: 5 }, (_, index) => `templates/${String(index)}.html`)
  const signatures = PATHS.map((template) => ({
    id: template.replace(/\W/g, ''),
    name: template,
    template,
    reply: template,
    mobile: null,
    selection: EVERYONE,
    during: null,
    recipients: 'everyone' as const,
    collection: null,
  }))
  const people = Array.from({ length: 20 }, (_, index) => ({
    id: `p-${String(index)}`,
    revision: 1,
    account: null,
    active: true,
    language: null,
    groups: [],
    addresses: [`p${String(index)}@in.example`],
    picture: null,
    directoryPicture: null,
    values: {},
    metadata: {},
    directory: {
      displayName: 'Maria',
      streetAddress: `Rua A ${String(index)}`,
      city: 'Lisboa',
      country: 'PT',
    },
  }))

  it('[ADOPT-9] writes it once for each person, however many templates of both releases show it', () => {
    const write = vi.fn(UNSEALED_FORMATS.address)
    const formats = { ...UNSEALED_FORMATS, address: withAddressCache(write) }
    const releaseOf = (id: string) =>
      compileRelease(
        id,
        {
          version: 1,
          organisation: 'N',
          internal: [],
          chooseDefault: EVERYONE,
          mailboxes: [],
          plan: { from: null, value: '' },
          pictures: {},
          signatures,
          variables: [variableOf('display_name', { from: 'displayName' })],
          templates: Object.fromEntries(
            PATHS.map((path) => [
              path,
              `<p>${id} {{address}} <b title="{{address}}">{{first address email}}</b></p>`,
            ]),
          ),
        },
        formats,
      )
    const comparison = compareReleases(releaseOf('a'), releaseOf('b'), 'https://s.example/images')
    const groups = groupPlans(comparison, 0)
    for (const person of people) runSteps(groups.adding(plannedFor(comparison, person, new Map(), 0)))
    expect(groups.summary()).toMatchObject({ people: people.length, unchanged: 0 })
    expect(write.mock.calls.map(([{ street }]) => street)).toEqual(
      people.map(({ directory }) => directory.streetAddress),
    )
  })

  it('remembers the addresses that were asked for last, and no more of them', () => {
    const write = vi.fn(UNSEALED_FORMATS.address)
    const address = withAddressCache(write, 2)
    const of = (city: string) => address({ street: '', postalCode: '', city, state: '', country: '' })
    expect(['A', 'B', 'A', 'C', 'A', 'B'].map(of)).toEqual([['A'], ['B'], ['A'], ['C'], ['A'], ['B']])
    expect(write.mock.calls.map(([{ city }]) => city)).toEqual(['A', 'B', 'C', 'B'])
    // The same characters in other parts are another address.
    expect(address({ street: 'A', postalCode: '', city: '', state: '', country: 'PT' })).toEqual([
      'A',
      'Portugal',
    ])
  })
})

const GOLDEN = 'qr.Q9aVl19UklGemZeil1qRmFuQk6oPAA/qr.png'

describe('a QR code', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 })

  it('[ADOPT-10] has its text in its path, which mails keep for years', () => {
    expect(UNSEALED_FORMATS.qr('https://www.northwind.example/')).toBe(GOLDEN)
    expect(qrTextAt(GOLDEN)).toBe('https://www.northwind.example/')
    fc.assert(
      fc.property(text, (given) => {
        const path = UNSEALED_FORMATS.qr(given)
        expect(path).toMatch(/^qr\.[\w-]+\/qr\.png$/)
        expect(qrTextAt(path)).toBe(given)
      }),
      cases(200),
    )
  })

  it('has no path for no text, and for one that no phone could read', () => {
    expect(UNSEALED_FORMATS.qr('')).toBe('')
    expect(UNSEALED_FORMATS.qr('a'.repeat(1_200))).not.toBe('')
    expect(UNSEALED_FORMATS.qr('a'.repeat(1_201))).toBe('')
    expect(UNSEALED_FORMATS.qr('é'.repeat(601))).toBe('')
  })

  it('is read from a path with the right seal alone, and from no other path', () => {
    const path = qrPath('https://a.example', () => 's'.repeat(22))
    const seal = (wanted: string) => (_: string, given: string) => given === wanted
    expect(qrTextAt(path, seal('s'.repeat(22)))).toBe('https://a.example')
    expect(qrTextAt(path, seal('t'.repeat(22)))).toBeNull()
    expect(qrTextAt(path)).toBeNull()
    for (const other of [
      '',
      'qr./qr.png',
      'qr.a/qr.png',
      'qr.____/qr.png',
      `${path}x`,
      `x${path}`,
      'qr.AA/other.png',
    ])
      expect(qrTextAt(other, () => true)).toBeNull()
    fc.assert(
      fc.property(fc.stringMatching(/^[\w-]{1,300}$/), (packed) => {
        const read = qrTextAt(`qr.${packed}/qr.png`, () => true)
        expect(read === null || (read.length > 0 && read.length <= 1_200)).toBe(true)
      }),
      cases(200),
    )
  })

  it('is a PNG with the modules of the code, in whole pixels, with the quiet edge, the same each time', () => {
    fc.assert(
      fc.property(text, (given) => {
        const bytes = Buffer.from(qrPicture(given))
        expect(bytes.equals(Buffer.from(qrPicture(given)))).toBe(true)
        expect(readPictureFormat(bytes)).toMatchObject({ fits: true, format: { mediaType: 'image/png' } })
        const { width, height, data } = PNG.sync.read(bytes)
        const code = encode(Array.from(Buffer.from(given)), { ecc: 'M', border: 4, boostEcc: true })
        expect([height, width % code.size, width >= 400]).toEqual([width, 0, true])
        const scale = width / code.size
        const isBlack = (x: number, y: number) => data[(y * width + x) * 4] === 0
        for (const [y, row] of code.data.entries())
          for (const [x, wanted] of row.entries())
            for (const at of [0, scale - 1]) expect(isBlack(x * scale + at, y * scale + at)).toBe(wanted)
      }),
      cases(5, 100),
    )
  })
})
