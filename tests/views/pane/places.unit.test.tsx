import { act } from 'react'
import type { Root } from 'react-dom/client'
import { of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { routeAt, signaturesPath } from '../../../streams/pane/router/routes.ts'
import { DELEGATIONS_FOLDER } from '../../../streams/message/signatures/entry.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { Chunks } from '../../../streams/pane/chunks/events.ts'
import { createTexts } from '../../../views/pane/text/texts.ts'
import { createClock } from '../../support/clock.ts'
import { fakeLog } from '../../support/log.ts'
import { failing, fakePorts } from '../../support/ports.ts'
import { freshState, listedSignature, profile, signedInWriting, stateAfter } from '../../support/state.ts'
import {
  all,
  button,
  click,
  defaultIn,
  dialogLoaded,
  names,
  option,
  said,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { draw, become } = useDrawing()

/** Alex is at this path, and its view is loaded. */
const at = (path: string): readonly AppEvent[] => {
  const page = routeAt(path)?.page
  return [...writing, Router.navigated({ path }), ...(page ? [Chunks.loaded({ page })] : [])]
}
const headings = () => all('h1').map(({ textContent }) => textContent)
/** The innermost element of the page, which fades in. */
const place = () => document.querySelector('main > div:last-child')
const isFading = (element: Element | null) => element?.classList.contains('faded')

const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: null })

describe('every route has its view', () => {
  test.each([
    ['/app/dashboard', 'In this message'],
    ['/app/signatures/main', 'All signatures'],
    ['/app/signatures/delegations', 'Shared with me'],
    ['/app/settings/config', 'Settings'],
    ['/app/settings/app', 'Settings'],
    ['/app/settings/attributes', 'My details'],
    ['/app/settings/variables', 'My details'],
    ['/about', 'About Signet'],
    ['/pages/about', 'About Signet'],
    ['/help', 'Help'],
    ['/auth', 'Loading'],
    ['/auth/login', 'Loading'],
    ['/auth/logout', 'Loading'],
    ['/loading', 'Loading'],
    ['/logout', 'Loading'],
  ])('[NAV-1] %s shows “%s”', (path, title) => {
    draw(stateAfter(...at(path)))
    expect(headings()).toEqual([title])
  })

  test('[NAV-6] /home is the onboarding view for a signed-out user', () => {
    draw(stateAfter(Router.navigated({ path: '/home' }), signedOut))
    expect(headings()).toEqual(['The right signature in every message'])
    expect(button('Sign in')).toBeDefined()
  })
})

describe('the shell', () => {
  test('[NAV-3] fades in every page but the first', () => {
    draw(stateAfter(...at('/app/dashboard')))
    expect(isFading(place())).toBe(false)
    become(stateAfter(...at('/app/settings/app')))
    expect(isFading(place())).toBe(true)
    expect(place()?.querySelector('h1')?.textContent).toBe('Settings')
    become(stateAfter(...at('/app/dashboard')))
    expect(isFading(place())).toBe(true)
  })

  test('[NAV-3] draws again only when the parameter of the route changes', () => {
    draw(stateAfter(...at('/app/signatures/main')))
    const [first, listOfFirst] = [place(), document.querySelector('[role=listbox]')]
    expect(names()).toContain('Short')
    become(stateAfter(...at('/app/signatures/main'), ...defaultIn))
    become(stateAfter(...at('/app/signatures/main?from=elsewhere')))
    expect([place(), document.querySelector('[role=listbox]')]).toEqual([first, listOfFirst])
    expect(first?.isConnected).toBe(true)
    become(stateAfter(...at('/app/signatures/delegations')))
    expect(headings()).toEqual(['Shared with me'])
    expect(place()).not.toBe(first)
    expect(first?.isConnected).toBe(false)
    expect(isFading(place())).toBe(true)
  })

  test('draws a view under two paths once', () => {
    draw(stateAfter(...at('/app/settings/app')))
    const first = place()
    become(stateAfter(...at('/app/settings/config')))
    expect(place()).toBe(first)
  })

  test('draws nothing twice on the way to the dashboard', () => {
    draw(freshState())
    const first = place()
    for (const path of ['/', '/home', '/app', '/app/dashboard']) {
      become(stateAfter(Router.navigated({ path })))
      expect(place()).toBe(first)
    }
  })
})

describe('the views', () => {
  test('[NAV-9] the layout has the main element and the navigation', () => {
    draw(stateAfter(...at('/app/dashboard')))
    expect(all('main')).toHaveLength(1)
    expect(all('footer nav a').map(({ textContent }) => textContent)).toEqual([
      'Signatures',
      'My details',
      'Settings',
    ])
  })

  test('[NAV-9] the dashboard shows the inserted signature and the others', () => {
    draw(stateAfter(...at('/app/dashboard'), ...defaultIn))
    expect(headings()).toEqual(['In this message'])
    expect(said()).toContain('Your organisation’s default')
    expect(names()).toContain('Short')
  })

  test('[NAV-9] the signature list shows the signatures of its folder', () => {
    const shared = Signatures.pageLoaded({
      list: 'delegated',
      epoch: 0,
      page: {
        page: 1,
        total: 1,
        objects: [listedSignature({ name: 'Sales', email: 'sales@northwind.example', combinedIds: 'd-1' })],
      },
    })
    draw(stateAfter(...at('/app/signatures/delegations'), shared))
    expect(names()).toContain('Sales')
    expect(names()).not.toContain('Short')
    become(stateAfter(...at('/app/signatures/main'), shared))
    expect(names()).toContain('Short')
  })

  test('[NAV-7] the list leads to all signatures, and to the shared ones once other mailboxes share some', () => {
    const ways = () =>
      all('nav[aria-label="Which signatures"] a').map((link) => [
        link.textContent,
        link.getAttribute('href'),
        link.getAttribute('aria-current'),
      ])
    const everybodys = ['All signatures', `#${signaturesPath('main')}`]
    const shared = ['Shared with me', `#${signaturesPath(DELEGATIONS_FOLDER)}`]
    draw(stateAfter(...at('/app/dashboard')))
    expect(ways()).toEqual([[...everybodys, null]])
    const delegated = Profile.loaded({ value: profile({ delegations: ['u-sales'] }) })
    become(stateAfter(...at('/app/dashboard'), delegated))
    expect(ways()).toEqual([
      [...everybodys, null],
      [...shared, null],
    ])
    become(stateAfter(...at(signaturesPath(DELEGATIONS_FOLDER)), delegated))
    expect(ways()).toEqual([
      [...everybodys, null],
      [...shared, 'page'],
    ])
    become(stateAfter(...at(signaturesPath('main')), delegated))
    expect(ways()).toEqual([
      [...everybodys, 'page'],
      [...shared, null],
    ])
  })

  test('[NAV-9] the signature-actions overlay opens over the list, the signature preview over everything', async () => {
    draw(stateAfter(...at('/app/dashboard')))
    click('More options for Short')
    const menu = document.querySelector('[role=menu]')
    expect(menu?.textContent).toContain('Copy')
    click('Large preview')
    await dialogLoaded()
    expect(document.querySelector('[role=menu]')).toBeNull()
    expect(document.querySelector('dialog')?.textContent).toContain('Short')
  })

  test('[NAV-9] signature placeholders are shown while the signatures load', () => {
    draw(stateAfter(...signedInWriting('item-1')))
    const waiting = all('[aria-busy=true]').at(-1)
    expect(waiting?.textContent).toContain('Loading your signatures')
    expect(waiting?.querySelectorAll('.card')).toHaveLength(3)
    become(stateAfter(...writing, ...defaultIn))
    expect(document.querySelector('[aria-busy=true]')).toBeNull()
    expect(option('Short').isConnected).toBe(true)
  })

  test('[NAV-9] settings, variables and about are views of their own', () => {
    draw(stateAfter(...at('/app/settings/app')))
    expect(all('[role=switch]')).toHaveLength(8)
    become(stateAfter(...at('/app/settings/variables')))
    expect(headings()).toEqual(['My details'])
    become(stateAfter(...at('/about')))
    expect(said()).toContain('Version 0.0.0')
  })

  test('[NAV-9] onboarding, loading and timeout are views of their own', () => {
    draw(stateAfter(signedOut))
    expect(button('Sign in')).toBeDefined()
    const wanted = [...writing, Router.navigated({ path: '/about' })]
    become(stateAfter(...wanted, Chunks.slow({ page: 'about' })))
    expect(headings()).toEqual(['Loading'])
    become(stateAfter(...wanted, Chunks.timedOut({ page: 'about' })))
    expect(headings()).toEqual(['This page didn’t open'])
    expect(button('Back')).toBeDefined()
  })
})

describe('the languages of the environment', () => {
  /** What the programs of a test draw in. Left in place, it would take the focus in the tests after it. */
  const roots: Root[] = []
  beforeEach(() => {
    vi.doMock(import('react-dom/client'), async (original) => {
      const client = await original()
      return {
        ...client,
        createRoot: (...from) => {
          const root = client.createRoot(...from)
          roots.push(root)
          return root
        },
      }
    })
  })
  afterEach(() => {
    act(() => {
      for (const root of roots.splice(0)) root.unmount()
    })
    vi.doUnmock('react-dom/client')
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  const start = async () => {
    vi.resetModules()
    const { startPane } = await import('../../../src/pane/startPane.ts')
    const element = document.createElement('div')
    document.body.replaceChildren(element)
    // Without a host, no mail client reports its language.
    await act(async () => {
      startPane(element, () => [])
      await Promise.resolve()
    })
    return element
  }

  test('[I18N-6] the pane starts in the locale of the environment', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.stubGlobal('signetConfig', { SIGNET_LOCALE: 'de-DE' })
    const german = await start()
    await vi.waitFor(() => {
      expect(german.textContent).toContain('Signet kann hier nicht starten')
    })
    vi.unstubAllGlobals()
    const usual = await start()
    await vi.waitFor(() => {
      expect(usual.textContent).toContain('Signet can’t start here')
    })
    vi.restoreAllMocks()
  })

  test('[I18N-6] the pane is in the fallback of the environment for a user whose language has no texts', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.stubGlobal('signetConfig', {
      SIGNET_LOCALE: 'de',
      SIGNET_FALLBACK_LOCALE: 'fr',
      SIGNET_PRODUCTION: 'true',
    })
    vi.resetModules()
    const { startPane } = await import('../../../src/pane/startPane.ts')
    const { host, identity } = fakePorts(createClock(0))
    identity.accessToken.answers(failing({ kind: 'auth', code: 'user_cancelled' }))
    const element = document.createElement('div')
    document.body.replaceChildren(element)
    await act(async () => {
      startPane(element, () => [
        { name: 'simulated', resolve: () => of({ host: { ...host, displayLanguage: 'sv-SE' }, identity }) },
      ])
      await Promise.resolve()
    })
    await vi.waitFor(() => {
      expect(element.textContent).toContain('La bonne signature dans chaque message')
    })
    window.dispatchEvent(new Event('pagehide'))
    vi.restoreAllMocks()
  })

  test.each([true, false])(
    '[I18N-6] the screen logs a missing text only outside production: SIGNET_PRODUCTION=%s',
    async (production) => {
      vi.stubGlobal('signetConfig', { SIGNET_PRODUCTION: String(production) })
      vi.resetModules()
      vi.doMock('../../../views/pane/text/en.json', () => ({ default: {} }))
      const { createScreen } = await import('../../../src/pane/screen/drawScreen.tsx')
      vi.doUnmock('../../../views/pane/text/en.json')
      const log = fakeLog()
      const screen = createScreen(document.createElement('div'), {
        time: createClock(0),
        log,
        loadChunk: (load) => load,
        loadSanitizer: () => Promise.reject(new Error('not needed')),
      })
      expect(screen.noticeText({ kind: 'defaultNotInserted', signature: '', reply: false })).toBe(
        'notice.notInserted',
      )
      expect(log.lines).toEqual(
        production
          ? []
          : [
              {
                level: 'warn',
                action: 'translation_missing',
                detail: { key: 'notice.notInserted', language: 'en' },
              },
            ],
      )
    },
  )

  test('[I18N-6] a missing text comes from the fallback language, then from English', () => {
    const texts = createTexts({ locale: 'de', fallback: 'fr', production: true, warn: () => undefined })
    expect(texts.t('loading')).toBe('Loading')
    texts.addResourceBundle('fr', 'translation', { loading: 'Chargement' })
    texts.addResourceBundle('de', 'translation', { settings: { title: 'Einstellungen' } })
    expect([texts.t('loading'), texts.t('settings.title'), texts.t('about.title')]).toEqual([
      'Chargement',
      'Einstellungen',
      'About Signet',
    ])
  })

  test('[I18N-6] a missing text gives a warning, except in production', () => {
    const missing = (production: boolean) => {
      const warned: unknown[] = []
      const texts = createTexts({
        locale: 'en',
        fallback: 'en',
        production,
        warn: (each) => warned.push(each),
      })
      texts.t('loading')
      texts.t('no.such.text')
      return warned
    }
    expect(missing(false)).toEqual([{ key: 'no.such.text', language: 'en' }])
    expect(missing(true)).toEqual([])
  })

  test('[I18N-6] the environment may name a language by any of its tags', async () => {
    vi.stubGlobal('signetConfig', { SIGNET_LOCALE: 'pt-BR', SIGNET_FALLBACK_LOCALE: 'es' })
    vi.resetModules()
    const { config } = await import('../../../src/engine/config.ts')
    expect([config.locale, config.fallbackLocale]).toEqual(['pt-BR', 'es'])
  })
})
