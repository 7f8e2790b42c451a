import { firstValueFrom } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { createChunkLoader, RELOAD_AGE_MS } from '../../src/engine/adapters/chunks.ts'
import { createTextsLoader } from '../../src/pane/locales.ts'
import { Failed } from '../../streams/kernel/failure.ts'

const broken = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
const french = () => Promise.resolve({ default: { loading: 'Chargement' } })

test('fails for a language that cannot be loaded, and reloads the page at the second failure', async () => {
  const reload = vi.fn()
  const page = { age: () => RELOAD_AGE_MS, canReload: () => Promise.resolve(true), reload }
  const loadTexts = createTextsLoader(createChunkLoader(page), {
    de: broken,
    es: broken,
    fr: french,
    it: broken,
    nl: broken,
    pt: broken,
    'pt-BR': broken,
  })
  await expect(firstValueFrom(loadTexts('de'))).rejects.toEqual(new Failed({ kind: 'notLoaded' }))
  // Failures count for each language.
  await expect(firstValueFrom(loadTexts('nl'))).rejects.toEqual(new Failed({ kind: 'notLoaded' }))
  expect(await firstValueFrom(loadTexts('fr'))).toEqual({ loading: 'Chargement' })
  expect(reload).not.toHaveBeenCalled()
  const settled = vi.fn()
  loadTexts('de').subscribe({ next: settled, error: settled })
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(settled).not.toHaveBeenCalled()
})
