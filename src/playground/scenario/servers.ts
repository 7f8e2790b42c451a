import { BehaviorSubject } from 'rxjs'
import * as v from 'valibot'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import { type FaultOf, type ServerFault, nameServerFault, readServerFault } from './scenario.ts'

/** What a server's control says. Shared by every page of one playground: any of them may change it. */
export type ServerState = Readonly<{
  /** It answers, and takes faults. */
  isThere: boolean
  /** Every call that a fault may name, and `*`. */
  calls: readonly string[]
  faults: readonly FaultOf<ServerFault>[]
}>

/** The faults of a running server, over HTTP. */
export type Server = Readonly<{
  state$: StateStream<ServerState>
  /** Asks the server what is wrong with it; resolves when it is known. Never fails: see `isThere`. */
  look(): Promise<void>
  /** Ends the fault of a call, or puts another in its place. */
  set(call: string, fault: ServerFault | null): Promise<void>
  /** Ends every fault. */
  clear(): Promise<void>
  /** How far the server's clock is ahead of the real one, in milliseconds; 0 when it does not answer. */
  ahead(): Promise<number>
  /** Sets the server's clock `ms` milliseconds ahead of the real one. */
  setAhead(ms: number): Promise<void>
}>

const answer = v.object({
  calls: v.array(v.string()),
  faults: v.array(v.object({ call: v.string(), fault: v.looseObject({ kind: v.string() }) })),
})

const clock = v.object({ ahead: v.number() })

/** `url` without a slash at the end; empty for a server that is not there. */
export function createServer(url: string): Server {
  const state$ = new BehaviorSubject<ServerState>({ isThere: false, calls: [], faults: [] })
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/_control/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${String(response.status)}`)
    return response.status === 204 ? null : ((await response.json()) as unknown)
  }
  const look = async () => {
    if (url === '') return
    try {
      const { calls, faults } = v.parse(answer, await ask('GET', 'faults'))
      state$.next({
        isThere: true,
        calls,
        // One that no control of this page sets is shown by its kind.
        faults: faults.flatMap(({ call, fault }) => {
          const known = readServerFault(nameServerFault(fault as ServerFault))
          return known ? [{ call, fault: known }] : []
        }),
      })
    } catch {
      state$.next({ ...state$.value, isThere: false })
    }
  }
  /** What the server refuses or does not hear is seen by looking. */
  const tell = async (method: string, path: string, body?: unknown) => {
    if (url === '') return
    await ask(method, path, body).catch(() => null)
    await look()
  }
  return {
    state$,
    look,
    set: (call, fault) =>
      fault
        ? tell('PUT', 'faults', { call, fault })
        : tell('DELETE', `faults?call=${encodeURIComponent(call)}`),
    clear: () => tell('DELETE', 'faults'),
    ahead: async () =>
      url === ''
        ? 0
        : ask('GET', 'clock').then(
            (told) => v.parse(clock, told).ahead,
            () => 0,
          ),
    setAhead: (ahead) => tell('PUT', 'clock', { ahead }),
  }
}
