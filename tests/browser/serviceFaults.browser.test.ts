import { afterEach, describe, expect, it } from 'vitest'
import fr from '../../views/pane/text/fr.json' with { type: 'json' }
import { demoMailboxAt } from '../../src/playground/mailbox/demo.ts'
import {
  ALEX,
  type Item,
  STRANGER,
  eventually,
  imagesOf,
  option,
  service,
  signaturesIn,
  untilInMessage,
  useBrowser,
} from './pane.ts'

const DEFAULT = 'portrait-u-1'
const SHORT = 'short-u-1'
const CACHE = 'GET /signatures-cache/api/v1/signature/addin'

const { open } = useBrowser()

afterEach(() => service.restore())

/** The message holds exactly what the person has begun to write. */
const isUntouched = ({ bodyHtml, attachments, customProperties }: Item, person = ALEX) => {
  const begun = demoMailboxAt(0).accounts.find(({ address }) => address === person)?.begun
  expect(begun?.author).toMatch(/^<p>./)
  expect(bodyHtml).toBe(begun?.author)
  expect(attachments).toEqual([])
  expect(customProperties).toEqual({})
}

// faults.test.ts sets each fault of the service through the panel, and tests/journeys have what the pane does then.

describe('the service', () => {
  it('does not know the mailbox: the pane says so in the user’s language, and the message is unchanged', async () => {
    const playground = await open({ person: STRANGER })
    const told = playground.pane.getByRole('alert').filter({ hasText: fr.what.unknownUser })
    await told.getByText(fr.action.administrator).waitFor()
    isUntouched(await playground.message(), STRANGER)
    expect(playground.noticed.exceptions).toEqual([])
  })

  it('is down for the default only: the list is usable, and the retry works', async () => {
    await service.fault(CACHE, { kind: 'cut' })
    const playground = await open()
    const { pane } = playground
    const told = pane.getByRole('alert').filter({ hasText: 'Couldn’t load your default signature' })
    await told.getByText('Couldn’t reach the signature service.').waitFor()
    isUntouched(await playground.message())
    // Below the notice only the rows near the visible part are drawn.
    await pane.getByRole('option').first().scrollIntoViewIfNeeded()
    await option(pane, 'Short').click()
    await untilInMessage(playground, SHORT)
    await service.restore()
    await told.getByRole('button', { name: 'Try again' }).click()
    await eventually(() => told.count()).toBe(0)
    // The user's choice stays.
    expect(signaturesIn(await playground.message())).toEqual([SHORT])
    await playground.page.evaluate(() => window.playground.newMessage())
    await untilInMessage(playground, DEFAULT)
  })
})

describe('a saved session', () => {
  /** Changes the session in the session storage. Returns whether there was one. */
  const changeSession = (change: Record<string, unknown>) => {
    for (const [key, text] of Object.entries(sessionStorage)) {
      const saved = JSON.parse(String(text)) as Record<string, unknown> | string | null
      if (!saved || typeof saved === 'string' || !('token' in saved && 'expiresAt' in saved)) continue
      sessionStorage.setItem(key, JSON.stringify({ ...saved, ...change }))
      return true
    }
    return false
  }

  it('that the service rejects is ended: the pane says so, the message is unchanged, and the retry works', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    expect(await page.evaluate(changeSession, { token: 'no.such.token' })).toBe(true)
    await page.reload()
    const told = pane.getByRole('alert').filter({ hasText: 'Your session has ended' })
    await told.getByText('The signature service didn’t accept your sign-in.').waitFor()
    const { attached, shown } = imagesOf(await playground.message())
    expect(attached).toEqual(shown)
    await pane.getByRole('button', { name: 'Sign in' }).click()
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
  })
})
