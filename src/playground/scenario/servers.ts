import { BehaviorSubject } from 'rxjs'
import { anything, list, number, object, text } from '../../../streams/kernel/schema.ts'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import { type FaultOf, type ServerFault, serverFaultName, readServerFault } from './scenario.ts'

/**
 * The state reported by a server's control interface. All pages of a playground share the server and may change its
 * faults.
 */
export type ServerState = Readonly<{
  /** Whether the server answers and accepts faults. */
  isReachable: boolean
  /** The calls that can have a fault, and `*` for every call. */
  calls: readonly string[]
  faults: readonly FaultOf<ServerFault>[]
}>

/** Reads and sets a running server's faults and clock through its control interface. No method rejects. */
export type ServerControl = ReturnType<typeof createServerControl>

const faultsSchema = object({
  calls: list(text),
  faults: list(object({ call: text, fault: anything })),
})

const clockSchema = object({ ahead: number })

/**
 * Creates the control of the server at `url`, without a trailing slash. An empty `url` means that there is no server.
 */
export function createServerControl(url: string) {
  const state$ = new BehaviorSubject<ServerState>({ isReachable: false, calls: [], faults: [] })
  const request = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/_control/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${String(response.status)}`)
    return response.status === 204 ? null : ((await response.json()) as unknown)
  }
  /** Reads the server's faults into `state$`; resolves when they are known. */
  const refresh = async (): Promise<void> => {
    if (url === '') return
    try {
      const { calls, faults } = faultsSchema.read(await request('GET', 'faults'), '')
      state$.next({
        isReachable: true,
        calls,
        // Leaves out faults that this page cannot set.
        faults: faults.flatMap(({ call, fault }) => {
          const known = readServerFault(serverFaultName(fault as ServerFault))
          return known ? [{ call, fault: known }] : []
        }),
      })
    } catch {
      state$.next({ ...state$.value, isReachable: false })
    }
  }
  /**
   * Makes a request, then refreshes the state. A failed request is not an error, because the refreshed state shows it.
   */
  const requestAndRefresh = async (method: string, path: string, body?: unknown) => {
    if (url === '') return
    await request(method, path, body).catch(() => null)
    await refresh()
  }
  return {
    state$: state$ as StateStream<ServerState>,
    refresh,
    /** Sets a call's fault; `null` clears it. */
    setFault: (call: string, fault: ServerFault | null): Promise<void> =>
      fault
        ? requestAndRefresh('PUT', 'faults', { call, fault })
        : requestAndRefresh('DELETE', `faults?call=${encodeURIComponent(call)}`),
    clearFaults: () => requestAndRefresh('DELETE', 'faults'),
    /**
     * Replaces all faults with a link's faults. A link without faults clears only the faults set by an earlier link.
     */
    followLink: async (faults: readonly FaultOf<ServerFault>[]): Promise<void> => {
      await requestAndRefresh('DELETE', faults.length > 0 ? 'faults' : 'faults?ofLink=true')
      for (const each of faults) await requestAndRefresh('PUT', 'faults', { ...each, ofLink: true })
    },
    /** How far the server's clock is ahead of real time, in milliseconds; 0 if the server does not answer. */
    ahead: async (): Promise<number> =>
      url === ''
        ? 0
        : request('GET', 'clock').then(
            (clock) => clockSchema.read(clock, '').ahead,
            () => 0,
          ),
    /** Sets the server's clock to `ahead` milliseconds ahead of real time. */
    setAhead: (ahead: number): Promise<void> => requestAndRefresh('PUT', 'clock', { ahead }),
  }
}
