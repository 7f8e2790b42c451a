import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { webDarkTheme, webLightTheme } from '@fluentui/tokens'
import { expect, test } from 'vitest'

const css = await readFile(path.join(import.meta.dirname, '../../../views/shared/theme.css'), 'utf8')

/** One notation for equal values. */
const plain = (value: string): string =>
  value.replace(/\s+/g, ' ').replaceAll(', ', ',').trim().toLowerCase().replaceAll('"', "'")

const [, root = ''] = /:root \{([^}]*)\}/.exec(css) ?? []
const tokens = [...root.matchAll(/--(\w+):([^;]*);/g)].map(
  ([, name = '', value = '']) => [name, plain(value)] as const,
)
/** The values of one theme: `light-dark(a,b)` is `a` in the light one and `b` in the dark one. */
const valuesIn = (theme: 'light' | 'dark') =>
  tokens.map(([name, value]) => [
    name,
    value.replace(
      /light-dark\(((?:[^(),]|\([^)]*\))*),((?:[^(),]|\([^)]*\))*)\)/g,
      theme === 'light' ? '$1' : '$2',
    ),
  ])
/** Fluent's lengths of text are in pixels, the pane's in rem: a sixteenth of them. */
const inRem = (name: string, value: string) =>
  /^(?:fontSize|lineHeight)/.test(name) ? `${String(parseFloat(value) / 16)}rem` : value
const fluent = (theme: object) =>
  tokens.map(([name]) => [name, inRem(name, plain(String(Reflect.get(theme, name))))])

test('the light theme has the values of Fluent', () => {
  expect(tokens.length).toBeGreaterThan(50)
  expect(valuesIn('light')).toEqual(fluent(webLightTheme))
})

test('the dark theme has the values of Fluent', () => {
  expect(valuesIn('dark')).toEqual(fluent(webDarkTheme))
})

test('the system decides between light and dark, unless the page does', () => {
  expect([...css.matchAll(/(:root[^{]*?) \{\s*(color-scheme: [^;]*);/g)].map(([, ...rule]) => rule)).toEqual([
    [':root', 'color-scheme: light dark'],
    [":root[data-theme='light']", 'color-scheme: light'],
    [":root[data-theme='dark']", 'color-scheme: dark'],
  ])
})
