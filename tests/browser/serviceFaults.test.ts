import { afterEach, describe, expect, it } from 'vitest'
import fr from '../../views/text/fr.json' with { type: 'json' }
import { shownMailbox } from '../../src/playground/mailbox/demo.ts'
import type { ServerFault } from '../../src/server/faults.ts'
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
const VERIFY = 'POST /authentication/addin/azure'
const LIST = 'GET /signatures-cache/api/v1/signatures'
const CACHE = 'GET /signatures-cache/api/v1/signature/addin'

const { open } = useBrowser()

afterEach(() => service.restore())

/** The message holds exactly what the person has begun to write. */
const isUntouched = ({ bodyHtml, attachments, customProperties }: Item, person = ALEX) => {
  const begun = shownMailbox(0).accounts.find(({ address }) => address === person)?.begun
  expect(begun?.author).toMatch(/^<p>./)
  expect(bodyHtml).toBe(begun?.author)
  expect(attachments).toEqual([])
  expect(customProperties).toEqual({})
}

/** `npm run test:long` tests all of them. faults.test.ts tests the same faults through the panel, in one tab. */
const some = <Item>(faults: readonly Item[]): readonly Item[] =>
  process.env['LONG'] === undefined ? faults.slice(0, 1) : faults

describe('the service at start', () => {
  const faults: readonly (readonly [string, ServerFault, string])[] = [
    ['is down', { kind: 'cut' }, 'Couldn’t reach the signature service.'],
    ['is slow', { kind: 'delay', ms: 600_000 }, 'The signature service took too long to respond.'],
    ['answers 500', { kind: 'status', status: 500 }, 'The signature service had a problem.'],
    ['answers 503', { kind: 'status', status: 503 }, 'The signature service isn’t available right now.'],
    [
      'answers broken JSON',
      { kind: 'malformed' },
      'The signature service sent a response that Signet can’t read.',
    ],
    [
      'answers another shape',
      { kind: 'wrongShape' },
      'The signature service sent a response that Signet can’t read.',
    ],
    [
      'answers an empty body',
      { kind: 'empty' },
      'The signature service sent a response that Signet can’t read.',
    ],
    ['answers a web page', { kind: 'html' }, 'The signature service sent a response that Signet can’t read.'],
  ]
  it.each(some(faults))(
    '%s: the pane says so, the message is unchanged, and the retry works',
    async (_, fault, what) => {
      await service.fault('*', fault)
      const playground = await open()
      const { pane } = playground
      const told = pane.getByRole('alert').filter({ hasText: 'You’re not signed in' })
      await told.getByText(what).waitFor()
      isUntouched(await playground.message())

      await service.restore()
      await pane.getByRole('button', { name: 'Try again' }).click()
      await untilInMessage(playground, DEFAULT)
      await option(pane, 'Short').waitFor()
      expect(await pane.getByRole('alert').count()).toBe(0)
    },
  )

  it('does not know the mailbox: the pane says so in the user’s language, and the message is unchanged', async () => {
    const playground = await open({ person: STRANGER })
    const told = playground.pane.getByRole('alert').filter({ hasText: fr.what.unknownUser })
    await told.getByText(fr.action.administrator).waitFor()
    isUntouched(await playground.message(), STRANGER)
    expect(playground.noticed.exceptions).toEqual([])
  })
})

describe('the service after sign-in', () => {
  const faults: readonly (readonly [string, ServerFault, string])[] = [
    ['is down', { kind: 'cut' }, 'Couldn’t reach the signature service.'],
    ['answers 503', { kind: 'status', status: 503 }, 'The signature service isn’t available right now.'],
    [
      'answers another shape',
      { kind: 'wrongShape' },
      'The signature service sent a response that Signet can’t read.',
    ],
  ]
  it.each(some(faults))(
    '%s for the list only: the default is inserted all the same, and the retry works',
    async (_, fault, what) => {
      await service.fault(LIST, fault)
      const playground = await open()
      const { pane } = playground
      await untilInMessage(playground, DEFAULT)
      const told = pane.getByRole('alert').filter({ hasText: 'Couldn’t load your signatures' })
      await told.getByText(what).waitFor()
      await service.restore()
      await told.getByRole('button', { name: 'Try again' }).click()
      await option(pane, 'Short').click()
      await untilInMessage(playground, SHORT)
    },
  )

  it.each(some(faults))(
    '%s for the default only: the list is usable, and the retry works',
    async (_, fault, what) => {
      await service.fault(CACHE, fault)
      const playground = await open()
      const { pane } = playground
      const told = pane.getByRole('alert').filter({ hasText: 'Couldn’t load your default signature' })
      await told.getByText(what).waitFor()
      isUntouched(await playground.message())
      // Below the notice only the rows near the visible part are drawn.
      await pane.getByRole('option').last().scrollIntoViewIfNeeded()
      await option(pane, 'Short').click()
      await untilInMessage(playground, SHORT)
      await service.restore()
      await told.getByRole('button', { name: 'Try again' }).click()
      await eventually(() => told.count()).toBe(0)
      // The user's choice stays.
      expect(signaturesIn(await playground.message())).toEqual([SHORT])
      await playground.page.evaluate(() => window.playground.newMessage())
      await untilInMessage(playground, DEFAULT)
    },
  )
})

describe('a saved session', () => {
  /** Changes the session in the session storage. Returns whether there was one. */
  const changeSession = (change: Record<string, unknown>) => {
    for (const [key, text] of Object.entries(sessionStorage)) {
      const saved = JSON.parse(String(text)) as Record<string, unknown> | null
      if (!saved || !('token' in saved && 'expiresAt' in saved)) continue
      sessionStorage.setItem(key, JSON.stringify({ ...saved, ...change }))
      return true
    }
    return false
  }

  it('that has expired is not used: the user is signed in again, without a click', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    expect(await page.evaluate(changeSession, { expiresAt: 1 })).toBe(true)
    await service.forget()
    await page.reload()
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    expect(await service.requests()).toContain(VERIFY)
  })

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
