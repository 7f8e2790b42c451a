import type { Page, Request } from 'playwright-core'
import type { Moment } from '../../src/playground/timeline/session.ts'
import { Auth } from '../../streams/auth/events.ts'
import type { Language } from '../../streams/locale/events.ts'
import de from '../../views/text/de.json' with { type: 'json' }
import en from '../../views/text/en.json' with { type: 'json' }
import es from '../../views/text/es.json' with { type: 'json' }
import fr from '../../views/text/fr.json' with { type: 'json' }
import it from '../../views/text/it.json' with { type: 'json' }
import nl from '../../views/text/nl.json' with { type: 'json' }
import pt from '../../views/text/pt.json' with { type: 'json' }
import type { Texts } from '../../views/text/texts.ts'
import { type Drawn, drawnOf, type Story } from '../support/stories.ts'

/** What each language says in the pane. */
export const textsIn: Readonly<Record<Language, Texts>> = { de, en, es, fr, it, nl, pt }

/** How a person has their screen; what Playwright's `emulateMedia` takes. */
export const looks = {
  light: { colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' },
  dark: { colorScheme: 'dark', forcedColors: 'none', reducedMotion: 'reduce' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active', reducedMotion: 'reduce' },
} as const
export type Look = keyof typeof looks
export const lookNames = Object.keys(looks) as readonly Look[]

/** The narrowest pane that Outlook opens, and a wide one, in CSS pixels. */
export const widths = [320, 450] as const
export const HEIGHT = 720

/** Nobody is signed in, and nothing is told. */
const nobody = [
  Auth.signedOut({
    reason: { kind: 'signInFailed', failure: { kind: 'auth', code: 'user_login_error' } },
    userId: null,
  }),
]

/** One page that shows one story after the other, without being loaded again. */
export type StoryPage = Readonly<{
  page: Page
  /** Draws it from nothing, does what the person does there, and waits until nothing moves any more. */
  show(story: Story, language: Language): Promise<void>
  /** Makes the pane so large, in CSS pixels, and waits until all is laid out anew. */
  setSize(width: number, height: number): Promise<void>
}>

/**
 * Opens the page that draws a replayed pane. `url` is that of the playground; `texts` are what is expected to be read
 * there.
 */
export async function openStoryPage(
  page: Page,
  url: string,
  texts: Readonly<Record<Language, Texts>> = textsIn,
): Promise<StoryPage> {
  const underWay = new Set<Request>()
  page.on('request', (request) => underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  // React tells there what the views failed on.
  let complaint = ''
  page.on('console', (said) => {
    if (said.type() === 'error') complaint = said.text()
  })
  let isTouched = true
  /** Until all that is drawn is loaded, and nothing moves. */
  const settle = async () => {
    do await still(page)
    while (underWay.size > 0)
  }

  // Named functions are compiled with a call to it that the page does not know.
  await page.addInitScript('globalThis.__name ??= (value) => value')
  await page.goto(`${url}/replay.html`)
  await page.waitForFunction(() => window.replay !== undefined)
  let shown: Language | null = null
  let isAway = false

  const draw = (moment: Drawn) =>
    page.evaluate(({ state, at }) => {
      window.replay?.show({ state, at, exportLog: () => '' } satisfies Moment)
    }, moment)
  /** Outside of any mail client there is no state yet, and no language but the one that is built in. */
  const showNoHost = async () => {
    isAway = true
    await page.goto(`${url}/pane.html`)
    await page.getByRole('heading', { name: textsIn.en.fatal.noHost, exact: true }).waitFor()
    await settle()
  }
  const comeBack = async () => {
    isAway = false
    shown = null
    await page.goto(`${url}/replay.html`)
    await page.waitForFunction(() => window.replay !== undefined)
  }
  // What a person did in the last story goes, and so does every view of it.
  const clear = async (story: Story, language: Language) => {
    if (isAway) await comeBack()
    if (!isTouched && shown === language && story.arriving === 0) return
    isTouched = false
    // Nor is the pointer over anything.
    await page.mouse.move(0, 0)
    await draw(drawnOf({ ...story, log: nobody }, language))
    if (shown === language) return
    await page.getByRole('heading', { name: texts[language].signIn.title, exact: true }).waitFor()
    shown = language
  }

  return {
    page,
    async setSize(width, height) {
      await page.setViewportSize({ width, height })
      await settle()
    },
    async show(story, language) {
      if (story.fails === 'noHost') return showNoHost()
      await clear(story, language)
      if (story.arriving > 0) {
        await draw(drawnOf(story, language, story.arriving))
        await settle()
      }
      const drawn = drawnOf(story, language)
      // Of a state that is not whole nothing can be drawn.
      await draw(story.fails ? { ...drawn, state: { ...drawn.state, auth: null } as never } : drawn)
      await settle()
      const fatal = page.getByRole('heading', { name: texts[language].fatal.crash, exact: true })
      if (!story.fails && (await fatal.count()) > 0)
        throw new Error(`The views fail on “${story.name}”: ${complaint}`)
      if (story.searches !== '') {
        isTouched = true
        const box = page.getByRole('combobox')
        const before = await page.locator('main').innerText()
        await box.fill(story.searches)
        // The list follows the typing after a pause.
        await page.waitForFunction((former) => document.querySelector('main')?.innerText !== former, before)
        await settle()
      }
      for (const place of story.clicks) {
        isTouched = true
        await page.locator(place).first().click()
        await page.locator('[role="menu"], dialog[open], details[open]').first().waitFor()
        await settle()
      }
    },
  }
}

/** Waits until the previews are measured and nothing has moved for some frames. */
const still = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let before = ''
        let same = 0
        const look = () => {
          // What is laid out anew is written into the page: where rows stand, how large previews are.
          const now = `${document.body.innerHTML.length} ${document.documentElement.scrollHeight}`
          const isMeasuring = document.querySelector('iframe[sandbox="allow-same-origin"]') !== null
          same = now === before && !isMeasuring ? same + 1 : 0
          before = now
          if (same >= 2) resolve()
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
  )
