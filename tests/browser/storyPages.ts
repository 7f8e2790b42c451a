import type { Page, Request } from 'playwright-core'
import type { SessionMoment } from '../../src/playground/timeline/session.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import type { Language } from '../../streams/wire/languages.ts'
import de from '../../views/pane/text/de.json' with { type: 'json' }
import en from '../../views/pane/text/en.json' with { type: 'json' }
import es from '../../views/pane/text/es.json' with { type: 'json' }
import fr from '../../views/pane/text/fr.json' with { type: 'json' }
import it from '../../views/pane/text/it.json' with { type: 'json' }
import nl from '../../views/pane/text/nl.json' with { type: 'json' }
import pt from '../../views/pane/text/pt.json' with { type: 'json' }
import ptBR from '../../views/pane/text/pt-BR.json' with { type: 'json' }
import type { Texts } from '../../views/pane/text/texts.ts'
import { type Drawn, drawnOf, type Story } from '../support/stories.ts'

/** The pane's texts by language. */
export const textsIn: Readonly<Record<Language, Texts>> = { de, en, es, fr, it, nl, pt, 'pt-BR': ptBR }

/** The user's display settings, as Playwright's `emulateMedia` takes them. */
export const looks = {
  light: { colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' },
  dark: { colorScheme: 'dark', forcedColors: 'none', reducedMotion: 'reduce' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active', reducedMotion: 'reduce' },
} as const
export type Look = keyof typeof looks
export const lookNames = Object.keys(looks) as readonly Look[]

/** The narrowest pane that Outlook opens, and a wide one, in CSS pixels. */
export const WIDTHS_PX = [320, 450] as const
export const HEIGHT_PX = 720

/** The log of a signed-out pane without an alert. */
const signedOut = [
  Auth.signedOut({
    reason: { kind: 'signInFailed', failure: { kind: 'auth', code: 'user_login_error' } },
    userId: null,
  }),
]

/** A page that shows stories one after the other, without a reload. */
export type StoryPage = Readonly<{
  page: Page
  /** Renders the story, performs its user actions, and waits until the page is stable. */
  show(story: Story, language: Language): Promise<void>
  /** Sets the size of the pane, in CSS pixels, and waits until the page is stable. */
  setSize(width: number, height: number): Promise<void>
}>

/**
 * Opens the page that renders a replayed pane. `url` is that of the playground; `texts` are the pane's expected texts.
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
  // React reports the errors of the views on the console.
  let complaint = ''
  page.on('console', (said) => {
    if (said.type() === 'error') complaint = said.text()
  })
  let isTouched = true
  /** Waits until the page is stable and every request has finished. */
  const settle = async () => {
    do await still(page)
    while (underWay.size > 0)
  }

  // The compiler wraps named functions in calls of this helper, which the page does not define.
  await page.addInitScript('globalThis.__name ??= (value) => value')
  await page.goto(`${url}/replay.html`)
  await page.waitForFunction(() => window.replay !== undefined)
  let shown: Language | null = null
  let isAway = false

  const draw = (moment: Drawn) =>
    page.evaluate(({ state, at }) => {
      window.replay?.show({ state, at } satisfies SessionMoment)
    }, moment)
  /** Without a mail client the pane has no state yet, and only its built-in language. */
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
  // Removes the view of the last story and the traces of its user actions.
  const clear = async (story: Story, language: Language) => {
    if (isAway) await comeBack()
    if (!isTouched && shown === language && story.arriving === 0) return
    isTouched = false
    // The pointer hovers over no control.
    await page.mouse.move(0, 0)
    await draw(drawnOf({ ...story, log: signedOut }, language))
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
      // A broken state makes the views fail.
      await draw(story.fails ? { ...drawn, state: { ...drawn.state, auth: null } as never } : drawn)
      await settle()
      const fatal = page.getByRole('heading', { name: texts[language].fatal.crash, exact: true })
      if (!story.fails && (await fatal.count()) > 0)
        throw new Error(`The views fail on “${story.name}”: ${complaint}`)
      for (const place of story.clicks) {
        isTouched = true
        const control = page.locator(place).first()
        // A scroll draws more rows of the list, which moves what stands below it while the button is down.
        await control.scrollIntoViewIfNeeded()
        await settle()
        await control.click()
        await page
          .locator('[role="menu"], dialog[open], details[open], button[aria-expanded="true"]')
          .first()
          .waitFor()
        await settle()
      }
    },
  }
}

/** Waits until the previews are measured and the page has not changed for three frames. */
const still = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let before = ''
        let same = 0
        const look = () => {
          // A new layout changes the HTML, which contains the positions of rows and the sizes of previews.
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
