/** Reads from a failure how many people an import stored before it stopped. */
import type { Failure } from '../../kernel/failure.ts'

/** The service stored `done` of `all` people. `row` is the first row not stored, counted from 1. */
export type StoppedImport = Readonly<{ done: number; all: number; row: number }>

/** The codes of an import that the database or the administrator stopped. */
const STOPPED: readonly (string | null)[] = ['import_stopped', 'stopped']

/** How many people a stopped import stored; null for any other failure. */
export function stoppedImportOf(failure: Failure): StoppedImport | null {
  if (failure.kind !== 'http' || !STOPPED.includes(failure.code)) return null
  const { done, all, row } = (failure.data ?? {}) as Readonly<Record<keyof StoppedImport, unknown>>
  return typeof done === 'number' && typeof all === 'number' && typeof row === 'number'
    ? { done, all, row }
    : null
}
