import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { planInsertion } from '../../../streams/html/plan.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import { compareSent, sentSignatures } from '../../../streams/html/sent.ts'
import { escapeText } from '../../../streams/html/tokens.ts'

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'x', 'Ä', 'ß', '0', '9', '+', '-', '<', '>', '&', '"', '.', '@'),
  minLength: 1,
  maxLength: 8,
})
const words = fc.array(word, { minLength: 1, maxLength: 8 })
const markup = words.map((texts) => texts.map((text) => `<span>${escapeText(text)}</span>`).join(' '))

/** What is written into a message. */
const inserted = (html: string, mark: string, combinedIds: string): string => {
  const plan = planInsertion({ html, images: [], combinedIds }, 'html', [], sanitizeMarkup, null, mark)
  return plan.kind === 'ready' ? plan.content : ''
}

describe('a signature that was sent', () => {
  test.prop([fc.array(fc.tuple(markup, fc.boolean()), { maxLength: 5 }), words])(
    '[ADOPT-12] is found by its mark, each once, in the order of the mail',
    (signatures, between) => {
      const written = signatures.map(([html, isTable], index) => {
        const content = isTable ? `<table><tr><td>${html}</td></tr></table>` : html
        return inserted(content, `m-${String(index)}`, `corporate-${String(index)}`)
      })
      const body = written.map(
        (html, index) => `<p>${escapeText(between[index % between.length] ?? '')}</p>${html}`,
      )
      const found = sentSignatures(`<html><body>${body.join('')}</body></html>`)
      expect(found.map(({ combinedIds }) => combinedIds)).toEqual(
        signatures.map((_, index) => `corporate-${String(index)}`),
      )
      for (const [index, { html }] of found.entries())
        expect(compareSent(html, sanitizeMarkup(signatures[index]?.[0] ?? '', 'insert')).difference).toBe(
          null,
        )
    },
  )

  test.prop([markup, fc.nat(), fc.constantFrom('a', 'b', 'c', '0', '8', '9')])(
    'differs from another one by each letter that is put into it',
    (html, at, letter) => {
      const text = html.replaceAll(/<\/?span>/g, '')
      const place = at % (text.length + 1)
      // Not within a reference, which it would change.
      const isWithin = /&\w*$/.test(text.slice(0, place))
      const other = `${text.slice(0, place)}${letter}${text.slice(place)}`
      expect(compareSent(text, html).difference).toBe(null)
      if (!isWithin) expect(compareSent(other, html).difference).toMatchObject({ kind: 'words' })
    },
  )

  test.prop([
    fc.string({
      unit: fc.constantFrom('<', '>', '/', '"', '=', ' ', 'a', 'id', 'div', 'signet_a_b_', 'img', 'src', '&'),
    }),
  ])('is looked for in any text', (text) => {
    expect(sentSignatures(text).length).toBeGreaterThanOrEqual(0)
    expect(compareSent(text, text)).toMatchObject({ difference: null, rewritten: [] })
  })

  const PICTURE = 'https://signet.example/images/aa/logo.png'
  const LINK = 'https://northwind.example/Shop/'
  const html = (picture: string, link: string) =>
    `<p>Maria <img src="${escapeText(picture)}"><a href="${escapeText(link)}">x</a></p>`
  const compared = (picture: string, link: string) => compareSent(html(picture, link), html(PICTURE, LINK))

  it.each([
    'https://evil.example/logo-tracker.png',
    'https://evil.example/images/aa/logo.png',
    'https://signet.example@evil.example/images/aa/logo.png',
    'https:\\\\evil.example/images/aa/logo.png',
    'https://signet.example.evil.example/images/aa/logo.png',
    'https://signet.example:8443/images/aa/logo.png',
    'https://signet.example/images/bb/logo.png',
    'https://signet.example/images/aa/logo-2.png',
    'https://signet.example/images/aa/logo.png?who=maria',
  ])('[ADOPT-12] differs by the picture %s', (picture) => {
    expect(compared(picture, LINK)).toEqual({
      difference: { kind: 'picture', sent: picture, written: PICTURE },
      rewritten: [],
      attached: 0,
    })
  })

  it.each([
    [PICTURE, 0],
    ['HTTPS://SIGNET.example:443/images/aa/logo.png', 0],
    ['https://signet.example/images/%61a/logo.png', 0],
    ['cid:image001.png@01DA', 1],
    ['cid:lsi-attachlogo-2.png@x', 1],
    ['data:image/png;base64,AA', 1],
  ] as const)('has the picture, or cannot tell more of it, at %s', (picture, attached) => {
    expect(compared(picture, LINK)).toEqual({ difference: null, rewritten: [], attached })
  })

  it.each([
    ['https://safe.example/?url=https%3A%2F%2Fnorthwind.example%2FShop%2F&data=1', 'safe.example'],
    ['https://evil.example/?https://northwind.example/Shop/', 'evil.example'],
    ['https://safe.example@evil.example:8443/x/__https://northwind.example/Shop/__;!!a', 'evil.example:8443'],
  ] as const)('[ADOPT-12] names the host that a link leads to first: %s', (link, host) => {
    expect(compared(PICTURE, link)).toEqual({ difference: null, rewritten: [host], attached: 0 })
  })

  it.each([
    'https://evil.example/',
    'https://northwind.example/Shop/evil',
    'https://northwind.example/?https://northwind.example/Shop/',
    'https://safe.example/?url=https://northwind.example/Shop/evil',
    'mailto:a@x.example?https://northwind.example/Shop/',
  ])('[ADOPT-12] differs by the link %s', (link) => {
    expect(compared(PICTURE, link).difference).toEqual({ kind: 'link', sent: link, written: LINK })
  })
})
