import { failureOf } from '../../../streams/kernel/load.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import fc from 'fast-check'
import { of } from 'rxjs'
import { expect, test } from 'vitest'
import { MAX_HTML_CHARACTERS } from '../../../streams/html/limits.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import {
  MAX_TOTAL_PICTURE_CHARACTERS,
  previewDocument,
  refusedPictureAddress,
} from '../../../views/shared/previewDocument.ts'
import { asIs } from '../../support/sanitize.ts'
import { openPane } from '../../support/pane.ts'
import { image, listedSignature, masterId, PNG } from '../../support/state.ts'
import { cases } from '../../support/cases.ts'

const origins = ['https://images.northwind.example']
const planned = (html: string, images: readonly SignatureImage[] = []) => ({
  html,
  images,
  combinedIds: 'c-1',
})
const drawn = (html: string, images: readonly SignatureImage[] = []): Document => {
  const result = previewDocument(planned(html, images), 'html', origins, asIs)
  if (result.kind !== 'document') throw new Error('not drawn')
  return new DOMParser().parseFromString(result.srcdoc, 'text/html')
}

test('the policy precedes everything that could load, and allows only data and the image origins', () => {
  const first = drawn('<p>Alex</p>').head.firstElementChild
  expect(first?.getAttribute('http-equiv')).toBe('Content-Security-Policy')
  expect(first?.getAttribute('content')).toBe(
    "default-src 'none'; img-src data: https://images.northwind.example; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  )
})

test('the policy includes nothing that is no origin', () => {
  const result = previewDocument(
    planned(''),
    'html',
    ["https://x.example; script-src 'unsafe-inline'", '*'],
    asIs,
  )
  expect(result.kind === 'document' && result.srcdoc).toContain("img-src data:; style-src 'unsafe-inline'")
})

test('the preview is sanitised for the message, and then for a preview', () => {
  const result = previewDocument(planned('<p>given</p>'), 'html', origins, (html, profile) =>
    html.replace('</p>', ` ${profile}</p>`),
  )
  expect(result.kind === 'document' && result.body).toContain('<p>given insert preview</p>')
})

test('a link keeps its look without its target; one that had no target gets no such look', () => {
  const [link, none] = drawn('<a href="https://x.example/" class="big">site</a><a>none</a>').querySelectorAll(
    'a',
  )
  expect(link?.hasAttribute('href')).toBe(false)
  expect(link?.className).toBe('big signet-link')
  expect(none?.hasAttribute('class')).toBe(false)
})

test('every reference to an image with content is replaced by the content', () => {
  const url = 'https://images.northwind.example/logo.png?v=1&w=2'
  const written = url.replace('&', '&amp;')
  const { body } = drawn(
    `<style>td{background:url(${url})}</style><img src="${written}"><table background="${written}"><tr><td style="background-image:url('${written}')"></td></tr></table>`,
    [image(url, { content: PNG })],
  )
  const data = `data:image/png;base64,${PNG}`
  expect(body.querySelector('img')?.getAttribute('src')).toBe(data)
  expect(body.querySelector('table')?.getAttribute('background')).toBe(data)
  expect(body.querySelector('td')?.getAttribute('style')).toContain(data)
  expect(body.querySelector('style')?.textContent).toContain(data)
})

test.each([
  ['https://images.northwind.example/logo.png', true],
  [`data:image/png;base64,${PNG}`, true],
  ['https://images.northwind.example.evil.example/logo.png', false],
  ['http://images.northwind.example/logo.png', false],
  ['https://other.example/logo.png', false],
  ['cid:unknown', false],
  ['https://other.example/ünïcode (1).png', false],
  ['https://%zz/logo.png', false],
])('a picture has an address only where the policy lets it load: %s', (address, loads) => {
  const { body } = drawn(`<img src="${address}" alt="Logo">`)
  const picture = body.querySelector('img')
  const source = picture?.getAttribute('src') ?? ''
  if (loads) expect(source).toBe(address)
  else expect(source).toMatch(/^data:image\/png;base64,(?:aHR0c|Y2lk)[A-Za-z\d+/]*={0,2}$/)
  expect(refusedPictureAddress(source)).toBe(loads ? null : address)
  expect(picture?.getAttribute('alt')).toBe('Logo')
})

test('an image without content, with another address, or that is no raster image stays as it is', () => {
  const url = 'https://images.northwind.example/logo.png'
  const src = (images: readonly SignatureImage[]) =>
    drawn(`<img src="${url}">`, images).querySelector('img')?.getAttribute('src')
  expect(src([image(url, { content: PNG, status: 404 })])).toBe(url)
  expect(src([image(`${url}?v=2`, { content: PNG })])).toBe(url)
  expect(src([image(url, { content: btoa('<svg onload="alert(1)"/>') })])).toBe(url)
})

test('a signature is blank where a reader sees nothing of it', () => {
  const isBlank = (html: string, type: 'html' | 'text' = 'html') => {
    const result = previewDocument(planned(html), type, origins, asIs)
    return result.kind === 'document' && result.isBlank
  }
  const blank = [
    '',
    '  ',
    '<p>&nbsp;</p>',
    '<table><tr><td><br></td></tr></table>',
    '<style>p{color:red}</style><p></p>',
  ]
  const seen = [
    'Alex',
    '<p> A </p>',
    '<img src="https://images.northwind.example/a.png">',
    '<hr>',
    '<table><tr><td bgcolor="#0f3d5e"></td></tr></table>',
    '<table border="1"><tr><td></td></tr></table>',
    '<p style="border-top:1px solid"></p>',
    '<div style="background:red;height:2px"></div>',
    '<table background="https://images.northwind.example/a.png"><tr><td></td></tr></table>',
  ]
  expect(blank.map((html) => isBlank(html))).toEqual(blank.map(() => true))
  expect(seen.map((html) => isBlank(html))).toEqual(seen.map(() => false))
  expect([isBlank('<p>&nbsp;</p>', 'text'), isBlank('<p>Alex</p>', 'text')]).toEqual([true, false])
})

test('html over the limit is not parsed; the result says that it is too large to insert', () => {
  const html = 'x'.repeat(MAX_HTML_CHARACTERS + 1)
  const fail = () => {
    throw new Error('was parsed')
  }
  expect(previewDocument(planned(html), 'html', origins, fail)).toEqual({
    kind: 'tooLarge',
    characters: html.length,
    limit: 30_000,
    parts: [{ part: 'text', characters: html.length }],
  })
})

test('a signature too large to insert is not drawn; the result names its largest parts', () => {
  const html = `<p style="color:red${';margin:0'.repeat(4_000)}">Alex</p>`
  expect(previewDocument(planned(html), 'html', origins, asIs)).toMatchObject({
    kind: 'tooLarge',
    limit: 30_000,
    parts: [{ part: 'styles' }, { part: 'markup' }, { part: 'text' }],
  })
})

// ---- The preview and the inserted signature ----

/** Like the real one where it matters here: it removes more for a preview than for a message. */
const sanitize: Sanitize = (html, profile, replacePicture) => {
  const clean = asIs(html, profile, replacePicture)
    .replace(/<script>.*?<\/script>/gs, '')
    .replace(/ on\w+="[^"]*"/g, '')
  return profile === 'insert' ? clean : clean.replace(/ (?:href|contenteditable|data-[\w-]+)="[^"]*"/g, '')
}

const urls = ['one/logo.png', 'two/logo.png', 'logo.png?v=1&w=2', 'logo.png?v=1'].map(
  (path) => `https://cdn.northwind.example/${path}`,
)
const written = fc.constantFrom(...urls).map((url) => url.replaceAll('&', '&amp;'))
const part = fc.oneof(
  fc.constantFrom(
    '<p style="color:red">Alex &amp; Co</p>',
    '<style>.signet td{color:red}</style>',
    '<script>alert(1)</script>',
    '<p onclick="x()">Pilot</p>',
    '<a href="mailto:alex@northwind.example" class="big">write</a>',
    '<!-- a note -->',
    `<p>${'word '.repeat(3_000)}</p>`,
  ),
  written.map((url) => `<img src="${url}" alt="Logo">`),
  written.map((url) => `<a href="${url}">the picture, at ${url} here</a>`),
  written.map((url) => `<table background="${url}"><tbody><tr><td>cell</td></tr></tbody></table>`),
  written.map((url) => `<div style="background: url(${url})">styled</div>`),
)
const images = fc
  .subarray(urls)
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((url) =>
        fc
          .constantFrom<Partial<SignatureImage>>({}, { status: 404 }, { content: btoa('<svg onload="x"/>') })
          .map((over) => image(url, over)),
      ),
    ),
  )

/** What both bodies have in common: without the marks of an inserted signature and of a preview's links. */
function comparable(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('*')) {
    element.classList.remove('signet-link')
    if (element.className === '') element.removeAttribute('class')
    for (const name of ['href', 'contenteditable', 'data-signet-id', 'data-signet-hash', 'data-signet-mark'])
      element.removeAttribute(name)
    // The mark names the message; the rest of the id is the same in both.
    if (element.id.startsWith('signet_')) element.id = element.id.replace(/^signet_[^_]*_/, 'signet__')
    // A preview is parsed once more than a message, which normalises the quotes in styles.
    const style = element.getAttribute('style')
    if (style !== null) element.setAttribute('style', style.replaceAll('"', ''))
  }
  return body.innerHTML
}

test('[INS-7] [CHOOSE-1] the preview equals the inserted signature, except for content ids and link targets', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      images,
      fc.constantFrom('html' as const, 'text' as const),
      (parts, given, bodyType) => {
        const signature = listedSignature({ html: parts.join(''), images: given })
        const pane = openPane({
          own: [signature],
          prepare: ({ mailbox, ports }) => {
            Object.assign(ports, { sanitizer: () => of(sanitize) })
            mailbox.act({ type: 'setBodyType', bodyType })
          },
        })
        pane.clock.advance(1_000)
        // An insertion fetches the images that the list does not include; a preview shows them by their URLs.
        pane.service.standard = { ...pane.service.standard, images: [] }
        pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
        pane.clock.advance(1_000)

        const { latest } = pane.app.state$.value.insertion
        // The preview has no address of pictures that its policy refuses.
        const preview = previewDocument(signature, bodyType, ['https://cdn.northwind.example'], sanitize)
        if (preview.kind !== 'document') {
          expect(latest && failureOf(latest.attempt)).toEqual(preview)
          return
        }
        expect(latest?.attempt.status).toBe('success')
        const { body, attachments } = pane.message()
        if (bodyType === 'text') {
          const { body: shown } = new DOMParser().parseFromString(preview.body, 'text/html')
          expect(shown.textContent).toBe(body.signature)
          return
        }
        const received = attachments
          .filter(({ isInline }) => isInline)
          .reduce(
            (html, { contentId, base64 }) =>
              html.replace(
                new RegExp(`cid:${(contentId ?? '').replaceAll('.', '\\.')}(?=["')])`, 'g'),
                `data:image/png;base64,${base64}`,
              ),
            body.signature,
          )
        expect(received).not.toContain('cid:')
        expect(comparable(preview.body)).toBe(comparable(received))
      },
    ),
    cases(20),
  )
})

test('a large picture in many places takes no more than all pictures may; the rest is drawn as not loaded', () => {
  const url = `${origins[0] ?? ''}/large.png`
  // A picture may have anything behind its end.
  const content = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(3_000_000)]).toString('base64')
  const places = 20
  const page = drawn(`<img src="${url}" alt="">`.repeat(places), [image(url, { content })])
  const pictures = [...page.querySelectorAll('img')]
  const shown = pictures.map(({ src }) => src.endsWith(content))
  expect(shown).toHaveLength(places)
  expect(shown.filter(Boolean)).toHaveLength(Math.floor(MAX_TOTAL_PICTURE_CHARACTERS / content.length))
  expect(shown[0]).toBe(true)
  expect(refusedPictureAddress(pictures[places - 1]?.src ?? '')).toContain('cid:')
})
