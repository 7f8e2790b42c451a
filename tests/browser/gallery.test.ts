import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { languages } from '../../streams/locale/events.ts'
import { galleryOf } from '../support/gallery.ts'
import { HEIGHT, type Look, lookNames, looks, openExhibition, widths } from './exhibition.ts'
import { layoutFindings } from './layout.ts'
import { useBrowser } from './pane.ts'

const { browser } = useBrowser()
const gallery = () => galleryOf(`${inject('serviceUrl')}/images`)

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

it('every view in every look and language, and every further state in every look, leaves axe-core nothing to find and fits at 320 and at 450 pixels', async () => {
  const found: string[] = []
  let cells = 0
  const lookThrough = async (look: Look) => {
    const page = await browser().newPage({ ...looks[look], viewport: { width: widths[0], height: HEIGHT } })
    const exhibition = await openExhibition(page, inject('playgroundUrl'))
    await page.evaluate(axe.source)
    let width: number = widths[0]
    const isThere = async (cell: string) => {
      for (const finding of await layoutFindings(page)) found.push(`${cell}, ${width}: ${finding}`)
    }
    for (const language of languages)
      for (const exhibit of gallery().filter(({ kind }) => kind === 'view' || language === 'en')) {
        const cell = `${exhibit.name}, ${look}, ${language}`
        await exhibition.show(exhibit, language)
        for (const finding of await axeFindings(page)) found.push(`${cell}, ${width}: ${finding}`)
        await isThere(cell)
        // Every other one is seen wide first: a window that changes its size takes longer than what is looked for.
        width = width === widths[0] ? widths[1] : widths[0]
        await page.setViewportSize({ width, height: HEIGHT })
        await isThere(cell)
        cells += 1
      }
    await page.close()
  }
  await Promise.all(lookNames.map(lookThrough))
  process.stdout.write(`axe: ${cells} cells, ${found.length} findings\n`)
  expect(found.join('\n')).toBe('')
}, 600_000)
