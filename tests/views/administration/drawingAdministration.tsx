import { act, type ReactElement } from 'react'
import { I18nextProvider } from 'react-i18next'
import { BehaviorSubject } from 'rxjs'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { AdministrationEvent, AdministrationGesture } from '../../../streams/administration/events.ts'
import type { AdministrationState } from '../../../streams/administration/state.ts'
import { AdministrationPage } from '../../../views/administration/AdministrationPage.tsx'
import { createAdministrationTexts } from '../../../views/administration/text/texts.ts'
import { NOON } from '../../support/administration/answers.ts'
import { administrationStateAfter } from '../../support/administration/story.ts'
import { createClock } from '../../support/clock.ts'
import { faults, useRoot } from '../root.ts'

/** The texts in English; a missing one, or a missing value, fails the test. */
export const englishTexts = () => {
  const texts = createAdministrationTexts({
    locale: 'en',
    fallback: 'en',
    production: false,
    warn: ({ key }) => {
      throw new Error(`There is no text ${key}`)
    },
  })
  texts.options.missingInterpolationHandler = (text: string, [placeholder]: readonly string[]) => {
    faults.push([`There is no value for ${placeholder ?? ''} in: ${text}`])
    return ''
  }
  return texts
}

/** Observes nothing: there is no layout here. */
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Makes a root element for every test of a file, and returns the actions on it. */
export function useAdministrationDrawing() {
  let state$: BehaviorSubject<AdministrationState>
  const recorded: AdministrationGesture[] = []

  // Each is a chunk; here they are loaded before the first drawing.
  beforeAll(() =>
    Promise.all([
      import('../../../views/administration/overview/Audit.tsx'),
      import('../../../views/administration/directory/Directory.tsx'),
      import('../../../views/administration/overview/History.tsx'),
      import('../../../views/administration/overview/Maintenance.tsx'),
      import('../../../views/administration/overview/Now.tsx'),
      import('../../../views/administration/organisations/Organisations.tsx'),
      import('../../../views/administration/people/People.tsx'),
      import('../../../views/administration/plan/Plan.tsx'),
      import('../../../views/administration/signatures/Signatures.tsx'),
      import('../../../views/administration/plan/templateEditor.ts'),
    ]),
  )
  beforeEach(() => {
    recorded.length = 0
    // Moments are shown in the time zone of the browser.
    vi.stubEnv('TZ', 'UTC')
    vi.stubGlobal('IntersectionObserver', Observer)
    vi.stubGlobal('ResizeObserver', Observer)
  })
  afterEach(() => vi.unstubAllEnvs())
  const root = useRoot()

  const render = async (element: ReactElement) => {
    await act(async () => {
      root().render(<I18nextProvider i18n={englishTexts()}>{element}</I18nextProvider>)
      await vi.dynamicImportSettled()
    })
  }

  return {
    recorded,
    render,
    /** Draws the state after these events, and waits for the code of the area. */
    draw: async (...events: readonly AdministrationEvent[]): Promise<void> => {
      state$ = new BehaviorSubject(administrationStateAfter(...events))
      await render(
        <AdministrationPage
          administration={{
            state$,
            record: (event) => recorded.push(event),
            loadSanitizer: () => Promise.reject(new Error('not here')),
            imageOrigins: [],
            documentation: 'https://signet.example.com/docs',
            loadValues: () => Promise.reject(new Error('not here')),
            time: createClock(NOON),
            version: '0.1.0',
          }}
        />,
      )
    },
    /** Draws the state after these events in the same page. */
    go: async (...events: readonly AdministrationEvent[]): Promise<void> => {
      await act(async () => {
        state$.next(administrationStateAfter(...events))
        await vi.dynamicImportSettled()
      })
    },
    /** React has printed an error that the test is about. */
    forgive: () => {
      faults.length = 0
    },
  }
}

export const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
export const textOf = (selector: string) => all(selector).map(({ textContent }) => textContent)
export const body = () => document.body.textContent
export const button = (name: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find(
    (each) => (each.getAttribute('aria-label') ?? each.textContent) === name,
  )
  if (!found) throw new Error(`There is no button ${name}`)
  return found
}
export const press = (name: string) => {
  act(() => {
    button(name).click()
  })
}
/** The field with this label, which is beside it or in it; of several, the one at `index`. */
export const field = <E extends HTMLElement = HTMLInputElement>(label: string, index = 0): E => {
  const found = all('label').filter(({ textContent }) => textContent === label)[index]
  const element = found?.querySelector('input') ?? document.getElementById(found?.getAttribute('for') ?? '')
  if (!element) throw new Error(`There is no field ${label}`)
  return element as E
}
/** Types a text over that of a field, or chooses one of its options. */
export const fill = (element: HTMLElement, value: string) => {
  act(() => {
    // Bypasses React's own setter, so that React notices the value as typed.
    const prototype = Object.getPrototypeOf(element) as object
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value)
    const isChoice = element instanceof HTMLSelectElement
    element.dispatchEvent(new Event(isChoice ? 'change' : 'input', { bubbles: true }))
  })
}
/** Checks a box, or chooses one of several. */
export const check = (label: string) => {
  act(() => {
    field(label).click()
  })
}
/** What is said to be wrong with a field; null when nothing is. */
export const problemOf = (element: HTMLElement) =>
  element
    .getAttribute('aria-describedby')
    ?.split(' ')
    .filter((id) => id.endsWith('-problem'))
    .map((id) => document.getElementById(id)?.textContent)[0] ?? null
