import { VirtualTimeScheduler, of, type Observable } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { Log, MailHost } from '../../../effects/ports.ts'
import type { CallName, MailClient } from '../../../src/engine/hosts/mailClient.ts'
import { createOfficeClient } from '../../../src/engine/hosts/officeClient.ts'
import { createPaneHost } from '../../../src/engine/hosts/paneHost.ts'
import { demoMailbox, DEMO_THEMES } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox, type Mailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { createOfficeFacade } from '../../../src/playground/mailbox/officeFacade.ts'
import { fieldPathsIn, SPOIL_KINDS, type SpoiltField } from '../../../src/playground/mailbox/spoil.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'

const log: Log = { debug: () => undefined, warn: () => undefined, error: () => undefined }
const PIXEL = 'iVBORw0KGgo='

/** A message with recipients, a picture, properties and session data. */
function arrange() {
  const scheduler = new VirtualTimeScheduler()
  const mailbox = createMailbox(
    { ...demoMailbox(), theme: DEMO_THEMES.dark },
    { time: { scheduler }, accessToken: (email) => of(email) },
  )
  mailbox.act({
    type: 'setRecipients',
    to: [{ address: 'maria@fabrikam.example', name: 'Maria' }],
    cc: [{ address: 'leo@northwind.example', name: 'Leo' }],
  })
  const nothing = () => undefined
  const image = { base64File: PIXEL, attachmentName: 'a.png', isInline: true }
  mailbox.call('addFileAttachmentFromBase64Async', image, nothing)
  mailbox.call('customProperties.saveAsync', { properties: { kept: { by: 'Signet' } } }, nothing)
  mailbox.call('sessionData.setAsync', { name: 'kept', value: 'yes' }, nothing)
  scheduler.flush()
  return { mailbox, scheduler }
}

const readingOf = (host: MailHost, key: string): Readonly<Record<string, Observable<unknown>>> => ({
  user: host.user(),
  composeType: host.composeType(key),
  isSaved: host.isSaved(key),
  bodyType: host.bodyType(key),
  from: host.from(key),
  recipients: host.recipients(key),
  body: host.body(key, 'html'),
  attachments: host.attachments(key),
  clientSignature: host.clientSignature(key),
  customProperties: host.customProperties(key),
  sessionData: host.sessionData(key, 'kept'),
  allSessionData: host.allSessionData(key),
  addInlineImage: host.addInlineImage(key, PIXEL, 'b.png'),
  theme: host.theme$,
})

/** What a pane reads of this mail client: the value of each read, or the kind of its failure. */
function readAll(client: MailClient, { scheduler }: ReturnType<typeof arrange>) {
  const { host } = createPaneHost(client, { name: 'outlook', time: { scheduler }, log })
  const read: Record<string, unknown> = { language: host.displayLanguage, about: host.about }
  for (const [name, value$] of Object.entries(readingOf(host, client.currentItem()?.key ?? '')))
    value$.subscribe({
      next: (value) => (read[name] = value),
      error: (error: unknown) => (read[name] = toFailure(error).kind),
    })
  scheduler.flush()
  return read
}

const direct = (mailbox: Mailbox): MailClient => mailbox.client
const throughOffice = (mailbox: Mailbox): MailClient => {
  const facade = createOfficeFacade()
  facade.connect(mailbox.client)
  return createOfficeClient(facade.office, log)
}

/** Every field of every answer that `readAll` gets. */
const FIELDS = (() => {
  const arranged = arrange()
  const { client } = arranged.mailbox
  const answers: [SpoiltField['answer'], unknown][] = [
    ['start', client.start],
    ['theme', client.theme()],
  ]
  readAll(
    {
      ...client,
      call: (name: CallName, args: never, done) =>
        client.call(name, args, (reply) => {
          if (reply.ok) answers.push([name, reply.value])
          done(reply)
        }),
    },
    arranged,
  )
  return answers.flatMap(([answer, value]) => fieldPathsIn(value).map((field) => [answer, field] as const))
})()

describe('[HOST-10] a value of the mail client that is', () => {
  test.each(SPOIL_KINDS)('%s is unknown, and costs only itself', (as) => {
    const calm = arrange()
    const well = readAll(direct(calm.mailbox), calm)
    for (const [answer, field] of FIELDS) {
      const arranged = arrange()
      arranged.mailbox.spoil(answer, field, as)
      const read = readAll(direct(arranged.mailbox), arranged)
      const changed = Object.keys(well).filter(
        (name) => JSON.stringify(read[name]) !== JSON.stringify(well[name]),
      )
      // The start as a whole has the language, the user, the facts about the client, and the version that has calls.
      const most = answer === 'start' ? 4 : 1
      expect(changed.length, `${answer} ${field}: ${changed.join()}`).toBeLessThanOrEqual(most)
    }
  })

  test.each(SPOIL_KINDS)('%s is read through Microsoft’s library as from the simulated client', (as) => {
    for (const [answer, field] of FIELDS) {
      const [one, other] = [arrange(), arrange()]
      for (const { mailbox } of [one, other]) mailbox.spoil(answer, field, as)
      const expected = readAll(direct(one.mailbox), one)
      const { about: _, ...read } = readAll(throughOffice(other.mailbox), other)
      expect(expected, `${answer} ${field}`).toMatchObject(read)
    }
  })

  test.each<[string, SpoiltField, string, unknown]>([
    [
      'a recipient without an address',
      { answer: 'to.getAsync', field: '0.address', as: 'null' },
      'recipients',
      { to: [] },
    ],
    [
      'a sender without an address',
      { answer: 'from.getAsync', field: 'address', as: 'missing' },
      'from',
      null,
    ],
    [
      'a recipient without a name',
      { answer: 'cc.getAsync', field: '0.name', as: 'null' },
      'recipients',
      { cc: [{ address: 'leo@northwind.example', name: '' }] },
    ],
    [
      'a picture without a name',
      { answer: 'getAttachmentsAsync', field: '0.name', as: 'null' },
      'attachments',
      [{ name: 'a.png' }],
    ],
    [
      'a picture that cannot be told from others',
      { answer: 'getAttachmentsAsync', field: '0', as: 'empty' },
      'attachments',
      null,
    ],
    [
      'an attachment without an id',
      { answer: 'getAttachmentsAsync', field: '0.id', as: 'missing' },
      'attachments',
      [{ id: '', name: 'a.png' }],
    ],
    ['a body type', { answer: 'body.getTypeAsync', field: '', as: 'null' }, 'bodyType', 'html'],
    ['a body', { answer: 'body.getAsync', field: '', as: 'missing' }, 'body', null],
    ['session data', { answer: 'sessionData.getAllAsync', field: 'kept', as: 'wrong' }, 'allSessionData', {}],
    ['a brightness', { answer: 'theme', field: 'bodyBackgroundColor', as: 'null' }, 'theme', null],
    ['a language', { answer: 'start', field: 'displayLanguage', as: 'missing' }, 'language', ''],
  ])('%s: what the pane reads', (_, { answer, field, as }, name, expected) => {
    for (const make of [direct, throughOffice]) {
      const arranged = arrange()
      arranged.mailbox.spoil(answer, field, as)
      expect(readAll(make(arranged.mailbox), arranged)).toMatchObject({ [name]: expected })
    }
  })
})
