import axe from 'axe-core'
import { expect, it } from 'vitest'
import { type Language, languages } from '../../streams/wire/languages.ts'
import { IS_LONG } from '../support/cases.ts'
import { type StoryKind, storiesOf } from '../support/stories.ts'
import { axeFindings } from './axeFindings.ts'
import { HEIGHT_PX, type Look, lookNames, looks, openStoryPage, textsIn, WIDTHS_PX } from './storyPages.ts'
import { layoutFindings } from './layout.ts'
import { useBrowser } from './pane.ts'
import { servers } from './servers.ts'

const { browser } = useBrowser()
const stories = () => storiesOf(`${servers().service}/images`)

/**
 * `npm run test:long` tests every story. Otherwise tests every state in light, every view in every look, and in German.
 * The longer texts are tested in every view and state, and with `npm run test:long` in every variant.
 */
const isTested = (look: Look, language: Language, kind: StoryKind): boolean => {
  if (kind !== 'view' && language !== 'en') return false
  if (IS_LONG) return true
  if (kind === 'variant') return false
  if (kind === 'state') return look === 'light' && language === 'en'
  return look === 'light' ? language === 'en' || language === 'de' : language === 'en'
}

/** Accented letters, which distinguish a longer text from the original. */
const accents: Readonly<Record<string, string>> = { a: 'å', e: 'é', i: 'ï', o: 'ø', u: 'ü', n: 'ñ', c: 'ç' }

/** The text as in a language that needs 40 % more room. Placeholders are unchanged. */
function grown(text: string): string {
  const accented = text.replace(/\{\{.*?\}\}|[aeiounc]/g, (found) => accents[found] ?? found)
  const more = Math.ceil(text.replace(/\{\{.*?\}\}/g, '').length * 0.4)
  // A single word becomes longer; a text of several words gets further words.
  return text.includes(' ')
    ? `${accented} ${'ẅøřđåñ '
        .repeat(Math.ceil(more / 7))
        .slice(0, more)
        .trim()}`
    : `${accented}${'ö'.repeat(more)}`
}

const grownTexts = <Group>(group: Group): Group =>
  Object.fromEntries(
    Object.entries(group as object).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' ? grown(value) : grownTexts(value),
    ]),
  ) as Group

/** Opens a page at the narrower width. Two of them wait for their frames beside each other. */
const openNarrow = () =>
  browser().newPage({ ...looks.light, viewport: { width: WIDTHS_PX[0], height: HEIGHT_PX } })

/** The findings of every second story, and the number of tested cells. */
async function testHalf(half: 0 | 1) {
  const found: string[] = []
  let cells = 0
  const page = await openNarrow()
  // An init script, because some stories load another page.
  await page.addInitScript(axe.source)
  const storyPage = await openStoryPage(page, servers().pages)
  let width: number = WIDTHS_PX[0]
  for (const language of languages)
    for (const story of stories().filter((_, index) => index % 2 === half)) {
      const tested = lookNames.filter((look) => isTested(look, language, story.kind))
      if (tested.length === 0) continue
      await storyPage.show(story, language)
      const testLayout = async (look: Look) => {
        for (const finding of await layoutFindings(page))
          found.push(`${story.name}, ${look}, ${language}, ${width}: ${finding}`)
      }
      // A look changes the colours of what is drawn: it is not drawn again.
      for (const look of tested) {
        if (look !== 'light') await page.emulateMedia(looks[look])
        // Another language changes the layout, and nothing that axe-core sees.
        if (language === 'en')
          for (const finding of await axeFindings(page, look))
            found.push(`${story.name}, ${look}, ${language}, ${width}: ${finding}`)
        await testLayout(look)
        cells += 1
      }
      // Resized once per story, alternately wider and narrower, because resizing is slower than the checks.
      width = width === WIDTHS_PX[0] ? WIDTHS_PX[1] : WIDTHS_PX[0]
      await storyPage.setSize(width, HEIGHT_PX)
      for (const look of tested.toReversed()) {
        if (tested.length > 1) await page.emulateMedia(looks[look])
        await testLayout(look)
      }
    }
  await page.close()
  return { found, cells }
}

/** The same with texts that are 40 % longer than the English ones, at the narrower width. */
async function testHalfLonger(half: 0 | 1): Promise<readonly string[]> {
  const found: string[] = []
  const page = await openNarrow()
  const texts = grownTexts(textsIn.en)
  // Served instead of the German ones.
  await page.route(/\/de\.\w+\.js$/, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    const ofPane = body.includes(JSON.stringify(textsIn.de.signIn.title))
      ? body.replace(/JSON\.parse\('.*'\)/s, () => `JSON.parse(${JSON.stringify(JSON.stringify(texts))})`)
      : body
    await route.fulfill({ response, body: ofPane })
  })
  const storyPage = await openStoryPage(page, servers().pages, { ...textsIn, de: texts })
  for (const story of stories().filter(
    ({ kind }, index) => index % 2 === half && (IS_LONG || kind !== 'variant'),
  )) {
    await storyPage.show(story, 'de')
    for (const finding of await layoutFindings(page)) found.push(`${story.name}: ${finding}`)
  }
  await page.close()
  return found
}

it('axe-core finds nothing in any view, look or state, and each fits at 320 and at 450 pixels', async () => {
  const halves = await Promise.all([testHalf(0), testHalf(1)])
  const found = halves.flatMap((half) => half.found)
  const cells = halves.reduce((sum, half) => sum + half.cells, 0)
  process.stdout.write(`${cells} cells, ${found.length} findings\n`)
  expect(found.join('\n')).toBe('')
}, 1_800_000)

it('texts that are 40 % longer than the English ones fit at 320 pixels', async () => {
  const halves = await Promise.all([testHalfLonger(0), testHalfLonger(1)])
  expect(halves.flat().join('\n')).toBe('')
}, 300_000)

it('the layout check finds text that is cut off, broken, overlapping, or wider than the pane', async () => {
  const page = await browser().newPage({ viewport: { width: WIDTHS_PX[0], height: HEIGHT_PX } })
  const findingsIn = async (html: string) => {
    await page.setContent(`<style>p { margin: 0; white-space: nowrap }</style>${html}`)
    return (await layoutFindings(page)).join('\n')
  }
  const long = 'wide '.repeat(40).trim()
  expect(await findingsIn('<p>fits</p>')).toBe('')
  expect(await findingsIn(`<p>${long}</p>`)).toContain('the page is ')
  expect(await findingsIn(`<p style="overflow: hidden">${long}</p>`)).toContain('is cut off at its side')
  expect(await findingsIn(`<p style="overflow: hidden; text-overflow: ellipsis">${long}</p>`)).toBe('')
  expect(await findingsIn(`<p style="overflow: hidden; height: 8px">low</p>`)).toContain('above or below')
  expect(await findingsIn(`<div style="overflow: auto"><p>${long}</p></div>`)).toContain('scrolls sideways')
  expect(await findingsIn('<h1 style="width: 40px; word-break: break-all">Signature</h1>')).toContain(
    'the word “Signature” is broken',
  )
  expect(await findingsIn('<p>one</p><p style="margin-top: -16px">other</p>')).toContain(
    'on top of each other',
  )
  await page.close()
})
