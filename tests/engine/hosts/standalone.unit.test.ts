import { asyncScheduler, firstValueFrom, type Observable, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { MailHost } from '../../../effects/ports.ts'
import { chooseHost } from '../../../src/engine/hosts/chooseHost.ts'
import { createStandaloneHost, createStandaloneProvider } from '../../../src/engine/hosts/standalone.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { fakeLog } from '../../support/log.ts'

const time = { scheduler: asyncScheduler }

describe('the standalone provider', () => {
  const browserPage = (search = '') => {
    const page = { navigator: { language: 'de-AT' }, location: { search }, parent: null as unknown }
    page.parent = page
    return page
  }
  const provider = (production: boolean, page = browserPage()) =>
    createStandaloneProvider({
      page,
      production,
      createIdentity: () => ({
        known: () => null,
        accessToken: () => of(createSecret('token')),
        signOut: () => of(undefined),
        method: () => null,
        account: () => null,
      }),
      log: fakeLog(),
    })

  test('[HOST-2] resolves no host in production', async () => {
    expect(await firstValueFrom(provider(true).resolve())).toBeNull()
    await expect(firstValueFrom(chooseHost([provider(true)], { time, log: fakeLog() }))).rejects.toThrow(
      'no host resolved',
    )
  })

  test('resolves outside production, in the language of the browser', async () => {
    const hosted = await firstValueFrom(provider(false).resolve())
    expect(hosted?.host).toMatchObject({ name: 'standalone', displayLanguage: 'de-AT' })
  })

  test('resolves no host in a frame, where a mail client did not answer', async () => {
    const page = { ...browserPage(), parent: {} }
    expect(await firstValueFrom(provider(false, page).resolve())).toBeNull()
  })

  test('resolves no host in the window of a mail client that did not answer', async () => {
    const page = browserPage('?_host_Info=Outlook$Win32$16.01$en-US')
    expect(await firstValueFrom(provider(false, page).resolve())).toBeNull()
    expect(await firstValueFrom(provider(false, browserPage('?locale=en')).resolve())).not.toBeNull()
  })
})

describe('calls that need a mail client', () => {
  const log = fakeLog()
  const host = createStandaloneHost({ known: () => null, language: 'en-US', log })
  const outcome = (call$: Observable<unknown>) =>
    firstValueFrom(call$).catch((error: unknown) => toFailure(error))

  const writes: readonly [string, (host: MailHost) => Observable<unknown>][] = [
    ['setSignature', (of) => of.setSignature('item', '<p>S</p>', 'html')],
    ['disableClientSignature', (of) => of.disableClientSignature('item')],
    ['setBody', (of) => of.setBody('item', '<p>S</p>', 'html')],
    ['addInlineImage', (of) => of.addInlineImage('item', '', 'a.png')],
    ['removeAttachment', (of) => of.removeAttachment('item', 'a')],
    ['saveCustomProperties', (of) => of.saveCustomProperties('item', {})],
    ['setSessionData', (of) => of.setSessionData('item', 'a', 'b')],
    ['saveRoaming', (of) => of.saveRoaming('a', {})],
  ]
  test.each(writes)('[HOST-8] %s fails with Not available on Standalone', async (call, write) => {
    expect(await outcome(write(host))).toEqual({
      kind: 'host',
      call,
      code: 0,
      name: 'Not available on Standalone',
    })
  })

  const reads: readonly [string, (host: MailHost) => Observable<unknown>, unknown][] = [
    ['composeType', (of) => of.composeType('item'), null],
    ['bodyType', (of) => of.bodyType('item'), null],
    ['from', (of) => of.from('item'), null],
    ['recipients', (of) => of.recipients('item'), { to: [], cc: [] }],
    ['body', (of) => of.body('item', 'html'), null],
    ['attachments', (of) => of.attachments('item'), null],
    ['clientSignature', (of) => of.clientSignature('item'), null],
    ['customProperties', (of) => of.customProperties('item'), {}],
    ['sessionData', (of) => of.sessionData('item', 'a'), null],
    ['allSessionData', (of) => of.allSessionData('item'), null],
    ['showNotice', (of) => of.showNotice('item', 'text'), undefined],
    ['dismissNotice', (of) => of.dismissNotice('item'), undefined],
    ['showLaunchNotice', (of) => of.showLaunchNotice('item', { text: '', button: '' }), undefined],
    ['dismissLaunchNotice', (of) => of.dismissLaunchNotice('item'), undefined],
  ]
  test.each(reads)(
    '[HOST-8] %s gives an empty result and logs Not available on Standalone',
    async (call, read, empty) => {
      expect(await outcome(read(host))).toEqual(empty)
      expect(log.lines.at(-1)).toEqual({
        level: 'warn',
        action: 'Not available on Standalone',
        detail: { call },
      })
    },
  )

  test('no item is ever open', async () => {
    expect(await firstValueFrom(host.item$)).toBeNull()
  })
})
