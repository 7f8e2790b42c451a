// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drawPlainWords } from '../../src/pane/plainWords.ts'
import { type Language, languages } from '../../streams/wire/languages.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const draw = (language: Language) => {
  const element = document.createElement('div')
  element.textContent = 'the skeleton'
  drawPlainWords(element, language)
  return element
}
const textsOf = (language: Language) =>
  [...draw(language).querySelectorAll('h1, p, button')].map((each) => each.textContent)

describe('in place of the screen', () => {
  it.each(languages)('stands what happened, what it means and what to do: %s', (language) => {
    const texts = textsOf(language)
    expect(texts).toHaveLength(4)
    for (const text of texts) expect(text.trim()).not.toBe('')
    expect(texts[0]).toContain('Signet')
    expect(document.title).toBe(texts[0])
  })

  it('stands the language of the user: no two have the same sentences', () => {
    const sentences = languages.map((language) => textsOf(language).slice(1, 3).join(' '))
    expect(new Set(sentences).size).toBe(languages.length)
    expect(textsOf('en')).toEqual([
      'Signet didn’t load completely',
      'Your default signature goes into messages all the same. Your text stays as it is.',
      'Check the connection, then reload Signet.',
      'Reload',
    ])
  })

  it('stands an alert in the main part of the page, and nothing of the skeleton', () => {
    const element = draw('en')
    expect([...element.children].map(({ localName }) => localName)).toEqual(['main'])
    expect(element.textContent).not.toContain('skeleton')
    const words = element.querySelector('main > .plain')
    expect(words?.role).toBe('alert')
    expect([...(words?.children ?? [])].map(({ localName }) => localName)).toEqual(['h1', 'p', 'p', 'button'])
    expect(element.querySelector('main')?.textContent).toBe(words?.textContent)
  })

  it('stands a button that reloads the page', () => {
    const reload = vi.fn()
    vi.stubGlobal('location', { reload })
    const button = draw('en').querySelector('button')
    expect(button?.type).toBe('button')
    button?.click()
    expect(reload).toHaveBeenCalledTimes(1)
  })
})
