import { selectListedEntries } from '../../../streams/pane/signatures/selectors.ts'
import { type InsertionTarget, Insertion } from '../../../streams/message/insertion/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import fc from 'fast-check'
import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { signatureMarkFor, CLAIM_KEY_PREFIX } from '../../../effects/message/claim.ts'
import { runInsertions } from '../../../effects/message/insertion.ts'
import { SIGNATURE_IN_TEXT_KEY } from '../../../effects/message/replacement.ts'
import {
  INSERTED_SIGNATURE_KEY,
  REPLACED_SIGNATURE_KEY,
  STOP_PUSH_KEY,
  followItem,
  readMessage,
} from '../../../effects/message/mailbox.ts'
import type { Attachment, Ports } from '../../../effects/ports.ts'
import { App, type AppEvent, type LoggedEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { createStore } from '../../../streams/kernel/store.ts'
import { type ComposeType, Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { ListedSignature } from '../../../streams/wire/signatures.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { createClock } from '../../support/clock.ts'
import { arm, faultKinds, faultyCalls, REFUSED } from '../../support/mailFaults.ts'
import { withMarbles } from '../../support/marbles.ts'
import { type FakePorts, failing, mailboxPorts, silent$ } from '../../support/ports.ts'
import {
  cachedSignature,
  compose,
  image,
  listedSignature,
  masterId,
  replyVersion,
  session,
  signedInWriting,
  stateAfter,
} from '../../support/state.ts'
import { cases } from '../../support/cases.ts'

const CDN = 'https://cdn.example/img'
const urls = (count: number, folder: string) =>
  Array.from({ length: count }, (_, index) => `${CDN}/${folder}/picture-${index}.png`)
const showing = (name: string, all: readonly string[]) =>
  `<p>${name}</p>${all.map((url) => `<img src="${url}">`).join('')}`
const listed = (name: string, all: readonly string[], over: Partial<ListedSignature> = {}) =>
  listedSignature({
    name,
    combinedIds: `c-${name}`,
    html: showing(name, all),
    images: all.map((url) => image(url)),
    ...over,
  })

const LINKED_PICTURE = `${CDN}/linked/${'a'.repeat(32)}/logo.png`

/** The list: five pictures, one picture, none, two listed without contents, too large, empty, a linked picture. */
const [RICH, ONE, PLAIN, BARE, LARGE, EMPTY, LINKED] = [0, 1, 2, 3, 4, 5, 6].map((index) =>
  masterId(1, index),
) as [string, string, string, string, string, string, string]
const objects = [
  listed('Rich', urls(5, 'rich')),
  listed('One', urls(1, 'one')),
  listed('Plain', []),
  listed('Bare', urls(2, 'bare'), { images: [] }),
  listed('Large', [], { html: 'x'.repeat(40_000) }),
  listed('Empty', [], { html: '' }),
  listed('Linked', [LINKED_PICTURE], { images: [] }),
]
const listLoaded = Signatures.pageLoaded({
  list: 'own',
  epoch: 0,
  page: { page: 1, total: objects.length, objects },
})
const listedAs = (entryId: string): ListedSignature => {
  const object = objects[[RICH, ONE, PLAIN, BARE, LARGE, EMPTY, LINKED].indexOf(entryId)]
  if (!object) throw new Error('no such entry')
  return object
}
const hashOf = (entryId: string) => contentHash(listedAs(entryId).html)

const writing = [...signedInWriting('item-1'), listLoaded]
const chosen = (entryId: string, itemKey = 'item-1') => Insertion.chosen({ entryId, itemKey })
const entry = (entryId: string): InsertionTarget => ({ kind: 'entry', entryId })
const progressed = (id: number, imagesDone: number, imagesTotal: number) =>
  Insertion.progressed({ id, imagesDone, imagesTotal })
const succeeded = (
  id: number,
  entryId: string,
  images = listedAs(entryId).images,
  { itemKey, composeType }: Readonly<{ itemKey: string; composeType: ComposeType | null }> = {
    itemKey: 'item-1',
    composeType: 'newMail',
  },
) => {
  const { name, combinedIds, html } = listedAs(entryId)
  const reason = { origin: 'manual', composeType, reply: false } as const
  return Insertion.succeeded({
    id,
    itemKey,
    target: entry(entryId),
    inMessage: { combinedIds, hash: hashOf(entryId), name, reason },
    content: { html, images },
  })
}
const failed = (id: number, target: InsertionTarget, failure: Failure) =>
  Insertion.failed({ id, itemKey: 'item-1', target, failure })
const settled = (id: number) => Insertion.settled({ id })

/** A signature as this runtime writes it into the first item. */
const wrapped = (inner: string, hash = hashOf(PLAIN), ids = 'c-Plain') => {
  const mark = signatureMarkFor('item-1', { runtimeId: 'runtime' })
  return `<div class="signet" contenteditable="false" data-signet-id="${ids}" data-signet-hash="${hash}" data-signet-mark="${mark}" id="signet_${mark}_${hash}_${ids}">${inner}</div>`
}

const attachment = (name: string, over: Partial<Attachment> = {}): Attachment => ({
  id: `id-${name}`,
  name,
  size: 8,
  isInline: true,
  contentId: name,
  ...over,
})
/** Without what claims the message. */
const sentNames = (ports: FakePorts) =>
  ports.sent.filter(({ args: [, key] }) => !isClaim(key)).map(({ name }) => name)
const isClaim = (key: unknown) => typeof key === 'string' && key.startsWith(CLAIM_KEY_PREFIX)
const writes = [
  'host.addInlineImage',
  'host.setSignature',
  'host.removeAttachment',
  'host.setSessionData',
  'host.saveCustomProperties',
  'host.disableClientSignature',
]

describe('an insertion', () => {
  test('[INS-1] adds the new images, sets the signature, then removes the images no longer shown', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const { host } = ports
      host.attachments.answers(
        of([attachment('lsi-attachold.png')]),
        of([
          attachment('lsi-attachold.png'),
          attachment('lsi-attachquoted.png'),
          attachment('lsi-attachpicture-0.png', { contentId: 'x-1' }),
          attachment('lsi-attachby-id.png', { contentId: 'x-2' }),
          attachment('lsi-attach-mine.pdf', { isInline: false }),
          attachment('photo.png'),
        ]),
      )
      host.body.answers(
        of('<img src="cid:lsi-attachquoted.png">'),
        of(
          `${wrapped('<p>One</p><img src="cid:lsi-attachpicture-0.png">', hashOf(ONE), 'c-One')}<img src="cid:lsi-attachquoted.png"> <img src="cid:x-2">`,
        ),
      )
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(ONE) }), { given: writing })).toBe(
        '(pis)',
        {
          p: progressed(0, 1, 1),
          i: succeeded(0, ONE),
          s: settled(0),
        },
      )
      afterwards(() => {
        expect(sentNames(ports).filter((name) => writes.includes(name))).toEqual([
          'host.addInlineImage',
          'host.setSignature',
          'host.setSessionData',
          'host.saveCustomProperties',
          'host.removeAttachment',
        ])
        expect(host.removeAttachment.calls).toEqual([['item-1', 'id-lsi-attachold.png']])
        expect(host.addInlineImage.calls).toEqual([
          ['item-1', listedAs(ONE).images[0]?.content, 'lsi-attachpicture-0.png'],
        ])
      })
    })
  })

  test('[INS-3] sets the signature in its wrapper, as html; an empty one as an empty string', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const { body, setSignature } = ports.host
      body.answers(() => of(setSignature.calls.at(-1)?.[1] ?? ''))
      const happening$ = hot('c 9ms e', { c: chosen(PLAIN), e: chosen(EMPTY) })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing })).toBe('(is) 6ms (jt)', {
        i: succeeded(0, PLAIN),
        s: settled(0),
        j: succeeded(3, EMPTY),
        t: settled(3),
      })
      afterwards(() => {
        expect(ports.host.setSignature.calls).toEqual([
          ['item-1', wrapped('<p>Plain</p>'), 'html'],
          ['item-1', '', 'html'],
        ])
      })
    })
  })

  test('attaches at most three images at a time, and reports the progress', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.host.addInlineImage.answers(() => cold('10ms (a|)', { a: 'id' }))
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(RICH) }), { given: writing })).toBe(
        '10ms (abc) 5ms (deis)',
        {
          a: progressed(0, 1, 5),
          b: progressed(0, 2, 5),
          c: progressed(0, 3, 5),
          d: progressed(0, 4, 5),
          e: progressed(0, 5, 5),
          i: succeeded(0, RICH),
          s: settled(0),
        },
      )
      afterwards(() => {
        expect(ports.host.addInlineImage.mostAtOnce()).toBe(3)
        expect(ports.sent.filter(({ name }) => name === 'host.addInlineImage').map(({ at }) => at)).toEqual([
          0, 0, 0, 10, 10,
        ])
      })
    })
  })

  test('keeps the insertion in session data, and sets the stop-push flag for a choice', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.customProperties.answers(of({ other: 1 }))
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(PLAIN) }), { given: writing })).toBe(
        '(is)',
        {
          i: succeeded(0, PLAIN),
          s: settled(0),
        },
      )
      afterwards(() => {
        const [[itemKey, name, json] = []] = ports.host.setSessionData.calls.filter(
          ([, key]) => !isClaim(key),
        )
        expect([itemKey, name]).toEqual(['item-1', INSERTED_SIGNATURE_KEY])
        expect(JSON.parse(json ?? '')).toMatchObject({
          combinedIds: 'c-Plain',
          hash: hashOf(PLAIN),
          name: 'Plain',
          reply: false,
          manual: true,
          at: 0,
        })
        const { name: _, at: __, ...record } = JSON.parse(json ?? '') as { name: string; at: number }
        expect(ports.host.saveCustomProperties.calls).toEqual([
          [
            'item-1',
            {
              other: 1,
              [INSERTED_SIGNATURE_KEY]: { ...record, composeType: 'newMail' },
              [STOP_PUSH_KEY]: { composeType: 'newMail', combinedIds: 'c-Plain' },
            },
          ],
        ])
        expect(record).toMatchObject({
          trace: {
            mark: signatureMarkFor('item-1', { runtimeId: 'runtime' }),
            pictures: [],
            copies: [1, 0],
            seen: 'mark',
          },
        })
      })
    })
  })

  test('[CLIENT-1] keeps the mark of what it wrote when the message cannot be read back', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.body.answers(() => of(ports.host.setSignature.calls.length === 0 ? '' : null))
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(PLAIN) }), { given: writing })).toBe(
        '(is)',
        {
          i: succeeded(0, PLAIN),
          s: settled(0),
        },
      )
      afterwards(() => {
        const [[, properties] = []] = ports.host.saveCustomProperties.calls
        expect(properties?.[INSERTED_SIGNATURE_KEY]).toMatchObject({
          trace: { mark: signatureMarkFor('item-1', { runtimeId: 'runtime' }), seen: null },
        })
      })
    })
  })

  test('[SIG-8] of the default takes the reply version in a reply, and sets no stop-push flag', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const signature = cachedSignature({
        reply: replyVersion(showing('Reply', urls(1, 'r'))),
        images: urls(1, 'r').map((url) => image(url)),
      })
      const hash = contentHash(signature.reply?.html ?? '')
      const given = [
        ...signedInWriting('item-1', { composeType: 'reply' }),
        Defaults.loaded({ value: signature }),
      ]
      const due = Insertion.defaultDue({ itemKey: 'item-1', hash })
      const reason = { origin: 'default', composeType: 'reply', reply: true } as const
      expectEvents(react({ insert: runInsertions }, hot('d', { d: due }), { given })).toBe('(pis)', {
        p: progressed(0, 1, 1),
        i: Insertion.succeeded({
          id: 0,
          itemKey: 'item-1',
          target: { kind: 'default' },
          inMessage: { combinedIds: 'c-standard', hash, name: 'Standard', reason },
          content: { html: signature.reply?.html ?? '', images: signature.images },
        }),
        s: settled(0),
      })
      afterwards(() => {
        expect(
          ports.host.saveCustomProperties.calls.map(([, properties]) => Object.keys(properties)),
        ).toEqual([[INSERTED_SIGNATURE_KEY]])
        expect(ports.host.setSignature.calls[0]?.[1]).toContain(
          '<p>Reply</p><img src="cid:lsi-attachpicture-0.png">',
        )
      })
    })
  })

  test('fetches the images that the list did not include', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const images = urls(2, 'bare').map((url) => image(url))
      ports.api.signature.answers(cold('20ms (s|)', { s: cachedSignature({ images }) }))
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(BARE) }), { given: writing })).toBe(
        '20ms (abis)',
        {
          a: progressed(0, 1, 2),
          b: progressed(0, 2, 2),
          i: succeeded(0, BARE, images),
          s: settled(0),
        },
      )
      afterwards(() => {
        expect(ports.api.signature.calls).toEqual([[{ combinedIds: 'c-Bare' }]])
      })
    })
  })

  test('asks for no images of a signature whose pictures are all linked', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(
        react({ insert: runInsertions }, hot('c', { c: chosen(LINKED) }), { given: writing }),
      ).toBe('(is)', { i: succeeded(0, LINKED), s: settled(0) })
      afterwards(() => {
        expect(ports.api.signature.calls).toEqual([])
        expect(ports.host.addInlineImage.calls).toEqual([])
        expect(ports.host.setSignature.calls).toEqual([
          ['item-1', wrapped(showing('Linked', [LINKED_PICTURE]), hashOf(LINKED), 'c-Linked'), 'html'],
        ])
      })
    })
  })

  test('[START-6] records equal fetched images once, and others as they are', () => {
    withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
      const fetched = (content: string) =>
        of(cachedSignature({ images: urls(2, 'bare').map((url) => image(url, { content })) }))
      const other = Buffer.from(image('').content, 'base64').toString('base64')
      ports.api.signature.answers(
        () => fetched(image('').content),
        () => fetched(other),
        () => fetched(''),
      )
      const recorded: unknown[] = []
      const happened$ = react(
        { insert: runInsertions },
        hot('a 9ms b 9ms c', { a: chosen(BARE), b: chosen(BARE), c: chosen(BARE) }),
        {
          given: writing,
          stores: ({ event$ }) =>
            event$.subscribe(({ type, data }) => {
              if (type === 'insertion/succeeded') recorded.push(data.content.images)
            }),
        },
      )
      expectObservable(happened$, '^ 40ms !')
      afterwards(() => {
        const [first, second, third] = recorded
        expect(second).toBe(first)
        expect(third).not.toEqual(first)
      })
    })
  })

  test.each<Failure>([{ kind: 'network' }, { kind: 'timeout' }])(
    'shows pictures that it cannot fetch by their address, and logs it: $kind',
    (failure) => {
      withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
        ports.api.signature.answers(failing(failure))
        expectObservable(
          react({ insert: runInsertions }, hot('a', { a: chosen(BARE) }), { given: writing }),
          '^ 40ms !',
        )
        afterwards(() => {
          expect(ports.host.addInlineImage.calls).toEqual([])
          expect(ports.host.setSignature.calls.map(([, html]) => html)).toEqual([
            expect.stringContaining(urls(2, 'bare')[0]!),
          ])
          expect(ports.log.lines).toContainEqual({
            level: 'warn',
            action: 'pictures_by_address',
            detail: { kind: failure.kind },
          })
        })
      })
    },
  )

  test('into a plain-text message is text, without images', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.bodyType.answers(of('text' as const))
      // Too few words to be recognised: the body is read again.
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(RICH) }), { given: writing })).toBe(
        '150ms (is)',
        {
          i: succeeded(0, RICH),
          s: settled(0),
        },
      )
      afterwards(() => {
        expect(ports.host.setSignature.calls).toEqual([['item-1', 'Rich', 'text']])
        expect(ports.host.addInlineImage.calls).toEqual([])
      })
    })
  })
})

describe('an insertion with a failure', () => {
  test.each<[string, string, Failure, (ports: FakePorts) => void]>([
    ['an entry that is gone', 'user-9-9-master', { kind: 'entryGone' }, () => undefined],
    [
      'a signature of 40,000 characters',
      LARGE,
      { kind: 'tooLarge', characters: 40_000, limit: 30_000, parts: [] },
      () => undefined,
    ],
    [
      'a message of unknown format',
      PLAIN,
      { kind: 'hostSilent', call: 'body.getTypeAsync' },
      ({ host }) => {
        host.bodyType.answers(of(null))
      },
    ],
    [
      'an unreadable message',
      PLAIN,
      { kind: 'hostSilent', call: 'body.getAsync' },
      ({ host }) => {
        host.body.answers(of(null))
      },
    ],
    [
      'images that fail to load',
      BARE,
      { kind: 'http', status: 503, code: null, data: null },
      ({ api }) => {
        api.signature.answers(failing({ kind: 'http', status: 503, code: null, data: null }))
      },
    ],
  ])(
    '%s: leaves the message unchanged, clears the stop-push flag, and the next choice works',
    (_, entryId, failure, prepare) => {
      withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
        prepare(ports)
        ports.host.customProperties.answers(of({ [STOP_PUSH_KEY]: true, other: 1 }))
        const events: LoggedEvent[] = []
        const happened$ = react({ insert: runInsertions }, hot('c', { c: chosen(entryId) }), {
          given: writing,
          stores: ({ event$ }) => event$.subscribe((event) => events.push(event)),
        })
        expectObservable(happened$, '^ 10ms !')
        afterwards(() => {
          expect(events.map(({ type }) => type)).toEqual([
            'insertion/chosen',
            'insertion/failed',
            'insertion/settled',
          ])
          const [, end] = events
          const reported = end?.type === 'insertion/failed' ? end.data.failure : null
          // The wrapper counts too.
          if (failure.kind === 'tooLarge') expect(reported).toMatchObject({ kind: 'tooLarge', limit: 30_000 })
          else expect(reported).toEqual(failure)
          // The only write clears the stop-push flag.
          expect(sentNames(ports).filter((name) => writes.includes(name))).toEqual([
            'host.saveCustomProperties',
          ])
          expect(ports.host.saveCustomProperties.calls).toEqual([['item-1', { other: 1 }]])
        })
      })
      withMarbles(({ hot, react, ports, expectEvents }) => {
        const given = [...writing, chosen(entryId), failed(-1, entry(entryId), failure)]
        expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(PLAIN) }), { given })).toBe(
          '(is)',
          {
            i: succeeded(0, PLAIN),
            s: settled(0),
          },
        )
        expect(ports.sent).toEqual([])
      })
    },
  )

  test('after a failed image waits for the others, removes all new ones and sets nothing', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const { host } = ports
      const failure: Failure = { kind: 'hostSilent', call: 'addFileAttachmentFromBase64Async' }
      host.addInlineImage.answers(
        cold('30ms (a|)', { a: 'id' }),
        failing(failure),
        cold('40ms (a|)', { a: 'id' }),
      )
      const old = attachment('lsi-attachold.png')
      // The reply for picture-1 was lost, but the picture is attached.
      const there = [0, 1, 2, 3, 4].map((index) => attachment(`lsi-attachpicture-${index}.png`))
      host.attachments.answers(of([old]), of([old, ...there]))
      expectEvents(
        react({ insert: runInsertions }, hot('c', { c: chosen(RICH) }), { given: writing }),
        '^ 10s !',
      ).toBe('70ms (fs)', {
        f: failed(0, entry(RICH), failure),
        s: settled(0),
      })
      afterwards(() => {
        expect(host.addInlineImage.calls).toHaveLength(5)
        expect(host.setSignature.calls).toEqual([])
        expect(host.removeAttachment.calls).toEqual(there.map(({ id }) => ['item-1', id]))
      })
    })
  })

  test('removes the new images and keeps the old ones when the mail client refuses the signature', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const failure: Failure = {
        kind: 'host',
        call: 'body.setSignatureAsync',
        code: 9000,
        name: 'InternalError',
      }
      ports.host.setSignature.answers(failing(failure))
      const old = attachment('lsi-attachold.png')
      ports.host.attachments.answers(of([old]), of([old, attachment('lsi-attachpicture-0.png')]))
      expectEvents(
        react({ insert: runInsertions }, hot('c', { c: chosen(ONE) }), { given: writing }),
        '^ 10s !',
      ).toBe('(pfs)', {
        p: progressed(0, 1, 1),
        f: failed(0, entry(ONE), failure),
        s: settled(0),
      })
      afterwards(() => {
        expect(ports.host.removeAttachment.calls).toEqual([['item-1', 'id-lsi-attachpicture-0.png']])
        expect(ports.host.setSessionData.calls.filter(([, key]) => !isClaim(key))).toEqual([])
      })
    })
  })

  const silent: Failure = { kind: 'hostSilent', call: 'body.setSignatureAsync' }

  test('is a success when the mail client does not reply, but the body has the signature', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.setSignature.answers(failing(silent))
      ports.host.body.answers(
        of(''),
        of(`<div data-signet-hash="${hashOf(ONE)}"><img src="cid:lsi-attachpicture-0.png"></div>`),
      )
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(ONE) }), { given: writing })).toBe(
        '(pis)',
        {
          p: progressed(0, 1, 1),
          i: succeeded(0, ONE),
          s: settled(0),
        },
      )
      afterwards(() => {
        expect(ports.host.removeAttachment.calls).toEqual([])
      })
    })
  })

  test.each([
    ['another signature', '<div data-signet-hash="other"></div>'],
    ['the signature without its picture', `<div data-signet-hash="${hashOf(ONE)}"></div>`],
    ['an unreadable body', null],
  ])('[INS-6] fails and keeps the new images when the mail client does not reply, with %s', (_, body) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.setSignature.answers(failing(silent))
      ports.host.body.answers(of(''), of(body))
      ports.host.attachments.answers(of([]), of([attachment('lsi-attachpicture-0.png')]))
      expectEvents(
        react({ insert: runInsertions }, hot('c', { c: chosen(ONE) }), { given: writing }),
        '^ 10s !',
      ).toBe('(pfs)', {
        p: progressed(0, 1, 1),
        f: failed(0, entry(ONE), silent),
        s: settled(0),
      })
      // The call may still be carried out, and show them.
      afterwards(() => {
        expect(ports.host.removeAttachment.calls).toEqual([])
      })
    })
  })

  test('[INS-6] keeps the new images when the mail client does not reply to a signature written into the text', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const late: Failure = { kind: 'hostSilent', call: 'body.setAsync' }
      const { host } = ports
      host.allSessionData.answers(of({ [SIGNATURE_IN_TEXT_KEY]: 'true' }))
      host.body.answers(of(`<p>Hi</p><div data-signet-hash="other"><p>Old</p></div>`))
      host.setBody.answers(failing(late))
      host.attachments.answers(of([]), of([attachment('lsi-attachpicture-0.png')]))
      expectEvents(
        react({ insert: runInsertions }, hot('c', { c: chosen(ONE) }), { given: writing }),
        '^ 1s !',
      ).toBe('(pfs)', {
        p: progressed(0, 1, 1),
        f: failed(0, entry(ONE), late),
        s: settled(0),
      })
      afterwards(() => {
        const written = host.setBody.calls[0]?.[1] ?? ''
        expect(written).toMatch(/^<p>Hi<\/p><div class="signet"[^]*<\/div>$/)
        expect(written).not.toContain('Old')
        expect(host.setSignature.calls).toEqual([])
        expect(host.removeAttachment.calls).toEqual([])
      })
    })
  })

  test('is a success when only clean-up and session data fail', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const { host } = ports
      const failure: Failure = { kind: 'host', call: 'x', code: 1, name: 'x' }
      host.attachments.answers(
        of([]),
        of([attachment('lsi-attachold.png'), attachment('lsi-attacholder.png')]),
      )
      host.removeAttachment.answers(failing(failure))
      host.setSessionData.answers(failing(failure))
      host.saveCustomProperties.answers(failing(failure))
      expectEvents(react({ insert: runInsertions }, hot('c', { c: chosen(PLAIN) }), { given: writing })).toBe(
        '(is)',
        {
          i: succeeded(0, PLAIN),
          s: settled(0),
        },
      )
      afterwards(() => {
        expect(ports.log.lines.map(({ action }) => action)).toEqual([
          'message_not_claimed',
          'marker_not_kept',
          'stop_push_not_kept',
          'image_left_behind',
          'image_left_behind',
        ])
      })
    })
  })
})

describe("the mail client's own signature", () => {
  const aboutIt = (ports: FakePorts) =>
    sentNames(ports).filter((name) =>
      [
        'host.clientSignature',
        'host.disableClientSignature',
        'host.addInlineImage',
        'host.setSignature',
      ].includes(name),
    )
  const bothIn = {
    p: progressed(0, 1, 1),
    i: succeeded(0, ONE),
    s: settled(0),
    j: succeeded(4, PLAIN),
    t: settled(4),
  }

  test('is switched off once per message, before the first write', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.clientSignature.answers(of(true))
      const happening$ = hot('a 9ms b', { a: chosen(ONE), b: chosen(PLAIN) })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing })).toBe(
        '(pis) 5ms (jt)',
        bothIn,
      )
      afterwards(() => {
        expect(aboutIt(ports)).toEqual([
          'host.clientSignature',
          'host.disableClientSignature',
          'host.addInlineImage',
          'host.setSignature',
          // The one with a picture is taken out first.
          'host.setSignature',
          'host.setSignature',
        ])
        expect(ports.host.disableClientSignature.calls).toEqual([['item-1']])
      })
    })
  })

  test('is switched off in each message separately', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.clientSignature.answers(of(true))
      const opened = Mailbox.itemChanged({ item: { key: 'item-2', mode: 'compose' } })
      const happening$ = hot('a 9ms (ob)', { a: chosen(PLAIN), o: opened, b: chosen(PLAIN, 'item-2') })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing }), '^ 20ms !').toBe(
        '(is) 6ms (jt)',
        {
          i: succeeded(0, PLAIN),
          s: settled(0),
          j: succeeded(4, PLAIN, [], { itemKey: 'item-2', composeType: null }),
          t: settled(4),
        },
      )
      afterwards(() => {
        expect(ports.host.disableClientSignature.calls).toEqual([['item-1'], ['item-2']])
      })
    })
  })

  test.each([
    ['off', false],
    ['unknown', null],
  ])('is left alone when it is %s, and not queried again', (_, isOn) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.clientSignature.answers(of(isOn))
      const happening$ = hot('a 9ms b', { a: chosen(ONE), b: chosen(PLAIN) })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing })).toBe(
        '(pis) 5ms (jt)',
        bothIn,
      )
      afterwards(() => {
        expect(ports.host.clientSignature.calls).toEqual([['item-1']])
        expect(ports.host.disableClientSignature.calls).toEqual([])
      })
    })
  })

  test.each<[string, Failure]>([
    ['refuses', { kind: 'host', call: 'disableClientSignatureAsync', code: 9020, name: 'x' }],
    ['does not reply', { kind: 'hostSilent', call: 'disableClientSignatureAsync' }],
  ])('stays on in a mail client that %s, which is logged, and the insertion succeeds', (_, failure) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.clientSignature.answers(of(true))
      ports.host.disableClientSignature.answers(failing(failure))
      const happening$ = hot('a 9ms b', { a: chosen(ONE), b: chosen(PLAIN) })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing })).toBe(
        '(pis) 5ms (jt)',
        bothIn,
      )
      afterwards(() => {
        expect(ports.host.disableClientSignature.calls).toEqual([['item-1']])
        expect(ports.log.lines).toEqual([
          { level: 'warn', action: 'client_signature_not_disabled', detail: { kind: failure.kind } },
        ])
      })
    })
  })

  test.each([
    ['an empty one', chosen(EMPTY), ['']],
    ['"no signature"', Insertion.noneChosen({ itemKey: 'item-1' }), ['']],
    ['one that is too large', chosen(LARGE), []],
  ])('is left alone where no signature goes in: %s', (_, event, set) => {
    withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
      ports.host.clientSignature.answers(of(true))
      expectObservable(
        react({ insert: runInsertions }, hot('a', { a: event }), { given: writing }),
        '^ 5ms !',
      )
      afterwards(() => {
        expect(ports.host.setSignature.calls.map(([, content]) => content)).toEqual(set)
        expect(ports.host.disableClientSignature.calls).toEqual([])
      })
    })
  })

  test('[INS-5] a choice superseded during the switch-off writes nothing, and the next one queries nothing', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.host.clientSignature.answers(of(true))
      ports.host.disableClientSignature.answers(() => cold('10ms (d|)', { d: undefined }))
      const happening$ = hot('a 4ms b', { a: chosen(RICH), b: chosen(PLAIN) })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing })).toBe('10ms (xsit)', {
        x: Insertion.superseded({ id: 0, target: entry(RICH) }),
        s: settled(0),
        i: succeeded(1, PLAIN),
        t: settled(1),
      })
      afterwards(() => {
        expect(aboutIt(ports)).toEqual([
          'host.clientSignature',
          'host.disableClientSignature',
          'host.setSignature',
        ])
      })
    })
  })
})

describe('a signature in the message', () => {
  const insertOver = (body: string, event: AppEvent, given: readonly AppEvent[] = writing) => {
    const ended: LoggedEvent[] = []
    const sent: string[][] = []
    withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
      ports.host.body.answers(of(body))
      ports.host.allSessionData.answers(of({ [INSERTED_SIGNATURE_KEY]: '{}' }))
      const happened$ = react({ insert: runInsertions }, hot('c', { c: event }), {
        given,
        stores: ({ event$ }) => event$.subscribe((each) => ended.push(each)),
      })
      expectObservable(happened$, '^ 1s !')
      afterwards(() => {
        for (const [, content = ''] of ports.host.setSignature.calls) sent.push([content])
      })
    })
    return { ended: ended.map(({ type }) => type), sent: sent.flat() }
  }

  test('[SAFE-1] that is whole and the same is not written again', () => {
    expect(insertOver(`<p>Hi</p>${wrapped('<p>Plain</p>')}`, chosen(PLAIN))).toEqual({
      ended: ['insertion/chosen', 'insertion/succeeded', 'insertion/settled'],
      sent: [],
    })
  })

  test.each([
    ['the user edited', wrapped('<p>Plain, edited</p>')],
    ['is there twice', wrapped('<p>Plain</p>') + wrapped('<p>Plain</p>')],
    ['is another', wrapped('<p>Plain</p>', 'another')],
  ])('[SAFE-1] that %s is replaced by the chosen one', (_, body) => {
    const { ended, sent } = insertOver(body, chosen(PLAIN))
    expect(ended).toContain('insertion/succeeded')
    expect(sent).toEqual([wrapped('<p>Plain</p>')])
  })

  test.each([
    ['is written again when a picture of it is no longer attached', [], 1],
    ['is not written again while its pictures are attached', [attachment('lsi-attachpicture-0.png')], 0],
    [
      'is not written again when its pictures are attached under other names',
      [attachment('renamed.png', { contentId: 'lsi-attachpicture-0.png' })],
      0,
    ],
  ])('[SAFE-1] that is the same %s', (_, attachments, times) => {
    withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
      const html = listedAs(ONE).html.replace(/https:[^"]+/, 'cid:lsi-attachpicture-0.png')
      ports.host.body.answers(of(wrapped(html, hashOf(ONE), listedAs(ONE).combinedIds)))
      ports.host.attachments.answers(of(attachments))
      ports.host.allSessionData.answers(of({ [INSERTED_SIGNATURE_KEY]: '{}' }))
      expectObservable(
        react({ insert: runInsertions }, hot('c', { c: chosen(ONE) }), { given: writing }),
        '^ 1s !',
      )
      afterwards(() => {
        const written = ports.host.setSignature.calls.filter(([, content]) => content !== '')
        expect(written).toHaveLength(times)
      })
    })
  })

  test('[SAFE-5] that this pane did not insert stays when the default is due', () => {
    const value = cachedSignature()
    const due = Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(value.html) })
    const given = [...writing, Defaults.loaded({ value })]
    expect(insertOver(wrapped('<p>Mine</p>', 'unknown'), due, given)).toEqual({
      ended: ['insertion/defaultDue', 'insertion/skipped', 'insertion/settled'],
      sent: [],
    })
    expect(insertOver('<p>Hi</p>', due, given).sent).toHaveLength(1)
  })
})

describe('a default that was in the message and is there no more', () => {
  const before = cachedSignature({ html: '<p>Before</p>' })
  const value = cachedSignature({ html: '<p>After</p>' })
  const reason = { origin: 'default', composeType: 'newMail', reply: false } as const
  const { combinedIds, name, html } = before
  const given = [
    ...writing,
    Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(html) }),
    Insertion.succeeded({
      id: 0,
      itemKey: 'item-1',
      target: { kind: 'default' },
      inMessage: { combinedIds, name, hash: contentHash(html), reason },
      content: { html, images: [] },
    }),
    Defaults.loaded({ value }),
  ]
  const due = Insertion.defaultDue({ itemKey: 'item-1', hash: contentHash(value.html) })
  const whole = `<div class="signet" data-signet-hash="${contentHash(html)}">${html}</div>`

  test.each([
    ['[SAFE-5] was removed by the user: a newer one is not inserted', null, 'insertion/skipped', 0],
    ['was removed by an interrupted replacement: a newer one is inserted', whole, 'insertion/succeeded', 1],
  ])('%s', (_, replacing, ended, times) => {
    withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
      const types: string[] = []
      ports.host.body.answers(of('<p>Hi</p>'))
      ports.host.sessionData.answers((_itemKey, key) =>
        of(key === REPLACED_SIGNATURE_KEY && replacing ? `${contentHash(html)} ${replacing}` : null),
      )
      const happened$ = react({ insert: runInsertions }, hot('d', { d: due }), {
        given,
        stores: ({ event$ }) => event$.subscribe(({ type }) => types.push(type)),
      })
      expectObservable(happened$, '^ 1s !')
      afterwards(() => {
        expect(types).toContain(ended)
        expect(ports.host.setSignature.calls).toHaveLength(times)
      })
    })
  })
})

describe('the message after a failed insertion', () => {
  test.each<readonly [string, Failure, number]>([
    ['the mail client refused', { kind: 'host', call: 'body.setSignatureAsync', code: 5001, name: 'x' }, 3],
    ['the mail client did not reply', { kind: 'hostSilent', call: 'body.setSignatureAsync' }, 3],
    ['the network was away', { kind: 'network' }, 0],
  ])('is read again three times where a call may have had an effect: %s', (_, failure, times) => {
    const readings = (until: string): number => {
      let count = 0
      withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
        ports.host.setSignature.answers(failing(failure))
        expectObservable(
          react({ insert: runInsertions }, hot('c', { c: chosen(PLAIN) }), { given: writing }),
          until,
        )
        afterwards(() => {
          count = ports.host.body.calls.length
        })
      })
      return count
    }
    expect(readings('^ 1m !') - readings('^ 1900ms !')).toBe(times)
  })
})

describe('consecutive insertions', () => {
  test('[INS-6] the second does not reuse the names of images that the first may have left', () => {
    withMarbles(({ hot, react, ports, expectObservable, afterwards }) => {
      ports.host.setSignature.answers(
        failing({ kind: 'hostSilent', call: 'body.setSignatureAsync' }),
        of(undefined),
      )
      // The mail client does not list the first image yet.
      const happening$ = hot('a 9ms b', { a: chosen(ONE), b: chosen(ONE) })
      expectObservable(react({ insert: runInsertions }, happening$, { given: writing }), '^ 1s !')
      afterwards(() => {
        expect(ports.host.addInlineImage.calls.map(([, , name]) => name)).toEqual([
          'lsi-attachpicture-0.png',
          'lsi-attachpicture-0-2.png',
        ])
      })
    })
  })

  test('[INS-5] a choice superseded before its first write writes nothing', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.host.bodyType.answers(() => cold('10ms (h|)', { h: 'html' as const }))
      const happening$ = hot('a 4ms b', { a: chosen(RICH), b: chosen(PLAIN) })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing })).toBe(
        '10ms (xs) 6ms (it)',
        {
          x: Insertion.superseded({ id: 0, target: entry(RICH) }),
          s: settled(0),
          i: succeeded(1, PLAIN),
          t: settled(1),
        },
      )
      afterwards(() => {
        expect(ports.host.addInlineImage.calls).toEqual([])
        expect(ports.host.setSignature.calls).toHaveLength(1)
        expect(ports.host.setSignature.calls[0]?.[1]).toContain('<p>Plain</p>')
      })
    })
  })

  test('[INS-5] a choice superseded during its writes is finished, and the later one replaces it', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      const set: string[] = []
      ports.host.body.answers(() => of(set.at(-1) ?? ''))
      ports.host.setSignature.answers((_itemKey, content) => {
        set.push(content)
        return cold('10ms (d|)', { d: undefined })
      })
      const happening$ = hot('a 4ms b', { a: chosen(PLAIN), b: chosen(ONE) })
      expectEvents(react({ insert: runInsertions }, happening$, { given: writing })).toBe(
        '10ms (isp) 5ms (jt)',
        {
          i: succeeded(0, PLAIN),
          s: settled(0),
          p: progressed(1, 1, 1),
          j: succeeded(1, ONE),
          t: settled(1),
        },
      )
      afterwards(() => {
        expect(ports.host.setSignature.mostAtOnce()).toBe(1)
      })
    })
  })

  test('[INS-4] no call follows for an item that closes during its insertion, and the next message works', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.host.addInlineImage.answers(cold('10ms (a|)', { a: 'id' }), silent$)
      const events = {
        c: chosen(RICH),
        x: Mailbox.itemChanged({ item: compose('item-2') }),
        d: chosen(PLAIN, 'item-2'),
      }
      expectEvents(react({ insert: runInsertions }, hot('c 14ms x 9ms d', events), { given: writing })).toBe(
        '10ms p 4ms (fs) 6ms (it)',
        {
          p: progressed(0, 1, 5),
          f: failed(0, entry(RICH), { kind: 'itemGone' }),
          s: settled(0),
          i: succeeded(5, PLAIN, [], { itemKey: 'item-2', composeType: null }),
          t: settled(5),
        },
      )
      afterwards(() => {
        const late = ports.sent.filter(({ at, args }) => at >= 15 && args[0] === 'item-1')
        expect(late).toEqual([])
        expect(ports.host.setSignature.calls.map(([itemKey]) => itemKey)).toEqual(['item-2'])
      })
    })
  })

  test('[INS-4] a choice for an item that is no longer open calls nothing', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(
        react({ insert: runInsertions }, hot('c', { c: chosen(PLAIN, 'item-0') }), { given: writing }),
      ).toBe('(fs)', {
        f: Insertion.failed({
          id: 0,
          itemKey: 'item-0',
          target: entry(PLAIN),
          failure: { kind: 'itemGone' },
        }),
        s: settled(0),
      })
      afterwards(() => {
        expect(ports.sent).toEqual([])
      })
    })
  })

  test('a reopened message loses the leftovers of an interrupted insertion', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      const [left, shown] = ['left', 'shown'].map((name) => attachment(`lsi-attach${name}.png`))
      ports.host.attachments.answers(of([left, shown].flatMap((each) => each ?? [])))
      ports.host.body.answers(of('<img src="cid:lsi-attachshown.png">'))
      const { message } = stateAfter(...writing).mailbox
      if (!message) throw new Error('no message')
      const read = Mailbox.messageRead({ itemKey: 'item-1', message })
      expectEvents(react({ insert: runInsertions }, hot('r', { r: read }), { given: writing }), '^-!').toBe(
        '-',
      )
      afterwards(() => {
        expect(ports.host.removeAttachment.calls).toEqual([['item-1', 'id-lsi-attachleft.png']])
      })
    })
  })
})

describe('a plain-text message', () => {
  test('[SAFE-3] keeps every image, since those of its thread are unknown', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      ports.host.bodyType.answers(of('text' as const))
      ports.host.attachments.answers(of([attachment('lsi-attachquoted.png')]))
      const { message } = stateAfter(...writing).mailbox
      if (!message) throw new Error('no message')
      const read = Mailbox.messageRead({ itemKey: 'item-1', message })
      expectEvents(react({ insert: runInsertions }, hot('r', { r: read }), { given: writing }), '^-!').toBe(
        '-',
      )
      afterwards(() => {
        expect(ports.host.removeAttachment.calls).toEqual([])
      })
    })
  })
})

// The same over the mailbox model behind the mail host as it ships, with its gate and its time limits.
describe('an insertion in a faulty mail client', () => {
  /** A reply with the rich signature, and an image of the sender in the thread. */
  function arrange() {
    const clock = createClock()
    const { mailbox, ports } = mailboxPorts(clock)
    const store = createStore<AppState, AppEvent, Ports>({
      initial: stateAfter(Auth.sessionRecovered({ session: session() }), listLoaded),
      evolve: evolveApp,
      effects: { followItem, readMessage, insert: runInsertions },
      deps: ports,
      time: clock,
    })
    store.start()
    store.record(App.started(), 'app')
    const id = mailbox.act({ type: 'reply' }) ?? ''
    clock.advance(1_000)
    const choose = (entryId: string) => {
      store.record(chosen(entryId, store.state$.value.mailbox.item?.key ?? ''), 'person')
    }
    const item = () => {
      const found = mailbox.snapshot().items.find((each) => each.id === id)
      if (!found) throw new Error('no such message')
      return found
    }
    const ends = () =>
      store.log
        .map(({ type }) => type)
        .filter((type) => /^insertion\/(succeeded|failed|superseded)$/.test(type))
    choose(RICH)
    clock.advance(1_000)
    return { clock, mailbox, ports, store, id, choose, item, ends }
  }
  type Arranged = ReturnType<typeof arrange>

  const references = (html: string) => [...html.matchAll(/cid:([\w.-]+)/g)].map(([, name]) => name)
  const isSignet = ({ name, isInline }: Attachment) => isInline && name.startsWith('lsi-attach')

  /** Expects RICH or ONE in the message with all pictures, attached or by their addresses, and returns which. */
  function expectWhole({ item, mailbox }: Arranged) {
    const { signatureHtml, attachments } = item()
    const entryId = [RICH, ONE].find((each) => signatureHtml.includes(`data-signet-hash="${hashOf(each)}"`))
    const names = attachments.map(({ name }) => name)
    const shown = references(signatureHtml)
    expect(entryId).toBeDefined()
    const byAddress = [...signatureHtml.matchAll(/src="https:/g)].length
    expect(shown.length + byAddress).toBe(entryId === RICH ? 5 : 1)
    // Only a refused picture is shown by its address.
    if (!mailbox.calls.some(({ name, ok }) => name === 'addFileAttachmentFromBase64Async' && !ok))
      expect(byAddress).toBe(0)
    for (const name of shown) expect(names).toContain(name)
    return entryId
  }
  /** Signet's images that the message does not show. */
  const unshown = ({ item }: Arranged) => {
    const { bodyHtml, attachments } = item()
    const shown = references(bodyHtml)
    return attachments.filter((each) => isSignet(each) && !shown.includes(each.name))
  }
  const chooseInTurn = ({ choose, clock }: Arranged, ...entryIds: readonly string[]) => {
    for (const entryId of entryIds) {
      choose(entryId)
      clock.advance(10_000)
    }
  }
  const others = ({ item }: Arranged) => {
    const { bodyHtml, signatureHtml, attachments } = item()
    const shown = references(signatureHtml)
    return [bodyHtml.replace(signatureHtml, ''), attachments.filter(({ name }) => !shown.includes(name))]
  }

  test('[INS-1] [INS-2] a choice replaces the former signature and its images, and nothing else', () => {
    const arranged = arrange()
    const before = others(arranged)
    expect(expectWhole(arranged)).toBe(RICH)
    arranged.choose(ONE)
    arranged.clock.advance(1_000)
    expect(expectWhole(arranged)).toBe(ONE)
    expect(unshown(arranged)).toEqual([])
    expect(others(arranged)).toEqual(before)
    expect(arranged.ends()).toEqual(['insertion/succeeded', 'insertion/succeeded'])
    expect(arranged.item().customProperties).toMatchObject({
      [STOP_PUSH_KEY]: { composeType: 'reply', combinedIds: 'c-One' },
      [INSERTED_SIGNATURE_KEY]: { composeType: 'reply', combinedIds: 'c-One', trace: { seen: 'mark' } },
    })
  })

  const fault = fc.record({ call: fc.constantFrom(...faultyCalls), kind: fc.constantFrom(...faultKinds) })

  test.each(faultyCalls.flatMap((call) => faultKinds.map((kind) => [call, kind] as const)))(
    '[INS-6] %s, %s: leaves the former signature or the new one, whole, and the next try works',
    (call, kind) => {
      const arranged = arrange()
      const { clock, choose, mailbox, ends, store } = arranged
      const before = others(arranged)
      arm(arranged.mailbox, { call, kind })
      choose(ONE)
      clock.advance(600_000)
      const entryId = expectWhole(arranged)
      expect(ends()).toHaveLength(2)
      if (ends()[1] === 'insertion/succeeded') expect(entryId).toBe(ONE)
      expect(selectListedEntries(store.state$.value).every(({ status }) => status === 'idle')).toBe(true)

      mailbox.restore()
      chooseInTurn(arranged, PLAIN, RICH)
      expect(expectWhole(arranged)).toBe(RICH)
      expect(ends().slice(2)).toEqual(['insertion/succeeded', 'insertion/succeeded'])
      expect(unshown(arranged)).toEqual([])
      expect(others(arranged)).toEqual(before)
    },
  )

  test('[SAFE-1] keeps the inserted signature as it is when it is chosen again, with unreadable attachments', () => {
    const arranged = arrange()
    const { clock, choose, mailbox, item, ends } = arranged
    const before = item()
    mailbox.fail('getAttachmentsAsync', REFUSED)
    choose(RICH)
    clock.advance(1_000)
    expect(ends()).toEqual(['insertion/succeeded', 'insertion/succeeded'])
    expect(item()).toEqual(before)
  })

  test('[SIG-5] inserts the chosen entry, even if the list was reordered before its turn', () => {
    const arranged = arrange()
    const { clock, choose, mailbox, store, item } = arranged
    mailbox.delay('body.setSignatureAsync', 500)
    choose(ONE)
    clock.advance(50)
    choose(PLAIN)
    store.record(
      Signatures.refreshed({
        epoch: store.state$.value.signatures.own.epoch,
        own: { page: 1, total: objects.length, objects: objects.toReversed() },
        delegated: null,
      }),
      'service',
    )
    clock.advance(10_000)
    expect(item().signatureHtml).toContain(`data-signet-hash="${hashOf(PLAIN)}"`)
  })

  test('[INS-6] restores within two seconds a signature that a late call removed', () => {
    const arranged = arrange()
    const { clock, choose, mailbox, item } = arranged
    mailbox.delay('body.setSignatureAsync', 6_000)
    choose(ONE)
    clock.advance(1_000)
    mailbox.restore()
    clock.advance(5_500)
    expect(item().signatureHtml).toBe('')
    clock.advance(1_000)
    expect(expectWhole(arranged)).toBe(RICH)
    clock.advance(60_000)
    expect(expectWhole(arranged)).toBe(RICH)
    expect(unshown(arranged)).toEqual([])
  })

  test.each(['sessionData.setAsync', 'sessionData.getAsync'] as const)(
    '[INS-6] restores a signature that a late call removed, also without %s',
    (call) => {
      const arranged = arrange()
      const { clock, choose, item } = arranged
      arm(arranged.mailbox, { call: 'body.setSignatureAsync', kind: 'late' })
      arm(arranged.mailbox, { call, kind: 'fail' })
      choose(RICH)
      choose(ONE)
      clock.advance(17_000)
      expect(item().signatureHtml).toBe('')
      clock.advance(60_000)
      expect(expectWhole(arranged)).toBe(RICH)
    },
  )

  test('[INS-5] [INS-6] leaves a whole signature after any two faults and any choices, and recovers', () => {
    const choices = fc.array(fc.record({ entryId: fc.constantFrom(RICH, ONE), after: fc.nat(40) }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 2 }), choices, (faults, chosenNow) => {
        const arranged = arrange()
        const { clock, choose, mailbox, ends } = arranged
        const before = others(arranged)
        for (const each of faults) arm(arranged.mailbox, each)
        for (const { entryId, after } of chosenNow) {
          choose(entryId)
          clock.advance(after)
        }
        clock.advance(600_000)
        const entryId = expectWhole(arranged)
        expect(ends()).toHaveLength(1 + chosenNow.length)
        const last = chosenNow.at(-1)?.entryId
        if (ends().at(-1) === 'insertion/succeeded') expect(entryId).toBe(last)
        mailbox.restore()
        chooseInTurn(arranged, PLAIN, ONE)
        expect(expectWhole(arranged)).toBe(ONE)
        expect(unshown(arranged)).toEqual([])
        expect(others(arranged)).toEqual(before)
      }),
      cases(60, 10_000),
    )
  })

  test('[INS-4] writes to no other message after a switch at any moment, and repairs the first when reopened', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.constantFrom(...faultyCalls), fc.nat(12), (moment, slow, ms) => {
        const arranged = arrange()
        const { clock, choose, mailbox, id } = arranged
        const other = mailbox.snapshot().items.find((each) => each.id !== id)
        mailbox.delay(slow, ms)
        choose(ONE)
        clock.advance(moment)
        mailbox.act({ type: 'switchTo', id: other?.id ?? null })
        clock.advance(30_000)
        const untouched = mailbox.snapshot().items.find((each) => each.id === other?.id)
        expect(untouched).toEqual(other)
        mailbox.act({ type: 'switchTo', id })
        clock.advance(30_000)
        expectWhole(arranged)
        mailbox.restore()
        chooseInTurn(arranged, PLAIN, RICH)
        expect(expectWhole(arranged)).toBe(RICH)
        expect(unshown(arranged)).toEqual([])
      }),
      cases(60),
    )
  })

  test('[SAFE-7] runs at most three calls at once', () => {
    const arranged = arrange()
    const { choose, clock, mailbox } = arranged
    const before = mailbox.calls.length
    for (const call of faultyCalls) mailbox.delay(call, 5)
    choose(ONE)
    choose(RICH)
    choose(ONE)
    clock.advance(10_000)
    expect(expectWhole(arranged)).toBe(ONE)
    // The model refuses a fourth concurrent call.
    const calls = mailbox.calls.slice(before)
    expect(calls.length).toBeGreaterThan(5)
    // A read of session data that was never set fails in any case.
    expect(calls.filter(({ ok, name }) => !ok && name !== 'sessionData.getAsync')).toEqual([])
  })
})
