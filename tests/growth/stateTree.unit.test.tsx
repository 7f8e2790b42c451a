import { createInstance } from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, test } from 'vitest'
import { StateTree } from '../../src/playground/timeline/StateTree.tsx'
import { MAX_GROWTH } from './cases.ts'
import { growthOf } from './work.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: {} })

const named = (letter: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [letter + String(index), 1]))

test('parts of a state that are gone are found in steps in proportion to their number', () => {
  const growth = growthOf(
    (length) => [named('a', length), named('b', length)] as const,
    ([value, before]) =>
      renderToStaticMarkup(
        <I18nextProvider i18n={i18n}>
          <StateTree value={value} before={before} />
        </I18nextProvider>,
      ),
    2_000,
  )
  expect(growth).toBeLessThanOrEqual(MAX_GROWTH)
})
