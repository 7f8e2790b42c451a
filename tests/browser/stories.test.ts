import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Language, languages } from '../../streams/locale/events.ts'
import { type StoryKind, storiesOf } from '../support/stories.ts'
import { HEIGHT, type Look, lookNames, looks, openStoryPage, textsIn, widths } from './storyPages.ts'
import { layoutFindings } from './layout.ts'
import { useBrowser } from './pane.ts'
import { servers } from './servers.ts'

const { browser } = useBrowser()
const stories = () => storiesOf(`${servers().service}/images`)

/** What axe-core finds by all of its rules, with those that are off unless one asks for them: the size of targets. */
const axeFindings = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof axe }).axe
    const { violations } = await run(document, {
      iframes: false,
      elementRef: true,
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
    })
    // A target that the foot covers in part is scrolled to, and then it is as large as it is.
    const foot = document.querySelector('footer')
    const edge = foot?.getBoundingClientRect().top ?? Infinity
    const isUnderFoot = (element: Element | undefined) =>
      element !== undefined && !foot?.contains(element) && element.getBoundingClientRect().bottom > edge
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => id !== 'target-size' || !isUnderFoot(element))
        .map(({ html }) => `${id}: ${html.slice(0, 200)}`),
    )
  })

/**
 * All of them by `npm run test:long`; else every state in light, every view in every look, and in German. Whether the
 * words of a variant fit is always looked at, by the test with longer ones.
 */
const isLookedThrough = (look: Look, language: Language, kind: StoryKind): boolean => {
  if (kind !== 'view' && language !== 'en') return false
  if (process.env['LONG'] !== undefined) return true
  if (kind === 'variant') return false
  return look === 'light' ? language === 'en' || language === 'de' : kind === 'view' && language === 'en'
}

it('every view, in every look and in longer words, and every further state leaves axe-core nothing to find and fits at 320 and at 450 pixels', async () => {
  const found: string[] = []
  let cells = 0
  const lookThrough = async (look: Look) => {
    const page = await browser().newPage({ ...looks[look], viewport: { width: widths[0], height: HEIGHT } })
    // One story is another page.
    await page.addInitScript(axe.source)
    const storyPage = await openStoryPage(page, servers().pages)
    let width: number = widths[0]
    const isThere = async (cell: string) => {
      for (const finding of await layoutFindings(page)) found.push(`${cell}, ${width}: ${finding}`)
    }
    for (const language of languages)
      for (const story of stories().filter(({ kind }) => isLookedThrough(look, language, kind))) {
        const cell = `${story.name}, ${look}, ${language}`
        await storyPage.show(story, language)
        for (const finding of await axeFindings(page)) found.push(`${cell}, ${width}: ${finding}`)
        await isThere(cell)
        // Every other one is seen wide first: a window that changes its size takes longer than what is looked for.
        width = width === widths[0] ? widths[1] : widths[0]
        await storyPage.setSize(width, HEIGHT)
        await isThere(cell)
        cells += 1
      }
    await page.close()
  }
  await Promise.all(lookNames.map(lookThrough))
  process.stdout.write(`axe: ${cells} cells, ${found.length} findings\n`)
  expect(found.join('\n')).toBe('')
}, 1_800_000)

/** Accents, so that nothing of it can be taken for another text, in place of the letters that have them. */
const accents: Readonly<Record<string, string>> = { a: 'å', e: 'é', i: 'ï', o: 'ø', u: 'ü', n: 'ñ', c: 'ç' }

/** The text as it might be in a language that needs 40 % more room; what is filled in later stays as it is. */
function grown(text: string): string {
  const accented = text.replace(/\{\{.*?\}\}|[aeiounc]/g, (found) => accents[found] ?? found)
  const more = Math.ceil(text.replace(/\{\{.*?\}\}/g, '').length * 0.4)
  // What is one word becomes a longer one; several get company.
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

it('texts that are 40 % longer than the English ones overflow, overlap and are cut off nowhere at 320 pixels', async () => {
  const page = await browser().newPage({ ...looks.light, viewport: { width: widths[0], height: HEIGHT } })
  const texts = grownTexts(textsIn.en)
  // They come in the place of the German ones.
  await page.route(/\/de\.\w+\.js$/, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    const ofPane = body.includes(JSON.stringify(textsIn.de.signIn.title))
      ? body.replace(/JSON\.parse\('.*'\)/s, () => `JSON.parse(${JSON.stringify(JSON.stringify(texts))})`)
      : body
    await route.fulfill({ response, body: ofPane })
  })
  const storyPage = await openStoryPage(page, servers().pages, { ...textsIn, de: texts })
  const found: string[] = []
  for (const story of stories()) {
    await storyPage.show(story, 'de')
    for (const finding of await layoutFindings(page)) found.push(`${story.name}: ${finding}`)
  }
  await page.close()
  expect(found.join('\n')).toBe('')
}, 300_000)

it('a layout that does not fit is found: cut off, broken, on top of each other, or wider than the pane', async () => {
  const page = await browser().newPage({ viewport: { width: widths[0], height: HEIGHT } })
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
  expect(await findingsIn('<h1 style="width: 40px; overflow-wrap: anywhere">Signature</h1>')).toContain(
    'the word “Signature” is broken',
  )
  expect(await findingsIn('<p>one</p><p style="margin-top: -16px">other</p>')).toContain(
    'on top of each other',
  )
  await page.close()
})
