import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { loadTexts } from '../../src/playground/text.ts'

const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'pt-BR']

async function textsOf(language: string): Promise<Map<string, string>> {
  const file = new URL(`../../src/playground/text/${language}.json`, import.meta.url)
  const found = new Map<string, string>()
  const collect = (node: unknown, path: string) => {
    if (typeof node === 'string') found.set(path, node)
    else
      for (const [key, value] of Object.entries(node as object)) collect(value, path ? `${path}.${key}` : key)
  }
  collect(JSON.parse(await readFile(file, 'utf8')), '')
  return found
}

describe.each(LANGUAGES)('the texts in %s', (language) => {
  test('have the same keys and placeholders as the English ones', async () => {
    const [english, texts] = [await textsOf('en'), await textsOf(language)]
    const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of texts) {
      expect(text.trim(), key).not.toBe('')
      expect(placeholders(text), key).toEqual(placeholders(english.get(key) ?? ''))
    }
  })

  test('are shown in that language', async () => {
    const texts = await loadTexts(language)
    expect(texts.language).toBe(language)
    expect(texts.t('commands.newMessage')).toBe((await textsOf(language)).get('commands.newMessage'))
  })
})

test('the texts of Brazil are not those of Portugal', async () => {
  const [brazil, portugal] = [await textsOf('pt-BR'), await textsOf('pt')]
  const european = /utilizador|ficheiro|\bregisto|definiç|ligação|ecrã|guardad|reencaminh|\bporquê/i
  for (const [key, text] of brazil) expect(text, key).not.toMatch(european)
  expect([...brazil].filter(([key, text]) => portugal.get(key) !== text).length).toBeGreaterThan(60)
})
