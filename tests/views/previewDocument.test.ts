import { expect, test } from 'vitest'
import { MAX_PREVIEW_CHARACTERS, previewDocument } from '../../views/parts/preview-document.ts'
import { image } from '../support/state.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
const origins = ['https://images.northwind.example']
const drawn = (html: string, images: Parameters<typeof previewDocument>[1] = []): Document => {
  const result = previewDocument(html, images, origins, (given) => given)
  if (result.kind !== 'document') throw new Error('not drawn')
  return new DOMParser().parseFromString(result.srcdoc, 'text/html')
}

test('the policy comes before anything that could load, and lets in only data and the image origins', () => {
  const first = drawn('<p>Alex</p>').head.firstElementChild
  expect(first?.getAttribute('http-equiv')).toBe('Content-Security-Policy')
  expect(first?.getAttribute('content')).toBe(
    "default-src 'none'; img-src data: https://images.northwind.example; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  )
})

test('what is not an origin does not get into the policy', () => {
  const result = previewDocument(
    '',
    [],
    ["https://x.example; script-src 'unsafe-inline'", '*'],
    (html) => html,
  )
  expect(result.kind === 'document' && result.srcdoc).toContain("img-src data:; style-src 'unsafe-inline'")
})

test('only what the sanitiser let through for a preview is drawn', () => {
  const result = previewDocument(
    '<p>given</p>',
    [],
    origins,
    (html, profile) => `<p>${profile}: ${html.length}</p>`,
  )
  expect(result.kind === 'document' && result.srcdoc).toContain('<body><p>preview: 12</p></body>')
})

test('a link leads nowhere, but says where it would lead', () => {
  const link = drawn('<a href="https://x.example/" target="_top">site</a>').querySelector('a')
  expect(link?.hasAttribute('href')).toBe(false)
  expect(link?.hasAttribute('target')).toBe(false)
  expect(link?.title).toBe('https://x.example/')
})

test('an image whose content is known is drawn from it, wherever it is referred to', () => {
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

test('an image without content, of another address, or that is no raster picture stays as it is', () => {
  const url = 'https://images.northwind.example/logo.png'
  const src = (images: Parameters<typeof previewDocument>[1]) =>
    drawn(`<img src="${url}">`, images).querySelector('img')?.getAttribute('src')
  expect(src([image(url, { content: PNG, status: 404 })])).toBe(url)
  expect(src([image(`${url}?v=2`, { content: PNG })])).toBe(url)
  expect(src([image(url, { content: btoa('<svg onload="alert(1)"/>') })])).toBe(url)
})

test('html over the limit is not even parsed', () => {
  const html = 'x'.repeat(MAX_PREVIEW_CHARACTERS + 1)
  const fail = () => {
    throw new Error('was parsed')
  }
  expect(previewDocument(html, [], origins, fail)).toEqual({ kind: 'tooLong', characters: html.length })
})
