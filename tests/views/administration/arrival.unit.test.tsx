import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { BehaviorSubject } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { createAdministrationTexts } from '../../../views/administration/text/texts.ts'
import { NOON } from '../../support/administration/answers.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'
import { createClock } from '../../support/clock.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

test('the heading of an area has the focus when its code comes late', async () => {
  // Another test of this worker may have loaded the code of an area.
  vi.resetModules()
  const { AdministrationPage } = await import('../../../views/administration/AdministrationPage.tsx')
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  const root = createRoot(place)
  const state$ = new BehaviorSubject(administrationStateAfter(...at('/now')))
  const texts = createAdministrationTexts({
    locale: 'en',
    fallback: 'en',
    production: true,
    warn: () => undefined,
  })
  const administration = {
    state$,
    record: () => undefined,
    loadSanitizer: () => Promise.reject(new Error('not here')),
    imageOrigins: [],
    time: createClock(NOON),
    version: '0.1.0',
    documentation: '',
    loadValues: () => Promise.reject(new Error('not here')),
  }
  act(() => {
    root.render(
      <I18nextProvider i18n={texts}>
        <AdministrationPage administration={administration} />
      </I18nextProvider>,
    )
  })
  act(() => {
    state$.next(administrationStateAfter(...at('/audit')))
  })
  expect([...document.querySelectorAll('main h1')]).toEqual([])
  await act(async () => {
    await vi.dynamicImportSettled()
  })
  expect(document.activeElement?.textContent).toBe('Audit log')
  act(() => {
    root.unmount()
  })
})
