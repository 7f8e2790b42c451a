import { asyncScheduler, map, type Observable } from 'rxjs'
import type { Log } from '../../effects/ports.ts'
import type { AppState } from '../../streams/pane/state.ts'
import type { Time } from '../../streams/kernel/time.ts'
import { selectLogLevel } from '../../streams/pane/settings/selectors.ts'
import type { Sanitize } from '../../streams/html/plan.ts'
import { browserPage, createChunkLoader, type LoadChunk } from './adapters/chunks.ts'
import { createLog } from './adapters/log.ts'
import { createSanitizer } from './adapters/sanitizer.ts'
import { config } from './config.ts'
import { createApp, type SignetApp } from './createApp.ts'
import { chooseHost, type HostProvider } from './hosts/chooseHost.ts'
import { createLogArchive, type LogArchive } from './logArchive.ts'
import { createPorts, type ScreenPorts } from './ports.ts'

/** Options for a page that watches the application, or controls its clock or its network. */
export type StartOptions = Readonly<{
  /** Called once the application runs. The application's log has the earlier events. */
  onApp?: (app: RunningApp) => void
  /** The clock and the timers; by default the real ones. */
  time?: Time
  /** Makes the request objects of the calls to the service; by default an `XMLHttpRequest` of the browser. */
  createXhr?: () => XMLHttpRequest
}>

/** The running application of a page. Its log has a limited length. */
export type RunningApp = SignetApp & LogArchive

/** Creates the host providers, in the order in which to try them. */
export type CreateProviders = (tools: Readonly<{ time: Time; log: Log }>) => readonly HostProvider[]

/** A page's tools and its application, without the screen. */
export type Engine = Readonly<{
  time: Time
  log: Log
  loadChunk: LoadChunk
  loadSanitizer: () => Promise<Sanitize>
  /**
   * Runs the application in the first host that resolves, until the user leaves. Without a host, fails like
   * `chooseHost`.
   */
  start(createProviders: CreateProviders, screen: ScreenPorts): Observable<RunningApp>
}>

export function createEngine(options: StartOptions = {}): Engine {
  const { time = { scheduler: asyncScheduler }, createXhr, onApp } = options
  let readState: (() => AppState) | null = null
  const log = createLog(() =>
    readState ? selectLogLevel(readState()) : config.stage.production ? 'error' : 'trace',
  )
  const loadChunk = createChunkLoader(browserPage)
  let sanitize: Sanitize | null = null
  // The sanitiser is created on first use, so that the first requests are sent before DOMPurify starts.
  const loadSanitizer = () => Promise.resolve((sanitize ??= createSanitizer(window)))
  const tools = { time, log, loadChunk, loadSanitizer }

  return {
    ...tools,
    start: (createProviders, screen) =>
      chooseHost(createProviders({ time, log }), { time, log }).pipe(
        map((hosted) => {
          const store = createApp(config.stage, (state) => {
            readState = state
            const exportLog = () => archive.exportLog()
            return createPorts(
              { ...tools, page: window, config, hosted, screen, exportLog, createXhr },
              state,
            )
          })
          const archive: LogArchive = createLogArchive(store)
          const app = { ...store, ...archive }
          onApp?.(app)
          window.addEventListener('pagehide', (event) => {
            // The browser may show a persisted page again, so the application must go on.
            if (!event.persisted) app.stop()
          })
          return app
        }),
      ),
  }
}
