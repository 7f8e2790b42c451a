import { createHash } from 'node:crypto'
import { webDarkTheme, webLightTheme } from '@fluentui/tokens'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CardContent,
  cardPage,
  COLOURS,
  helpdeskSection,
  markup,
  primaryLink,
} from '../../src/server/cardPage.ts'

const card: CardContent = {
  language: 'en',
  program: 'Signet',
  heading: 'Nothing here',
  sentences: ['Go back.'],
}

const plain = (value: string): string => value.replace(/\s+/g, ' ').replaceAll(', ', ',').toLowerCase()

test.each([
  ['light', webLightTheme],
  ['dark', webDarkTheme],
] as const)('the %s card has the colours of Fluent', (theme, fluent) => {
  const index = theme === 'light' ? 0 : 1
  for (const [name, values] of Object.entries(COLOURS))
    expect([name, plain(values[index])]).toEqual([name, plain(String(Reflect.get(fluent, name)))])
})

describe('a card', () => {
  const { headers, body } = cardPage({
    ...card,
    language: 'pt-BR',
    below: [primaryLink('/a?b&c', 'On'), helpdeskSection('Help', ['404', 'not <found>'])],
  })

  test('names its language, and has one heading in its main part', () => {
    expect(body).toMatch(/^<!doctype html>\n<html lang="pt-BR">/)
    expect(body).toContain('<title>Nothing here – Signet</title>')
    expect(body.match(/<main>|<h1>/g)).toEqual(['<main>', '<h1>'])
    expect(body).toContain('<p class="program">Signet</p>\n<h1>Nothing here</h1>\n<p>Go back.</p>')
  })

  test('has what stands below, its texts escaped', () => {
    expect(body).toContain('<a class="button primary" href="/a?b&amp;c">On</a>')
    expect(body).toContain(
      '<details><summary>Help</summary><p lang="en"><code>404</code></p><p lang="en"><code>not &lt;found&gt;</code></p></details>',
    )
  })

  test('is allowed its own style by the hash, and nothing else', () => {
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(body) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(style).toContain(':focus-visible')
    expect(headers).toEqual({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    expect(body).not.toMatch(/<script|style=|https?:/)
  })

  test('with a form allows where the form leads', () => {
    const policy = cardPage({ ...card, formTargets: ["'self'", 'http://localhost:1'] }).headers[
      'Content-Security-Policy'
    ]
    expect(policy).toContain("; form-action 'self' http://localhost:1; frame-ancestors 'none'")
  })

  test('escapes every text, and no markup twice', () => {
    const unescape = (text: string) =>
      text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => {
        const signs: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
        return signs[entity] ?? "'"
      })
    const text = fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", ';', '#39', 'lt', 'a') })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const parts = [markup`<b title="${one}">${other}</b>`, markup`<i>${one}</i>`]
        const written = markup`<p>${parts}</p>`.toString()
        const [, ...found] =
          /^<p><b title="([^"<>]*)">([^"'<>]*)<\/b><i>([^"'<>]*)<\/i><\/p>$/.exec(written) ?? []
        expect(found.map(unescape)).toEqual([one, other, one])
      }),
    )
  })
})
