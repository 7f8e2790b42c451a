import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeBetween } from '../../../streams/html/change.ts'
import {
  contentIds,
  findInsertedSignature,
  findSignatures,
  isCopied,
  hasSignatureWords as hasWordsOf,
  preservesText as preservesTextOf,
  visibleTextOf,
} from '../../../streams/html/message.ts'
import { planInsertion } from '../../../streams/html/plan.ts'
import { contentPartsOf } from '../../../streams/html/parts.ts'
import { shrink } from '../../../streams/html/shrink.ts'
import { htmlToText } from '../../../streams/html/text.ts'
import { image, PNG } from '../../support/state.ts'

const word = fc.constantFrom('Dear', 'all,', 'Hi', '😀', 'a', 'ä', '&amp;', 'Regards')
const words = fc.array(word, { maxLength: 8 }).map((all) => all.join(' '))
const paragraphs = fc
  .array(words, { maxLength: 4 })
  .map((all) => all.map((each) => `<p>${each}</p>`).join(''))
const inner = fc.constantFrom(
  '<p>Alex</p>',
  '<div><div>Alex</div> Kim</div>',
  '<table><tr><td>Alex</td></tr></table>',
  '<!--[if mso]><div width="420"><![endif]-->Alex<!--[if mso]></div></div><![endif]-->',
  '',
)
const ids = fc.constantFrom('c-1', '"><&', 'a&amp;b')

/** A signature as an insertion sets it. */
const signed = (combinedIds: string, html: string) => {
  const reason = { origin: 'manual', composeType: null, reply: false } as const
  const chosen = { name: '', combinedIds, html: html || '<i></i>', images: [], reason }
  const plan = planInsertion(chosen, 'html', [], (given) => given)
  if (plan.kind !== 'ready') throw new Error('too large')
  return plan
}
const QUOTE = '<hr><div id="divRplyFwdMsg"><b>From:</b> Sam</div>'

const asRead = (body: string) => ({
  body,
  known: { marks: [], isAnswer: false, inserted: null },
  type: 'html' as const,
})
const hasWords = (body: string, content: string) =>
  hasWordsOf(asRead(body), content, { content, type: 'html' })
const preservesText = (before: string, after: string) => preservesTextOf(asRead(before), asRead(after))

describe('the signatures in a body', () => {
  test('[SAFE-1] are found anywhere between other text, with id, hash and content', () => {
    fc.assert(
      fc.property(paragraphs, paragraphs, ids, inner, (above, below, combinedIds, html) => {
        const { content, hash } = signed(combinedIds, html)
        const body = `${above}<div id="Signature">${content}</div>${below}`
        const [found, ...others] = findSignatures(body)
        expect(others).toEqual([])
        expect(found).toMatchObject({ combinedIds, hash })
        expect(body.slice(found?.start, found?.end)).toBe(content)
        expect(content).toContain(found?.html)
        expect(content.slice(0, 4)).toBe('<div')
      }),
    )
  })

  test('[SAFE-3] do not include those of a quoted thread', () => {
    const { content } = signed('c-1', '<p>Alex</p>')
    expect(findSignatures(`<p>Hi</p>${QUOTE}${content}`)).toEqual([])
    expect(findSignatures(`<p>Hi</p>${content}${QUOTE}${content}`)).toHaveLength(1)
    for (const mark of [
      '<div class="gmail_quote">',
      '<blockquote type="cite">',
      '<div id="x_divRplyFwdMsg">',
    ])
      expect(findSignatures(`${mark}${content}`)).toEqual([])
  })

  test('[SAFE-1] are separate ones; an unclosed one ends with the body', () => {
    const [one, other] = [signed('c-1', '<p>A</p>'), signed('c-2', '<p>B</p>')]
    expect(findSignatures(one.content + other.content).map(({ combinedIds }) => combinedIds)).toEqual([
      'c-1',
      'c-2',
    ])
    expect(findSignatures('<div data-signet-hash="h"><div>')[0]).toMatchObject({ hash: 'h', end: 31 })
  })
})

describe("the author's text", () => {
  test('[SAFE-2] is the same with any signature at any place', () => {
    fc.assert(
      fc.property(paragraphs, paragraphs, inner, inner, (above, below, first, second) => {
        const [one, other] = [signed('c-1', first).content, signed('c-2', second).content]
        const bare = above + below + QUOTE
        for (const body of [above + one + below + QUOTE, above + below + other + QUOTE]) {
          expect(visibleTextOf(body)).toBe(visibleTextOf(bare))
          expect(preservesText(bare, body)).toBe(true)
          expect(preservesText(body, bare)).toBe(true)
        }
      }),
    )
  })

  test('[SAFE-2] is preserved when text is added, and not when text is removed', () => {
    fc.assert(
      fc.property(paragraphs, words, paragraphs, (above, line, below) => {
        const shorter = above + below
        const longer = `${above}<p>${line}</p>${below}`
        expect(preservesText(shorter, longer)).toBe(true)
        expect(preservesText(longer, shorter)).toBe(line === '')
      }),
    )
  })

  const OWN = [
    '<div class="x" id="Signature"><div>Alex Kim</div>Sales</div>',
    '<p><a name="_MailAutoSig"><b>Alex Kim</b></a></p><p><span style="mso-bookmark:_MailAutoSig"><span>Sales</span></span></p>',
  ]
  test("does not include the mail client's own signature, and replacing that takes none of it", () => {
    fc.assert(
      fc.property(paragraphs, words, paragraphs, fc.constantFrom(...OWN), (above, line, below, own) => {
        const { content } = signed('c-1', '<p>Alex</p>')
        const author = `${above}<p>${line}</p>`
        const signedBy = (signature: string, words = author) => `${words}${signature}${below}${QUOTE}`
        const ours = `<div id="Signature">${content}</div>`
        expect(visibleTextOf(signedBy(own))).toBe(visibleTextOf(signedBy('')))
        expect(preservesText(signedBy(own), signedBy(ours))).toBe(true)
        expect(preservesText(signedBy(own), signedBy(ours, above))).toBe(preservesText(author, above))
      }),
    )
  })

  test.each([
    ['in a quoted thread, as its author wrote it', `${QUOTE}<div id="Signature">Priya</div>`],
    ['renamed by the client, as in a thread', '<div id="x_Signature">Priya</div>'],
    [
      "that the author typed beside Signet's, in the same wrapper",
      `<div id="Signature">Priya${signed('c-1', '<p>Alex</p>').content}</div>`,
    ],
    ['that is never closed, in the thread below it', `<div id="Signature">Alex${QUOTE}Priya`],
  ])('a signature %s is text like any other', (_, body) => {
    expect(visibleTextOf(body)).toContain('Priya')
  })

  test('shows the content ids of its images and backgrounds', () => {
    const body = `<img src="cid:a.png"><td style="background:url(cid:b.png)"><img src='cid:c.png'> acid:d`
    expect([...contentIds(body)]).toEqual(['a.png', 'b.png', 'c.png'])
  })
})

describe("the words of a signature in the author's part", () => {
  const NAME = 'Alex Kim, Northwind Traders'

  test('are found without a marker, however the markup and the blanks were rewritten', () => {
    fc.assert(
      fc.property(paragraphs, paragraphs, (above, below) => {
        const { content } = signed('c-1', `<p>Alex Kim,</p><p><b>Northwind</b> Traders</p>`)
        const rewritten = '<div>Alex&nbsp;Kim,<br>Northwind   <span>Traders</span></div>'
        expect(hasWords(above + rewritten + below, content)).toBe(true)
        expect(hasWords(above + below + QUOTE + rewritten, content)).toBe(false)
      }),
    )
  })

  test('are found exactly where the text has them together', () => {
    const letters = fc.array(fc.constantFrom('a', 'b'), { minLength: 20, maxLength: 30 })
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b'), { maxLength: 200 }),
        letters,
        fc.boolean(),
        (text, part, isIn) => {
          const body = text.join('') + (isIn ? part.join('') : '') + text.join('')
          expect(hasWords(`<p>${body}</p>`, `<p>${part.join('')}</p>`)).toBe(body.includes(part.join('')))
        },
      ),
    )
  })

  test('count only where there are 20 characters of them', () => {
    expect(hasWords(`<p>${NAME}</p>`, `<p>${NAME}</p>`)).toBe(true)
    expect(hasWords('<p>Alex Kim, Northwind 123</p>', '<p>Alex Kim, Northwind 123</p>')).toBe(true)
    expect(hasWords('<p>Alex Kim, Northwind 12</p>', '<p>Alex Kim, Northwind 12</p>')).toBeNull()
    expect(hasWords('<p>Hi</p>', '<p><img src="cid:a"></p>')).toBeNull()
  })
})

describe('a signature without a mark is recorded to be', () => {
  const NAME = 'Alex Kim of Northwind Traders'
  const written = (content: string, type: 'html' | 'text', names: readonly string[] = []) => ({
    type,
    content,
    images: names.map((name) => ({ name })),
    hash: 'h',
    combinedIds: 'c',
  })
  const unmarked = { marks: ['m'], isAnswer: false, inserted: null }
  /** What is found in `later`, of a signature that was read back in `body`. */
  const found = (signature: ReturnType<typeof written>, body: string, later = body) => {
    const { trace } = findInsertedSignature(signature, body, unmarked)
    const inserted = { combinedIds: 'c', hash: 'h', trace }
    return findSignatures(later, { ...unmarked, inserted }, signature.type)
  }

  test('[CLIENT-5] [SAFE-2] its lines in plain text, and nothing of the lines around it, whatever they begin with', () => {
    const line = fc.constantFrom('', 'Dear Sam,', '¿Puedes venir?', 'Über uns', '– ', 'À bientôt', 'é')
    const lines = (newline: string) => fc.array(line, { maxLength: 4 }).map((all) => all.join(newline))
    const texts = fc
      .constantFrom('\n', '\r\n')
      .chain((newline) => fc.tuple(fc.constant(newline), lines(newline), lines(newline)))
    const signature = fc.constantFrom(NAME, `Élodie ${NAME}`, `${NAME}\n\nÜlm <https://a.example/é> –`)
    fc.assert(
      fc.property(texts, signature, ([newline, above, below], text) => {
        const content = text.replaceAll('\n', newline)
        const body = above + newline + content + newline + below
        const [only, ...others] = found(written(content, 'text'), body)
        expect(others).toEqual([])
        expect(body.slice(0, only?.start)).toBe(above + newline)
        expect(body.slice(only?.end)).toBe(newline + below)
      }),
    )
  })

  test('[SAFE-2] its letters alone where the author goes on in its line', () => {
    const body = `Hi é ${NAME}é – Über`
    expect(found(written(NAME, 'text'), body)).toMatchObject([{ html: NAME }])
  })

  test('[SAFE-2] no picture of the author, nor the document around both', () => {
    const signature = (names: readonly string[]) =>
      `<table><tr>${names.map((name) => `<td><img src="cid:${name}"></td>`).join('')}<td>${NAME}</td></tr></table>`
    for (const names of [[], ['logo.png']])
      for (const wrapped of ['<body>', '<div>', '<body><div>'])
        for (const own of [`<p><img src="cid:image001.png"></p>`, '']) {
          const content = signature(names)
          const body = `<html>${wrapped}${own}${content}${wrapped.includes('div') ? '</div>' : ''}</html>`
          const [only] = found(written(content, 'html', names), body)
          if (own === '' && wrapped.includes('div')) expect(only?.html).toBe(`<div>${content}</div>`)
          else expect(only?.html).toBe(content)
        }
    // Nor is a signature taken apart whose picture the client has put into the message.
    const linked = `<table><tr><td><img src="https://a.example/b.png"></td><td>${NAME}</td></tr></table>`
    const attached = linked.replace('https://a.example/b.png', 'cid:image003.png')
    expect(found(written(linked, 'html'), attached)).toMatchObject([{ html: attached }])
    // A client that renames the pictures of the signature says nothing of those of the author.
    const renamed = signature(['image002.png'])
    const content = signature(['logo.png'])
    expect(found(written(content, 'html', ['logo.png']), `<div>${renamed}</div>`)).toMatchObject([
      { html: `<div>${renamed}</div>` },
    ])
  })

  test('[CLIENT-2] [CLIENT-5] the one above the thread, also when the thread has it, and is removed', () => {
    const THREAD = `-----Original Message-----\nFrom: Sam\n\n${NAME}`
    const [own, thread] = [`Hi\n\n${NAME}\n\n`, `Hi\n\n${NAME}\n\n${THREAD}`]
    const signature = written(NAME, 'text')
    expect(found(signature, thread)).toMatchObject([{ start: 4 }])
    expect(found(signature, thread, own)).toMatchObject([{ start: 4 }])
    expect(found(signature, thread, `Hi\n\n${THREAD}`)).toEqual([])
    // Where no thread is recognised, one that is gone may be the own one.
    const unknown = (words: string) => `Hi\n\n${words}\nSam wrote\n${NAME}`
    expect(found(signature, unknown(NAME), unknown(''))).toEqual([])
  })

  test('[SIG-8] that of the quoted message, where all of its words are in the thread', () => {
    const { trace } = findInsertedSignature(written(NAME, 'text'), `Hi\n${NAME}`, unmarked)
    const thread = (words: string) => `-----Original Message-----\nFrom: Sam\n\n${words}`
    expect(isCopied(thread(NAME), trace, 'text')).toBe(true)
    expect(isCopied(`${NAME}\n${thread(NAME)}`, trace, 'text')).toBe(false)
    expect(isCopied(thread('Hi'), trace, 'text')).toBe(false)
    // The user removed it above a thread that has it, too.
    const answered = findInsertedSignature(written(NAME, 'text'), `${NAME}\n${thread(NAME)}`, unmarked)
    expect(isCopied(thread(NAME), answered.trace, 'text')).toBe(false)
    const short = findInsertedSignature(written('Alex', 'text'), 'Alex', unmarked)
    expect(isCopied(thread('Alex'), short.trace, 'text')).toBe(false)
  })

  test('[CLIENT-1] unknown to the client until it returns it; its mark is recorded all the same', () => {
    const { found: none, trace } = findInsertedSignature(written(NAME, 'html', ['a.png']), '', unmarked)
    expect(none).toBeNull()
    expect(trace).toMatchObject({ mark: 'm', pictures: ['a.png'], copies: [1, 0], seen: null })
    const many = Array.from({ length: 13 }, (_, index) => `${String(index)}.png`)
    expect(findInsertedSignature(written(NAME, 'html', many), NAME, unmarked).trace).toMatchObject({
      pictures: null,
      seen: 'words',
    })
  })
})

describe('shrinking', () => {
  // The output of the sanitiser is well-formed.
  const inline = fc.constantFrom(
    'Alex Kim ',
    ' &amp; ',
    '<b>bold</b> ',
    '<!-- note -->',
    '<!--[if mso]><i>x</i><![endif]-->',
    '<img src="cid:a" alt="x y">',
    '<br>\n',
  )
  const { block } = fc.letrec<{ block: string; row: string }>((tie) => ({
    block: fc.oneof(
      { maxDepth: 3 },
      inline,
      fc.array(inline, { maxLength: 3 }).map((parts) => `<p class="">${parts.join('')}</p>\n`),
      fc.array(tie('block'), { maxLength: 3 }).map((parts) => `\n <div style="">${parts.join(' ')}</div>`),
      fc.array(tie('row'), { maxLength: 2 }).map((rows) => `<table> ${rows.join('\n')} </table> `),
    ),
    row: fc
      .array(tie('block'), { maxLength: 2 })
      .map(
        (cells) =>
          `<tr> ${cells.map((each) => `<td style="color : red ; margin:0px; "> ${each} </td>`).join('\n')} </tr>`,
      ),
  }))
  const markup = fc.array(block, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
  const tags = (html: string) => [...html.matchAll(/<\/?([a-z]+)/gi)].map(([, name]) => name)

  test('[SAFE-6] keeps all text, tags and conditional comments, and never grows', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const small = shrink(html)
        expect(small.length).toBeLessThanOrEqual(html.length)
        expect(htmlToText(small)).toBe(htmlToText(html))
        expect(tags(small)).toEqual(tags(html))
        expect(small.split('<!--[if mso]>').length).toBe(html.split('<!--[if mso]>').length)
        expect(shrink(small)).toBe(small)
      }),
    )
  })

  test('keeps what only classic Outlook does not draw', () => {
    const html = '<!--[if !mso]><!--><p>Alex</p><!--<![endif]--> <!-- note --><p>Kim</p>'
    expect(shrink(html)).toBe('<!--[if !mso]><!--><p>Alex</p><!--<![endif]--><p>Kim</p>')
    expect(shrink('<p title="a > b"  id="">class=""  style=""</p>')).toBe(
      '<p title="a > b">class="" style=""</p>',
    )
  })

  test('removes the unit of every zero, and of no other number', () => {
    const styled = (style: string) => `<p style="${style}">x</p>`
    expect(shrink(styled('margin:0px 0pt -0em 0.0px; padding:10px 1.0px 0px'))).toBe(
      styled('margin:0 0 -0 0.0px;padding:10px 1.0px 0'),
    )
    expect(shrink(styled('0px'))).toBe(styled('0'))
  })

  test('[SAFE-6] the parts of a signature add up to its size, the largest first', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const parts = contentPartsOf(html)
        expect(parts.reduce((sum, { characters }) => sum + characters, 0)).toBe(html.length)
        expect(parts).toEqual([...parts].sort((one, other) => other.characters - one.characters))
      }),
    )
  })
})

describe('the change between two contents', () => {
  const content = fc
    .tuple(
      fc.array(fc.constantFrom('Alex', 'Kim', 'Sales', 'Phone'), { maxLength: 5 }),
      fc.subarray(['a', 'b', 'c']),
    )
    .map(([lines, pictures]) => ({
      html:
        lines.map((line) => `<div>${line}</div>`).join('') +
        pictures.map((name) => `<img src="https://cdn.example/${name}.png">`).join(''),
      images: pictures.map((name) => image(`https://cdn.example/${name}.png`)),
    }))
  const linesOf = (html: string) => htmlToText(html).split('\n').filter(Boolean)

  test('[CHOOSE-6] has the old text as same and removed lines, the new one as same and added', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const { lines, imagesAdded, imagesRemoved, bytesBefore } = changeBetween(before, after)
        const text = (kind: 'added' | 'removed') =>
          lines.filter((line) => line.kind === 'same' || line.kind === kind).map((line) => line.text)
        expect(text('removed')).toEqual(linesOf(before.html))
        expect(text('added')).toEqual(linesOf(after.html))
        expect(imagesAdded.filter((name) => imagesRemoved.includes(name))).toEqual([])
        expect(bytesBefore).toBe(
          before.html.length + before.images.length * Buffer.from(PNG, 'base64').length,
        )
      }),
    )
  })

  test('[CHOOSE-6] is not searched between two long texts, except at their start and end', () => {
    const of = (name: string) => ({
      html: ['first', ...Array.from({ length: 600 }, (_, line) => `${name} ${line % 3}`), 'last']
        .map((line) => `<p>${line}</p>`)
        .join(''),
      images: [],
    })
    const { lines } = changeBetween(of('old'), of('new'))
    expect(lines.map(({ kind }) => kind)).toEqual([
      'same',
      ...Array<string>(600).fill('removed'),
      ...Array<string>(600).fill('added'),
      'same',
    ])
  })

  test('[CHOOSE-6] counts the bytes of the html as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (html) => {
        const { bytesAfter } = changeBetween(null, { html, images: [] })
        expect(bytesAfter).toBe(Buffer.byteLength(html))
      }),
    )
    for (const html of ['\u007f', '\u0080', '\u07ff', '\u0800', '\uffff', '\u{10000}'])
      expect(changeBetween(null, { html, images: [] }).bytesAfter).toBe(Buffer.byteLength(html))
  })

  test('[CHOOSE-6] is empty between equal contents, and all lines of a first one', () => {
    fc.assert(
      fc.property(content, (same) => {
        const { lines, imagesAdded, imagesRemoved } = changeBetween(same, same)
        expect(lines.every(({ kind }) => kind === 'same')).toBe(true)
        expect([imagesAdded, imagesRemoved]).toEqual([[], []])
        expect(changeBetween(null, same).lines.every(({ kind }) => kind === 'added')).toBe(true)
      }),
    )
  })
})
