/// <reference types="office-js" />
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { meetingContract, messageContract, noticeContract, userContract } from '../engine/hosts/contract.ts'
import { launchChromium } from './chromium.ts'
import { realOffice } from './office/realOffice.ts'

const ending: (() => Promise<void>)[] = []
let office: Awaited<ReturnType<typeof realOffice>>

beforeAll(async () => {
  const browser = await launchChromium()
  ending.push(() => browser.close())
  office = await realOffice(browser)
  ending.push(() => office.close())
})
afterAll(async () => {
  for (const end of ending.reverse()) await end()
})

describe("[PLAY-2] Outlook through Microsoft's own library", () => {
  const make = () => office.make()
  describe('[HOST-7] the user', () => userContract(make))
  describe('[HOST-9] a notice in the message', () => noticeContract(make))
  describe('messages', () => messageContract(make))
  describe('meetings', () => meetingContract(make))
  describe('meetings on the web', () => meetingContract(() => office.make('web')))
})

describe("the host over Microsoft's own library", () => {
  test('[PLAY-2] is Outlook, with the API version and the language of the mail client', async () => {
    const { host, pane } = await office.make()
    expect(host.name).toBe('outlook')
    expect(host.displayLanguage).toBe('en-US')
    const sets = await pane.evaluate(() =>
      ['1.1', '1.15', '1.16'].map((version) =>
        Office.context.requirements.isSetSupported('Mailbox', version),
      ),
    )
    expect(sets).toEqual([true, true, false])
  })

  test('restores the history functions that the library removes', async () => {
    const { pane } = await office.make()
    expect(await pane.evaluate(() => [typeof history.pushState, typeof history.replaceState])).toEqual([
      'function',
      'function',
    ])
  })

  test('returns the token of the user, or the error code', async () => {
    const { mailbox, accessToken } = await office.make()
    const options = { allowConsentPrompt: true, silent: false }
    expect(await accessToken(options)).toEqual({ value: 'token of alex.kim@northwind.example' })
    mailbox.fail('auth.getAccessToken', { code: 13001, name: '' })
    expect(await accessToken(options)).toMatchObject({ failure: { kind: 'auth', code: 'host_13001' } })
  })

  test.each([
    ['longer than 30,000 characters', 'html', 'x'.repeat(30_001), 2009],
    ['HTML in a plain message', 'text', '<b>x</b>', 2006],
  ] as const)('fails for a refused signature: %s', async (_, bodyType, signature, code) => {
    const { host, mailbox, run, rest } = await office.make()
    mailbox.act({ type: 'setBodyType', bodyType })
    await rest()
    let key = ''
    host.item$.subscribe((item) => (key = item?.key ?? '')).unsubscribe()
    expect(await run(host.setSignature(key, signature, 'html'))).toMatchObject({
      failure: { kind: 'host', call: 'body.setSignatureAsync', code },
    })
  })

  test('does not take the focus', async () => {
    const { host, pane, run, mailbox, rest } = await office.make()
    const page = pane.page()
    await page.evaluate(() => {
      const field = document.createElement('input')
      document.body.append(field)
      field.focus()
    })
    mailbox.act({ type: 'newMessage' })
    await rest()
    let key = ''
    host.item$.subscribe((item) => (key = item?.key ?? '')).unsubscribe()
    await run(host.setSignature(key, 'S', 'html'))
    await run(host.showNotice(key, 'shown'))
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  })
})
