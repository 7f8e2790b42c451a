import { describe, expect, it } from 'vitest'
import { changingYaml } from '../../src/folder/changedYaml.ts'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { releaseIdOf } from '../../src/service/publishing/plans.ts'
import { coloursIn, colourValue, fontFamiliesIn } from '../../streams/organisation/release/brand.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import { createReading, type Files, GOOD, useFolders } from './folders.ts'

const reading = createReading(useFolders())
const AT = Date.parse('2026-10-01T12:00:00Z')
const YAML = GOOD['signet.yaml'] as string

const branded = (brand: string, html = '<p>{{first_name}}</p>\n'): Files => ({
  'signet.yaml': `${YAML}brand:${brand}`,
  'templates/short.html': html,
})
/** The findings that are about the brand. */
const found = async (files: Files) =>
  checkFolder(await reading(files), AT)
    .filter(({ code, level }) => code.startsWith('offBrand') || level === 'error')
    .map(
      ({ file, line, column, level, code, message }) =>
        `${file}:${line}:${column} ${level} ${code}: ${message}`,
    )
/** What is off the brand in a template: line, column and what is quoted first. */
const off = async (
  html: string,
  brand = ' { colours: { navy: "#1f3a5f", paper: white }, fonts: [Arial, Source Sans 3] }\n',
) =>
  (await found(branded(brand, html))).map((line) => {
    const [, place = '', code = '', what = ''] =
      /^templates\/short\.html:(\S+) warning offBrand(\w+): [^"]*"([^"]*)"/.exec(line) ?? []
    return `${place} ${code} ${what}`
  })

describe('the brand of a folder', () => {
  it('is read with its colours, fonts and logos, and written back', async () => {
    const files = branded(
      '\n  colours: { navy: "#1f3a5f" } # ours\n  fonts: Arial\n  logos: [banners/autumn.png]\n',
    )
    const { document, problems } = await reading(files)
    expect(problems).toEqual([])
    expect(document.brand).toEqual({
      colours: { navy: '#1f3a5f' },
      fonts: ['Arial'],
      logos: ['banners/autumn.png'],
    })
    const text = files['signet.yaml'] as string
    expect(runSteps(changingYaml(text, document))).toBe(text)
    const brand = { colours: { navy: '#1f3a5f', sand: '#f4efe6' }, fonts: ['Arial'], logos: [] }
    const changed = runSteps(changingYaml(text, { ...document, brand }))
    expect(changed).toContain('# ours')
    expect((await reading({ ...files, 'signet.yaml': changed })).document.brand).toEqual(brand)
    const { brand: _, ...without } = document
    expect(runSteps(changingYaml(text, without))).toBe(YAML)
    expect(runSteps(changingYaml(YAML, document))).toContain('brand:')
  })

  it('is absent when nothing is named, so that the release keeps its id', async () => {
    const { document } = await reading({})
    for (const empty of ['\n', ' {}\n', ' { fonts: [] }\n']) {
      const read = await reading({ 'signet.yaml': `${YAML}brand:${empty}` })
      expect(read.problems).toEqual([])
      expect(Object.hasOwn(read.document, 'brand')).toBe(false)
      expect(releaseIdOf(read.document)).toBe(releaseIdOf(document))
    }
  })

  it.each([
    [' { colour: { a: "#fff" } }\n', 'unknownKey'],
    [' { colours: { a: navi } }\n', 'value: "navi" is not a colour: "#1f3a5f", in quotes.'],
    [
      ' { colours: { "a/b": "#fff" } }\n',
      'name: A colour is named by letters, digits and blanks: "a/b" is not.',
    ],
    [' { fonts: ["A\'b"] }\n', 'value: "A\'b" is not a name of a font.'],
    [' { logos: [logo.svg] }\n', 'value: "logo.svg" is not a picture below "pictures/": logo.png.'],
    [' { logos: [logo.png] }\n', 'unknownPicture: There is no picture "pictures/logo.png".'],
    [' navy\n', 'notMap'],
  ])('is refused as%s', async (brand, expected) => {
    const findings = await found(branded(brand))
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatch(/^signet\.yaml:24:\d+ error /)
    expect(findings[0]).toContain(` error ${expected}`)
  })
})

describe('what is off the brand', () => {
  it('is nothing without a brand, or of what the brand does not name', async () => {
    const html = '<p style="color:#123456;font-family:Comic Sans MS">a</p>\n'
    expect(await found({ 'templates/short.html': html })).toEqual([])
    expect(await off(html, ' { fonts: [Arial] }\n')).toEqual(['1:25 Font Comic Sans MS'])
    expect(await off(html, ' { colours: { navy: "#1f3a5f" } }\n')).toEqual(['1:11 Colour #123456'])
  })

  it('is said with its place, and what the brand has', async () => {
    expect(
      await found(
        branded(
          ' { colours: { navy: "#1f3a5f", paper: white }, fonts: [Arial] }\n',
          '<p>a</p>\n<p style="font:12px Georgia; color:red">b</p>\n',
        ),
      ),
    ).toEqual([
      'templates/short.html:2:11 warning offBrandFont: The font "Georgia" is none of the brand: Arial.',
      'templates/short.html:2:30 warning offBrandColour: The colour "red" is none of the brand: navy (#1f3a5f) and paper (white).',
    ])
  })

  it.each<[string, readonly string[]]>([
    ['<p style="color:#FFF;background:rgb(255,255,255) none">a</p>', []],
    ['<p style="color:#1F3A5F;border:1px solid #1f3a5fff">a</p>', []],
    ['<p style="color:inherit;background:transparent">a</p>', []],
    ['<p style="color:#abc">a</p><b style="color:#aabbcc">b</b>', ['1:11 Colour #abc']],
    [
      '<td bgcolor="#eee"><font color="red" face="Arial, Verdana">a</font></td>',
      ['1:5 Colour #eee', '1:26 Colour red', '1:38 Font Verdana'],
    ],
    ['<style>.a{color:lime}</style><p class="a">a</p>', ['1:11 Colour lime']],
    ['<p style="font-family:\'source sans 3\',Arial,sans-serif">a</p>', []],
    ['<p style="font:bold 12px/1.4 \'Segoe UI\', serif">a</p>', ['1:11 Font Segoe UI']],
    ['<p style="width:1px;content:red">a</p>', []],
  ])('in %s', async (html, expected) => {
    expect(await off(`${html}\n`)).toEqual(expected)
  })
})

describe('colours', () => {
  it('have the same value in every way of writing', () => {
    for (const white of [
      '#fff',
      '#FFFFFF',
      '#ffff',
      'White',
      'rgb(255,255,255)',
      'rgb(100% 100% 100% / 1)',
      'rgba(255, 255, 255, 100%)',
      'hsl(0, 0%, 100%)',
      ' #fff ',
    ])
      expect([white, colourValue(white)]).toEqual([white, 'ffffffff'])
    expect(['hsl(120,100%,25%)', 'hsl(210deg 50% 40%)', 'hsla(-150, 50%, 40%, .5)'].map(colourValue)).toEqual(
      ['008000ff', '336699ff', '33669980'],
    )
    expect(colourValue('#1238')).toBe('11223388')
  })

  it('are none where nothing has a value', () => {
    for (const none of [
      '',
      '#12',
      '#12345',
      'transparent',
      'currentColor',
      'rgb(1,2)',
      'rgb(1,2,3,4,5)',
      'rgb(a,b,c)',
      'rgb(1,2,3,x)',
      'url(#fff)',
      'constructor',
    ])
      expect([none, colourValue(none)]).toEqual([none, null])
  })

  it('are found in the values of styles, but in no address', () => {
    expect(coloursIn('1px solid RED url(#fff) rgb(1, 2, 3) "blue"')).toEqual([
      { text: 'RED', at: 10 },
      { text: 'rgb(1, 2, 3)', at: 24 },
    ])
  })
})

it('families are those of a list, and in a short form those behind the size', () => {
  expect(fontFamiliesIn('font-family', `Arial, "Segoe  UI" ,serif, 'A, B' !important`)).toEqual([
    'Arial',
    'Segoe UI',
    'A, B',
  ])
  expect(fontFamiliesIn('font', 'italic bold 12px / 1.4 Source Sans, sans-serif')).toEqual(['Source Sans'])
  expect(fontFamiliesIn('font', 'small Arial')).toEqual(['Arial'])
  expect(fontFamiliesIn('font', 'caption')).toEqual([])
})
