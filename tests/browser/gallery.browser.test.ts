import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Colour, readabilityIssues, type DrawnSignature } from '../../streams/html/readability.ts'
import { firstRelease } from '../../streams/organisation/release/firstRelease.ts'
import { GALLERY_NAMES, galleryTemplate } from '../../streams/organisation/release/gallery.ts'
import { LOGO } from '../../streams/organisation/release/galleryPictures.ts'
import { compileRelease } from '../../streams/organisation/release/release.ts'
import { renderingAddresses, renderSignature } from '../../streams/organisation/rendering/render.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { NOON } from '../support/administration/answers.ts'
import { alex } from '../support/administration/plans.ts'
import { layoutFindings } from './layout.ts'
import { useBrowser } from './pane.ts'

const WIDTHS_PX = [320, 600] as const
/** The margin of a message. */
const MARGIN_PX = 8
const PICTURES = 'https://pictures.invalid/images'

const person = (
  email: string,
  directory: Readonly<Record<string, string>>,
  picture: string | null,
): PersonState => ({
  ...alex,
  id: 'p-1',
  addresses: [email],
  directory,
  picture,
})

const PEOPLE: readonly PersonState[] = [
  person(
    'maria.silva@northwind.example',
    {
      givenName: 'Maria',
      surname: 'Silva',
      jobTitle: 'Head of Sales',
      'businessPhones.0': '+49 30 1234',
      mobilePhone: '+49 171 5678',
    },
    'face.png',
  ),
  person(
    'anneliese.hohenstein@northwind.example',
    {
      givenName: 'Anneliese Maximiliane',
      surname: 'von Hohenstein-Oberndorf',
      jobTitle: 'Vice President, International Relations and Partnerships',
      'businessPhones.0': '+351 211 234 567 ext. 1234',
    },
    'face.png',
  ),
  person('desk@northwind.example', {}, null),
]

const { tab } = useBrowser()

/** The texts of the page with their colours, as the pane's preview reads them. */
const seenIn = (page: Page): Promise<DrawnSignature> =>
  page.evaluate(() => {
    const read = (css: string): Colour | null => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number)
      return alpha === 0 ? null : { red, green, blue, alpha }
    }
    const texts = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element || !node.textContent?.trim()) continue
      let background: Colour | null = null
      for (let at: Element | null = element; at && !background; at = at.parentElement)
        background = read(getComputedStyle(at).backgroundColor)
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      const white = { red: 255, green: 255, blue: 255, alpha: 1 }
      texts.push({
        text: node.textContent,
        colour: read(color) ?? white,
        background: background ?? white,
        size: parseFloat(fontSize),
        bold: Number(fontWeight) >= 700,
      })
    }
    return { texts, images: [], width: 0, room: 0 }
  })

it.each(GALLERY_NAMES)(
  'the template %s fits in 320 and 600 pixels, and is readable in light and dark',
  async (name) => {
    const begun = ['Northwind Trading', 'northwind.example'] as const
    const offered = galleryTemplate(name, firstRelease(...begun))
    const release = compileRelease('gallery', firstRelease(...begun, offered))
    const [signature] = release.document.signatures
    if (!signature) throw new Error('There is no signature')
    const page = await tab()
    await page.addInitScript('globalThis.__name ??= (value) => value')
    const found: string[] = []
    for (const [index, each] of PEOPLE.entries()) {
      const html =
        renderSignature(release, signature, 'signature', each, renderingAddresses(PICTURES, each), NOON) ?? ''
      expect(html).not.toContain('{{')
      const shown = html.replaceAll(/src="[^"]*"/g, `src="data:${LOGO.mediaType};base64,${LOGO.base64}"`)
      await page.setContent(`<!doctype html><body style="margin:${String(MARGIN_PX)}px">${shown}</body>`)
      for (const width of WIDTHS_PX) {
        await page.setViewportSize({ width, height: 600 })
        const cell = `${name}, ${String(index)}, ${String(width)}`
        for (const finding of await layoutFindings(page)) found.push(`${cell}: ${finding}`)
      }
      const seen = await seenIn(page)
      for (const theme of ['light', 'dark'] as const)
        for (const issue of readabilityIssues(seen, theme))
          found.push(`${name}, ${theme}: ${JSON.stringify(issue)}`)
    }
    expect(found).toEqual([])
  },
)
