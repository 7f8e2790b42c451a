import { createInstance } from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, test } from 'vitest'
import { StateTree } from '../../../src/playground/timeline/StateTree.tsx'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: {} })

const draw = (value: unknown, before: unknown): string =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <StateTree value={value} before={before} />
    </I18nextProvider>,
  )

const nested = (levels: number): unknown => {
  let value: unknown = 'innermost'
  for (let level = 0; level < levels; level++) value = { part: value }
  return value
}

test('parts that differ are expanded by themselves, and no others', () => {
  const drawn = draw({ same: nested(1), other: nested(19) }, { same: nested(1), other: 1 })
  expect(drawn).toContain('innermost')
  const kept = nested(1)
  expect(draw({ kept }, { kept })).not.toContain('<details open')
})

test('parts that differ a hundred thousand levels deep are drawn down to the twentieth', () => {
  const drawn = draw(nested(100_000), null)
  expect(drawn.match(/<details open/g)).toHaveLength(20)
  expect(drawn).not.toContain('innermost')
})
