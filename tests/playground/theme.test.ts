import { readFile } from 'node:fs/promises'
import { webDarkTheme, webLightTheme } from '@fluentui/tokens'
import { expect, test } from 'vitest'

const css = await readFile(new URL('../../views/theme.css', import.meta.url), 'utf8')

/** The custom properties of each rule, in the order of the file, written without line breaks. */
const rules = [...css.matchAll(/(:root[^{]*)\{([^}]*)\}/g)].map(([, selector = '', body = '']) => ({
  selector: selector.trim(),
  tokens: Object.fromEntries(
    [...body.matchAll(/--(\w+):([^;]*);/g)].map(([, name = '', value = '']) => [name, plain(value)]),
  ),
}))
function plain(value: string): string {
  return value.replace(/\s+/g, ' ').replaceAll(', ', ',').trim().toLowerCase().replaceAll('"', "'")
}
const fluent = (theme: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, plain(String(Reflect.get(theme, name)))]))

test('the light theme holds the values of Fluent', () => {
  const [light] = rules
  expect(light?.selector).toBe(':root')
  expect(light?.tokens).toEqual(fluent(webLightTheme, Object.keys(light?.tokens ?? {})))
})

test('the dark theme, asked for by the system or by the person, holds every value of Fluent that differs', () => {
  const [light, bySystem, byPerson] = rules
  const names = Object.keys(light?.tokens ?? {}).filter(
    (name) => Reflect.get(webLightTheme, name) !== Reflect.get(webDarkTheme, name),
  )
  expect(names).toContain('colorNeutralBackground1')
  expect(bySystem?.selector).toBe(":root:not([data-theme='light'])")
  expect(byPerson?.selector).toBe(":root[data-theme='dark']")
  expect(bySystem?.tokens).toEqual(fluent(webDarkTheme, names))
  expect(byPerson?.tokens).toEqual(bySystem?.tokens)
})
