import type { SignatureInMessage } from '../../streams/message/signatures/signature.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { act, type ComponentType, type ReactElement } from 'react'
import { I18nextProvider } from 'react-i18next'
import { BehaviorSubject } from 'rxjs'
import { beforeEach } from 'vitest'
import type { PaneGesture } from '../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../streams/pane/state.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import type { PageName } from '../../streams/pane/router/routes.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import type { Sanitize } from '../../streams/html/plan.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { View as About } from '../../views/pane/settings/About.tsx'
import { View as Help } from '../../views/pane/settings/Help.tsx'
import { View as SelfTest } from '../../views/pane/settings/SelfTest.tsx'
import { View as Settings } from '../../views/pane/settings/Settings.tsx'
import { View as Variables } from '../../views/pane/variables/Variables.tsx'
import { FatalPage } from '../../views/pane/FatalPage.tsx'
import { CrashBoundary } from '../../views/shared/CrashBoundary.tsx'
import { Pane } from '../../views/pane/Pane.tsx'
import { createTexts } from '../../views/pane/text/texts.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { cachedSignature, listedSignature, masterId, profile, signedInWriting } from '../support/state.ts'
import { faults, stubIntersectionObserver, useRoot } from './root.ts'

const views: Readonly<Partial<Record<PageName, ComponentType>>> = {
  about: About,
  help: Help,
  selfTest: SelfTest,
  settings: Settings,
  variables: Variables,
}

/** The texts in English; a missing one fails the test. */
export const englishTexts = () =>
  createTexts({
    locale: 'en',
    fallback: 'en',
    production: false,
    warn: ({ key }) => {
      throw new Error(`There is no text ${key}`)
    },
  })

/** Makes a root element for every test of a file, and returns the actions on it. */
export function useDrawing() {
  /** Callbacks that report the elements observed with IntersectionObserver as visible. */
  let watched: Set<() => void>
  let clock: Clock
  const recorded: PaneGesture[] = []
  const searches: PaneGesture[] = []
  const crashes: unknown[] = []
  let state$: BehaviorSubject<AppState>

  beforeEach(() => {
    recorded.length = 0
    searches.length = 0
    crashes.length = 0
    clock = createClock()
    watched = stubIntersectionObserver()
  })
  const root = useRoot()

  const render = (element: ReactElement) => {
    act(() => {
      root().render(<I18nextProvider i18n={englishTexts()}>{element}</I18nextProvider>)
    })
  }

  /** The list reads the search from the state, so every drawn state contains the latest search. */
  const withSearch = (state: AppState): AppState => {
    const latest = searches.at(-1)
    const meta = { seq: searches.length, at: 0, source: 'person' }
    return latest ? evolveApp(state, { ...latest, meta }) : state
  }

  return {
    /** The recorded events, without searches. */
    recorded,
    searches,
    render,
    /** `sanitize` is for previews and comparisons; without one the sanitiser never loads. */
    draw: (state: AppState, sanitize: Sanitize | null = null, supportUrl: string | null = null) => {
      state$ = new BehaviorSubject(state)
      render(
        <CrashBoundary
          onCrash={(error) => crashes.push(error)}
          instead={<FatalPage cause="crash" onReload={() => undefined} />}
        >
          <Pane
            app={{
              state$,
              record: (event) => {
                if (event.type !== 'signatures/searched') return void recorded.push(event)
                searches.push(event)
                state$.next(withSearch(state$.value))
              },
              loadSanitizer: () => (sanitize ? Promise.resolve(sanitize) : new Promise(() => undefined)),
              imageOrigins: [],
              time: clock,
              viewOf: (view) => views[view] ?? null,
              version: '0.0.0',
              supportUrl,
            }}
          />
        </CrashBoundary>,
      )
    },
    /** What the boundary around the pane caught. */
    crashes,
    /** Ends the state with an error. React prints it. */
    endWith: (error: unknown) => {
      const before = faults.length
      act(() => {
        state$.error(error)
      })
      faults.length = before
    },
    become: (state: AppState) => {
      act(() => {
        state$.next(withSearch(state))
      })
    },
    seeAll: () => {
      act(() => {
        for (const tell of [...watched]) tell()
      })
    },
    /** Advances the clock by `ms` milliseconds, by default longer than every debounce. */
    wait: (ms = 10_000) => {
      act(() => {
        clock.advance(ms)
      })
    },
  }
}

export const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]
export const options = () => all('[role=option]')
/** The accessible name: the content without what is hidden from assistive technology. */
export const nameOf = (element: Element | null): string => {
  const shown = element?.cloneNode(true)
  if (!(shown instanceof Element)) return ''
  for (const hidden of shown.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  return shown.textContent
}
export const names = () => options().map(nameOf)
/** The option with this name. */
export const option = (name: string): HTMLElement => {
  const found = options().find((each) => nameOf(each) === name)
  if (!found) throw new Error(`no option ${name}`)
  return found
}
/** Unfolds the versions of the signature with this name. */
export const unfold = (name: string) => {
  clickOn(
    all('button[aria-expanded=false]').find((each) => each.getAttribute('aria-label')?.endsWith(`, ${name}`)),
  )
}
export const said = () => document.body.textContent
/** The current texts of the live regions. */
export const announced = () =>
  all('[role=status]')
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '')
/** Presses a key. All keys of a test are pressed at one moment, however long the machine takes. */
export const press = (key: string) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: 1 })
  act(() => {
    document.activeElement?.dispatchEvent(event)
  })
}
export const scroll = () => {
  act(() => {
    document.dispatchEvent(new Event('scroll'))
  })
}
export const focus = (element: HTMLElement | undefined) => {
  act(() => {
    element?.focus()
  })
}
export const clickOn = (element: HTMLElement | undefined) => {
  if (!element) throw new Error('nothing to click on')
  act(() => {
    element.click()
  })
}
export const button = (name: string) =>
  all('button, [role=menuitem]').find(
    (each) => each.textContent === name || each.getAttribute('aria-label') === name,
  )
export const click = (name: string) => {
  const found = button(name)
  if (!found) throw new Error(`no button ${name}`)
  clickOn(found)
}
/** Opens what the account shows. */
export const openAccount = () => {
  clickOn(all('footer button').find((each) => each.getAttribute('aria-label')?.startsWith('Account: ')))
}
/** Waits for the lazily loaded code of the signature dialogs. */
export const dialogLoaded = () =>
  act(async () => {
    await import('../../views/pane/preview/PreviewDialog.tsx')
  })
export const type = (input: HTMLInputElement, text: string) => {
  act(() => {
    // Bypasses React's own setter, so that React notices the value as typed.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

export const signature = cachedSignature()
export const page = {
  page: 1,
  total: 7,
  objects: [
    listedSignature({ variants: [{ code: 'reply', html: signature.reply?.html ?? '' }] }),
    listedSignature({ name: 'Short', combinedIds: 'c-short', html: '<p>A. K.</p>' }),
    listedSignature({ name: 'Summer', combinedIds: 'c-summer', html: '<p>Sun</p>' }),
  ],
}
export const reason = { origin: 'default', composeType: 'newMail', reply: false } as const
export const inMessage: SignatureInMessage = {
  combinedIds: 'c-standard',
  hash: contentHash(signature.html),
  name: 'Standard',
  reason,
}
/** Alex is signed in and writes a message; three of seven signatures are loaded. */
export const writing = [
  Router.navigated({ path: '/app/dashboard' }),
  ...signedInWriting('item-1'),
  Profile.loaded({ value: profile() }),
  Defaults.loaded({ value: signature }),
  Signatures.pageLoaded({ list: 'own', epoch: 0, page }),
]
/** The request of an insertion. It comes last before its outcome in the log, so its number is -2. */
export const choosing = Insertion.chosen({ entryId: masterId(1, 1), itemKey: 'item-1' })
export const defaultIn = [
  Insertion.defaultDue({ itemKey: 'item-1', hash: inMessage.hash }),
  Insertion.succeeded({
    id: -2,
    itemKey: 'item-1',
    target: { kind: 'default' },
    inMessage,
    content: signature,
  }),
] as const
/** The user chose Short, and it is inserted. */
export const shortIn = [
  choosing,
  Insertion.succeeded({
    id: -2,
    itemKey: 'item-1',
    target: { kind: 'entry', entryId: masterId(1, 1) },
    inMessage: {
      combinedIds: 'c-short',
      hash: contentHash('<p>A. K.</p>'),
      name: 'Short',
      reason: { ...reason, origin: 'manual' },
    },
    content: { html: '<p>A. K.</p>', images: [] },
  }),
] as const
