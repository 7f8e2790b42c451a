import { defer, from, map, of, switchMap } from 'rxjs'
import type { Analytics, Log, Ports } from '../../effects/ports.ts'
import type { AppState } from '../../streams/pane/state.ts'
import { selectUnexpiredToken } from '../../streams/pane/auth/selectors.ts'
import { withSessionMemory } from '../../effects/pane/sessionMemory.ts'
import { createCallSharing } from '../../streams/kernel/shareInFlight.ts'
import { now, type Time } from '../../streams/kernel/time.ts'
import { selectRequestLanguage } from '../../streams/pane/locale/selectors.ts'
import type { Sanitize } from '../../streams/html/plan.ts'
import { createPaneAddress } from './adapters/address.ts'
import { createApi } from './adapters/api.ts'
import type { LoadChunk } from './adapters/chunks.ts'
import { createClipboard } from './adapters/clipboard.ts'
import { createConnection } from './adapters/connection.ts'
import { createDownloads } from './adapters/downloads.ts'
import { createHttp } from './adapters/http.ts'
import { createOtherPanes } from './adapters/otherPanes.ts'
import { createPictureLoader } from './adapters/pictureChunk.ts'
import { createStorage } from './adapters/storage.ts'
import { createPlatform } from './adapters/telemetry.ts'
import type { Config } from './config.ts'
import type { HostWithIdentity } from './hosts/chooseHost.ts'
import { createRuntimeId } from './runtimeId.ts'

/** The ports that the screen provides: the screen itself, its texts, and the code of its pages. */
export type ScreenPorts = Pick<Ports, 'screen' | 'locales' | 'chunks' | 'noticeText'>

/** Everything that the ports need, besides the state. */
type PortOptions = Readonly<{
  page: Window & typeof globalThis
  config: Config
  hosted: HostWithIdentity
  screen: ScreenPorts
  time: Time
  log: Log
  loadChunk: LoadChunk
  loadSanitizer: () => Promise<Sanitize>
  /** The log of the application as the text of a file, in parts. */
  exportLog: () => Promise<Iterable<string>>
  /** Makes the request objects of the calls to the service; by default an `XMLHttpRequest` of the browser. */
  createXhr?: (() => XMLHttpRequest) | undefined
}>

/** Loads the analytics chunk at the first event; without a write key, never. */
const createLazyAnalytics = ({ analytics, version }: Config, time: Time): Analytics => {
  const loaded$ = defer(() => from(import('./adapters/analytics.ts'))).pipe(
    map(({ createAnalytics }) => createAnalytics({ ...analytics, version, time })),
  )
  return {
    track: (event) =>
      analytics.key === '' ? of(undefined) : loaded$.pipe(switchMap((loaded) => loaded.track(event))),
  }
}

/**
 * Creates the ports of one application in a browser page. `state` reads the application's state at the time of a call.
 */
export function createPorts(options: PortOptions, state: () => AppState): Ports {
  const { page, config, hosted, screen, time, log, loadChunk, loadSanitizer, exportLog, createXhr } = options
  const { version, stage } = config
  return {
    ...hosted,
    host: withSessionMemory(hosted.host),
    ...screen,
    otherPanes: createOtherPanes(page, log),
    api: createApi(
      createHttp({
        baseUrl: config.apiUrl,
        version,
        token: () => of(selectUnexpiredToken(state(), now(time))),
        renewToken: null,
        language: () => selectRequestLanguage(state()),
        time,
        sharing: createCallSharing(),
        createXhr,
      }),
    ),
    storage: createStorage({ log, time }),
    pictures: createPictureLoader(loadChunk),
    analytics: createLazyAnalytics(config, time),
    clipboard: createClipboard(page.navigator),
    downloads: createDownloads(page, exportLog),
    connection: createConnection(page),
    address: createPaneAddress(page),
    sanitizer: () => defer(() => from(loadSanitizer())),
    runtimeId: createRuntimeId(time),
    platform: createPlatform({ version, beta: stage.beta }, hosted.host, page.navigator),
    time,
    log,
  }
}
