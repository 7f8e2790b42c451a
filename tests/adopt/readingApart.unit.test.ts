import { fc, it as check } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { withReadingThread } from '../../src/adopt/readingApart.ts'
import { answerReadingTask } from '../../src/adopt/readingTasks.ts'
import { NotAdopted } from '../../src/adopt/sample.ts'
import { cases } from '../support/cases.ts'
import { circle, encapsulated, outlookItem, storedRtf } from '../support/outlookItems.ts'
import { png } from '../folder/pictures.ts'

// Foreign files are read in a thread of its own: whatever they have, the process goes on.

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const HTML = '<html><body><p>Hello</p><div id="Signature"><p>Maria</p><img src="cid:a"></div></body></html>'
const MAIL = utf8(
  [
    'From: Maria <maria@northwind.example>',
    'Content-Type: multipart/related; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    HTML.replaceAll('=', '=3D'),
    '--x',
    'Content-Type: image/png',
    'Content-ID: <a>',
    'Content-Transfer-Encoding: base64',
    '',
    png(2, 2).toString('base64'),
    '--x--',
  ].join('\r\n'),
)
const ITEM = outlookItem({
  html: utf8(HTML),
  codePage: 65001,
  sender: 'maria@northwind.example',
  attachments: [{ id: 'a', name: 'a.png', content: png(2, 2) }],
})
const ITEM_OF_RTF = outlookItem({ rtf: storedRtf(encapsulated(HTML)) })

const FEW = { time: 60_000, memory: 24 }

describe('the thread', () => {
  it('reads, and finds the template of what it has read [ADOPT-1]', async () => {
    const found = await withReadingThread(async ({ read, find }) => {
      const { html } = await read([{ path: 'mail.eml', bytes: MAIL }], null)
      return find([{ html, person: null }], [])
    })
    expect(found.template).toMatch(
      /^<p>Maria<\/p><img src="\{\{picture adopted\/[\da-f]{32}\.png\}\}" alt="">$/,
    )
  })

  it('has room for an Outlook item with little memory', async () => {
    const { html } = await withReadingThread(
      ({ read }) => read([{ path: 'a.msg', bytes: ITEM_OF_RTF }], null),
      {},
      FEW,
    )
    expect(html).toBe('<p>Maria</p>')
  })

  it('ends a file that never ends, and the next file is read [ADOPT-1]', async () => {
    const reading = withReadingThread(({ read }) => read([{ path: 'a.msg', bytes: circle() }], null), {}, FEW)
    await expect(reading).rejects.toMatchObject({ code: 'sample_too_costly' })
    const next = await withReadingThread(({ read }) =>
      read([{ path: 'a.html', bytes: utf8('<p>x</p>') }], null),
    )
    expect(next.html).toBe('<p>x</p>')
  })

  it('ends work that goes on for longer than it may, and needs no memory [ADOPT-1]', async () => {
    const reading = withReadingThread(
      ({ read }) => read([{ path: 'a.html', bytes: utf8('<p>x</p>') }], null),
      {},
      { ...FEW, time: 1 },
      'tests/support/endlessWorker.ts',
    )
    await expect(reading).rejects.toMatchObject({ code: 'sample_too_costly' })
  })

  it('refuses html of more objects than fit into its memory', async () => {
    const bytes = utf8('<b>'.repeat(990_000))
    const reading = withReadingThread(({ read }) => read([{ path: 'a.html', bytes }], null), {}, FEW)
    await expect(reading).rejects.toMatchObject({ code: 'sample_too_costly' })
  })

  it('ends when the client leaves, and leaves its place', async () => {
    const leaving = new AbortController()
    const organisation = {}
    const reading = withReadingThread(
      ({ read }) => read([{ path: 'a.html', bytes: utf8('<p>x</p>') }], null),
      { organisation, client: leaving.signal },
      FEW,
      'tests/support/endlessWorker.ts',
    )
    const ended = expect(reading).rejects.toThrow('The client left.')
    setImmediate(() => leaving.abort(new Error('The client left.')))
    await ended
    const next = withReadingThread(({ read }) => read([{ path: 'a.html', bytes: utf8('<p>x</p>') }], null), {
      organisation,
    })
    expect((await next).html).toBe('<p>x</p>')
  })

  it('passes on what its work throws', async () => {
    await expect(withReadingThread(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  })
})

type Change = Readonly<{ at: number; kind: 'set' | 'cut' | 'repeat'; value: number }>

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('set', 'set', 'set', 'cut', 'repeat'),
  value: fc.oneof(fc.nat(255), fc.constantFrom(0, 0xff, 0xfe, 0x3c)),
})

function changed(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  let now = Buffer.from(bytes)
  for (const { at, kind, value } of changes) {
    const place = Math.min(now.length - 1, Math.floor(at * now.length))
    if (place < 0) break
    if (kind === 'set') now[place] = value
    else if (kind === 'cut') now = Buffer.concat([now.subarray(0, place), now.subarray(place + value)])
    else now = Buffer.concat([now.subarray(0, place), now.subarray(Math.max(0, place - value))])
  }
  return new Uint8Array(now)
}

const sampleOf = (bytes: Uint8Array, path: string) =>
  fc.record({
    path: fc.constant(path),
    bytes: fc.array(change, { maxLength: 12 }).map((all) => changed(bytes, all)),
  })

/** Changed files of every kind that do not go in circles: those are ended by the thread. */
const changedText = fc.oneof(
  sampleOf(MAIL, 'a.eml'),
  sampleOf(utf8(HTML), 'a.html'),
  fc.record({
    path: fc.constantFrom('a.eml', 'a.html', 'a.bin'),
    bytes: fc.uint8Array({ maxLength: 2_000 }),
  }),
)
const changedItem = fc.oneof(
  sampleOf(ITEM, 'a.msg'),
  sampleOf(ITEM_OF_RTF, 'a.msg'),
  fc
    .uint8Array({ maxLength: 4_000 })
    .map((rest) => ({ path: 'a.msg', bytes: changed(ITEM, []).map((byte, at) => rest[at] ?? byte) })),
)

describe('any bytes', () => {
  check.prop([changedText, fc.option(fc.constantFrom('Hello', 'Maria', 'x'))], cases(300))(
    'of a mail or of html end in a signature or a sentence [ADOPT-1]',
    async (file, from) => {
      const answer = await answerReadingTask({
        kind: 'read',
        files: [file],
        from,
        fetched: [],
        encoding: null,
        isDrawn: false,
      })
      expect(['read', 'refused']).toContain(answer.kind)
      if (answer.kind === 'refused') expect(answer.message).toMatch(/^\S.*\S$/s)
    },
  )

  check.prop([fc.array(changedItem, { minLength: 6, maxLength: 6 })], cases(2))(
    'of an Outlook item end in a signature or a sentence [ADOPT-1]',
    async (files) => {
      for (const file of files) {
        const end = await withReadingThread(({ read }) => read([file], null), {}, FEW).catch(
          (error: unknown) => error,
        )
        if (end instanceof Error) expect(end).toBeInstanceOf(NotAdopted)
      }
    },
  )
})
