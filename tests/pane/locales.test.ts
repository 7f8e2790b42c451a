import { firstValueFrom } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { createChunkLoader, RELOAD_AGE_MS } from '../../src/engine/adapters/chunks.ts'
import { createLocales } from '../../src/pane/locales.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { createTexts } from '../../views/text/texts.ts'

const broken = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
const french = () => Promise.resolve({ default: { loading: 'Chargement' } })

test('fails for a language that cannot be loaded, and reloads the page at the second failure', async () => {
  const texts = createTexts({ locale: 'en', fallback: 'en', production: true, warn: () => undefined })
  const reload = vi.fn()
  const page = { age: () => RELOAD_AGE_MS, canReload: () => Promise.resolve(true), reload }
  const locales = createLocales(texts, 'en', createChunkLoader(page), {
    de: broken,
    es: broken,
    fr: french,
    it: broken,
    nl: broken,
    pt: broken,
  })
  await expect(firstValueFrom(locales.load('de'))).rejects.toEqual(new Failed({ kind: 'network' }))
  // Failures count for each language.
  await expect(firstValueFrom(locales.load('nl'))).rejects.toEqual(new Failed({ kind: 'network' }))
  await firstValueFrom(locales.load('fr'))
  expect(texts.getFixedT('fr')('loading')).toBe('Chargement')
  expect(reload).not.toHaveBeenCalled()
  const settled = vi.fn()
  locales.load('de').subscribe({ next: settled, error: settled })
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(settled).not.toHaveBeenCalled()
})
