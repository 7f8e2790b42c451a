import { type Observable, Observable as Stream, defer, map, of, switchMap } from 'rxjs'
import type { Identity, Log } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import type { HostProvider } from './chooseHost.ts'
import { createHosted } from './mailHost.ts'
import { type OfficeLibrary, createOfficeClient } from './officeClient.ts'

/** Where Microsoft's library comes from; no copy of it may be served from anywhere else. */
export const OFFICE_ORIGIN = 'https://appsforoffice.microsoft.com'

/** What is needed of the pane's window. */
export type OfficeWindow = Readonly<{
  document: Readonly<{ querySelector(selector: string): EventTarget | null }>
  history: Pick<History, 'pushState' | 'replaceState'>
  Office?: OfficeLibrary
}>

/** The library takes these away from the page (they become `null` on the object itself) and never gives them back. */
const giveHistoryBack = ({ history }: OfficeWindow) => {
  for (const name of ['pushState', 'replaceState'] as const) {
    if ((history[name] as unknown) === null) Reflect.deleteProperty(history, name)
  }
}

/** The library, as soon as its script has run; null where the page has no such script. */
const load = (window: OfficeWindow): Observable<OfficeLibrary | null> =>
  new Stream((subscriber) => {
    const tell = (library: OfficeLibrary | null) => {
      subscriber.next(library)
      subscriber.complete()
    }
    if (window.Office) return tell(window.Office)
    const script = window.document.querySelector(`script[src^="${OFFICE_ORIGIN}/"]`)
    if (!script) return tell(null)
    const loaded = () => {
      if (window.Office) tell(window.Office)
      else failed()
    }
    const failed = () => subscriber.error(new Failed({ kind: 'network' }))
    script.addEventListener('load', loaded)
    script.addEventListener('error', failed)
    return () => {
      script.removeEventListener('load', loaded)
      script.removeEventListener('error', failed)
    }
  })

/** The library when it runs inside Outlook; null in a browser or another Office application. */
const ready = (library: OfficeLibrary): Observable<OfficeLibrary | null> =>
  new Stream((subscriber) => {
    // It answers by a promise as well, which never settles when it does not start.
    void library.onReady(({ host }) => {
      subscriber.next((host as Office.HostType | null) === library.HostType.Outlook ? library : null)
      subscriber.complete()
    })
  })

/**
 * Outlook, through Microsoft's library: there once the library says that it runs in Outlook. In a page without the
 * library, or outside Outlook, it is not there. Fails with `network` when the library cannot be loaded. One that never
 * starts never answers. `identity` may put other ways to sign in around the mail client's own.
 */
export const createOfficeProvider = (
  options: Readonly<{
    window: OfficeWindow
    time: Time
    log: Log
    identity?: (mail: Identity, office: OfficeLibrary) => Identity
  }>,
): HostProvider => ({
  name: 'outlook',
  resolve: () =>
    defer(() => load(options.window)).pipe(
      switchMap((library) => (library ? ready(library) : of(null))),
      map((library) => {
        giveHistoryBack(options.window)
        if (!library) return null
        const client = createOfficeClient(library, options.log)
        const hosted = createHosted(client, { name: 'outlook', time: options.time, log: options.log })
        return { ...hosted, identity: options.identity?.(hosted.identity, library) ?? hosted.identity }
      }),
    ),
})
