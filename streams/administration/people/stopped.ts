/** How far an import came that the service could not finish. */
import type { Failure } from '../../kernel/failure.ts'

/** `done` of `all` people are stored; `row` is the first who is not, counted from 1. */
export type Stopped = Readonly<{ done: number; all: number; row: number }>

/** Null for another failure. */
export function stoppedImport(failure: Failure): Stopped | null {
  if (failure.kind !== 'http' || failure.code !== 'import_stopped') return null
  const { done, all, row } = (failure.data ?? {}) as Readonly<Record<keyof Stopped, unknown>>
  return typeof done === 'number' && typeof all === 'number' && typeof row === 'number'
    ? { done, all, row }
    : null
}
