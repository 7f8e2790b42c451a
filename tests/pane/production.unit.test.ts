// @vitest-environment happy-dom
import { firstValueFrom, of } from 'rxjs'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostProvider } from '../../src/engine/hosts/chooseHost.ts'
import { evolveApp, initialState } from '../../streams/pane/state.ts'
import { replayLog } from '../../streams/kernel/store.ts'
import { defaultSettings } from '../../streams/message/settings/settings.ts'
import { selectTelemetryPayload } from '../../streams/pane/telemetry/selectors.ts'
import { createClock } from '../support/clock.ts'
import { fakePorts } from '../support/ports.ts'
import { textOf } from '../support/state.ts'

// What a production build does otherwise than another one: the modules that ship, built with these two flags. What
// differs in the reducers and effects is in tests/journeys/persistentChoices.unit.test.ts, and what a build demands in
// tests/build/production.unit.test.ts.

/** The first page loads the code of the whole screen, for which a busy machine needs a while. */
const LOADING = { timeout: 60_000 }

/** The modules as they are in a build with these flags. */
const built = <Module>(
  flags: Readonly<{ production: boolean; beta?: boolean }>,
  load: () => Promise<Module>,
) => {
  vi.stubGlobal('signetConfig', {
    SIGNET_PRODUCTION: String(flags.production),
    SIGNET_BETA: String(flags.beta ?? false),
    SIGNET_API_URL: 'https://api.example.com',
  })
  vi.resetModules()
  return load()
}
const builtEngine = async (flags: Parameters<typeof built>[0]) => {
  const { createEngine } = await built(flags, () => import('../../src/engine/createEngine.ts'))
  const clock = createClock(Date.UTC(2026, 10, 20))
  const { host, identity, screen, locales, chunks, noticeText } = fakePorts(clock)
  const provider: HostProvider = {
    name: 'simulated',
    resolve: () => of({ host: host, identity }),
  }
  const engine = createEngine({ time: clock })
  return {
    engine,
    start: () => firstValueFrom(engine.start(() => [provider], { screen, locales, chunks, noticeText })),
  }
}

const warn = vi.spyOn(console, 'warn')
const error = vi.spyOn(console, 'error')
const debug = vi.spyOn(console, 'debug')
beforeEach(() => {
  warn.mockReset().mockImplementation(() => undefined)
  error.mockReset().mockImplementation(() => undefined)
  debug.mockReset().mockImplementation(() => undefined)
  document.body.innerHTML = '<div id="root"></div>'
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
  document.body.innerHTML = ''
})

afterAll(() => {
  warn.mockRestore()
  error.mockRestore()
  debug.mockRestore()
  vi.resetModules()
})

describe.each([true, false])('a build with SIGNET_PRODUCTION=%s', (production) => {
  it('[SET-4] has its level of logging before a host is there', async () => {
    const { engine } = await builtEngine({ production })
    engine.log.debug('a detail')
    engine.log.warn('a warning')
    engine.log.error('an error')
    expect(debug).toHaveBeenCalledTimes(production ? 0 : 1)
    expect(warn).toHaveBeenCalledTimes(production ? 0 : 1)
    expect(error).toHaveBeenCalledTimes(1)
  })

  it.each([true, false])(
    '[SET-1] with SIGNET_BETA=%s starts with its own defaults, and telemetry says whether it is a beta',
    async (beta) => {
      const { start } = await builtEngine({ production, beta })
      const app = await start()
      const { settings } = app.state$.value
      expect(settings.stage).toEqual({ production, beta })
      expect(settings).toMatchObject(defaultSettings({ production, beta }))
      expect(settings.enableLogs).toBe(!production || beta)
      expect(selectTelemetryPayload(app.state$.value)?.beta).toBe(beta)
      app.stop()
    },
  )

  it('[KNOW-2] exports a log that says so, and that replays to the same settings', async () => {
    const { start } = await builtEngine({ production })
    const app = await start()
    const { stage, events } = JSON.parse(textOf(await app.exportLog())) as {
      stage: Parameters<typeof initialState>[0]
      events: Parameters<typeof replayLog<ReturnType<typeof initialState>, never>>[2]
    }
    expect(stage).toEqual({ production, beta: false })
    expect(replayLog(initialState(stage), evolveApp, events).settings).toEqual(app.state$.value.settings)
    app.stop()
  })

  it('[HOST-2] has a host in a plain browser only outside production; otherwise the page says that there is none', async () => {
    const { startPage } = await built({ production }, () => import('../../src/pane/startPage.ts'))
    startPage()
    const text = production ? 'Outlook' : 'Sign in'
    await vi.waitFor(() => expect(document.body.textContent).toContain(text), LOADING)
    const logged = error.mock.calls.map(([, action]) => action as unknown)
    expect(logged.includes('no_host')).toBe(production)
    expect(document.querySelector('h1')).not.toBeNull()
    window.dispatchEvent(new Event('pagehide'))
  })

  const PAGES = {
    'taskpane.html': () => import('../../src/pane/taskpane.ts'),
    'index.html': () => import('../../src/pane/index.ts'),
  }
  /** Microsoft's library in a page that no Office application opened. */
  const OUTSIDE = {
    HostType: { Outlook: 'Outlook' },
    onReady: (ready: (info: { host: null }) => void) => {
      ready({ host: null })
    },
  }
  it.each(Object.entries(PAGES))(
    '[HOST-1] %s tries Outlook, then the browser, and says so when neither resolves',
    async (_, load) => {
      vi.stubGlobal('Office', OUTSIDE)
      await built({ production }, load)
      const text = production ? 'Signet can’t start here' : 'Sign in'
      await vi.waitFor(() => expect(document.body.textContent).toContain(text), LOADING)
      const absent = warn.mock.calls.filter(([, action]) => action === 'host_absent')
      // A production build logs errors only.
      expect(absent).toEqual(production ? [] : [['[LSI]', 'host_absent', { provider: 'outlook' }]])
      expect(error.mock.calls.some(([, action]) => action === 'no_host')).toBe(production)
      window.dispatchEvent(new Event('pagehide'))
    },
  )

  it('[HOST-1] goes on to the browser when the library of Outlook cannot be loaded', async () => {
    const script = Object.assign(document.createElement('script'), { type: 'text/plain' })
    const { officeLibraryUrl: officeLibrary } = await built(
      { production },
      () => import('../../src/engine/served.ts'),
    )
    script.setAttribute('src', officeLibrary)
    document.head.append(script)
    try {
      await PAGES['taskpane.html']()
      script.dispatchEvent(new Event('error'))
      const text = production ? 'Signet can’t start here' : 'Sign in'
      await vi.waitFor(() => expect(document.body.textContent).toContain(text), LOADING)
      expect(error).toHaveBeenCalledWith('[LSI]', 'host_failed', { provider: 'outlook', failure: 'network' })
    } finally {
      script.remove()
      window.dispatchEvent(new Event('pagehide'))
    }
  })

  it('looks for texts that are missing only outside production', async () => {
    const made = vi.fn()
    vi.doMock('../../views/pane/text/texts.ts', async (original) => {
      const texts = await original<{ createTexts: (options: object) => unknown }>()
      const createTexts = (options: object) => {
        made(options)
        return texts.createTexts(options)
      }
      return { ...texts, createTexts }
    })
    try {
      const { startPage } = await built({ production }, () => import('../../src/pane/startPage.ts'))
      startPage()
      await vi.waitFor(() => expect(document.querySelector('h1')).not.toBeNull(), LOADING)
      expect(made).toHaveBeenCalledWith(expect.objectContaining({ production }))
    } finally {
      vi.doUnmock('../../views/pane/text/texts.ts')
      window.dispatchEvent(new Event('pagehide'))
    }
  })

  it('accepts a plain http provider on this machine, in the window of the sign-in, only outside production', async () => {
    const signInByRedirect = vi.fn(() => Promise.resolve(null))
    vi.doMock('../../src/engine/signIn/library.ts', () => ({ signInByRedirect }))
    vi.stubGlobal('Office', { onReady: (ready: () => void) => Promise.resolve().then(ready) })
    const append = vi.spyOn(document.head, 'append').mockImplementation((script) => {
      ;(script as HTMLScriptElement).onload?.(new Event('load'))
    })
    try {
      const { runDialogPage } = await built(
        { production },
        () => import('../../src/engine/signIn/dialogPage.ts'),
      )
      await runDialogPage()
      expect(signInByRedirect).toHaveBeenCalledWith(
        expect.objectContaining({ allowsPlainLocalhost: !production }),
      )
    } finally {
      append.mockRestore()
      vi.doUnmock('../../src/engine/signIn/library.ts')
    }
  })
})

it('a build without the two flags is neither for production nor a beta', async () => {
  for (const flag of ['SIGNET_PRODUCTION', 'SIGNET_BETA']) vi.stubEnv(flag, undefined)
  vi.resetModules()
  const { config } = await import('../../src/engine/config.ts')
  expect(config.stage).toEqual({ production: false, beta: false })
})
