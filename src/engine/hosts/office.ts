import { defer, finalize, map, Observable, of, switchMap } from 'rxjs'
import type { Identity, Log } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { officeLibraryUrl } from '../served.ts'
import type { HostProvider } from './chooseHost.ts'
import { createPaneHost } from './paneHost.ts'
import type { OfficeLibrary } from './officeCalls.ts'
import { createOfficeClient } from './officeClient.ts'
import { followOffice } from './officeEvents.ts'

/** The part of the pane's window that this module uses. */
export type OfficeWindow = Readonly<{
  document: Readonly<{ querySelector(selector: string): EventTarget | null }>
  history: Pick<History, 'pushState' | 'replaceState'>
  Office?: OfficeLibrary
}>

/**
 * Restores the history methods that Office.js replaces with `null` when its script runs. The pane needs them in every
 * host, and without a host. Deleting the `null` uncovers the browser's own methods.
 */
const restoreHistory = ({ history }: OfficeWindow) => {
  for (const name of ['pushState', 'replaceState'] as const) {
    if ((history[name] as unknown) === null) Reflect.deleteProperty(history, name)
  }
}

/** Microsoft's library, once its script has run; null when the page has no such script. */
const load = (window: OfficeWindow): Observable<OfficeLibrary | null> =>
  new Observable((subscriber) => {
    const emit = (library: OfficeLibrary | null) => {
      subscriber.next(library)
      subscriber.complete()
    }
    if (window.Office) return emit(window.Office)
    const script = window.document.querySelector(`script[src="${officeLibraryUrl}"]`)
    if (!script) return emit(null)
    const loaded = () => {
      if (window.Office) emit(window.Office)
      else failed()
    }
    const failed = () => subscriber.error(new Failed({ kind: 'network' }))
    // The script tag stays, because the script may run after the time limit, when the page shows something else.
    script.addEventListener('load', () => {
      restoreHistory(window)
    })
    script.addEventListener('load', loaded)
    script.addEventListener('error', failed)
    return () => {
      script.removeEventListener('load', loaded)
      script.removeEventListener('error', failed)
    }
  })

/** Microsoft's library, when it runs inside Outlook; null in a browser or in another Office application. */
const ready = (library: OfficeLibrary): Observable<OfficeLibrary | null> =>
  new Observable((subscriber) => {
    // The callback is used, because the returned promise never settles when the library does not start.
    void library.onReady((info: Readonly<{ host: Office.HostType | null }> | null | undefined) => {
      subscriber.next(info?.host === library.HostType.Outlook ? library : null)
      subscriber.complete()
    })
  })

/**
 * Provides Outlook as the host, through Microsoft's library. Resolves with null in a page without the library, and
 * outside Outlook. Fails with `network` when the library cannot be loaded, and never resolves when the library does not
 * start. `identity` may add sign-in methods to the mail client's own method.
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
        restoreHistory(options.window)
        if (!library) return null
        const client = createOfficeClient(library, options.log, followOffice)
        const hosted = createPaneHost(client, { name: 'outlook', time: options.time, log: options.log })
        return { ...hosted, identity: options.identity?.(hosted.identity, library) ?? hosted.identity }
      }),
      finalize(() => {
        restoreHistory(options.window)
      }),
    ),
})
