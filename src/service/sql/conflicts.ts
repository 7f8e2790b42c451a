import { sqlState } from './driver.ts'
import { StoreUnavailable, VersionConflict } from './problems.ts'

/** The SQLSTATE codes of conflicts between writers: duplicate key, serialization failure and deadlock. */
const CONFLICTS = ['23505', '40001', '40P01']

/** Awaits a write. Rejects with `VersionConflict` if the write conflicts with a concurrent writer. */
export async function reportConflicts<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing
  } catch (error) {
    const state = error instanceof StoreUnavailable ? error.sqlState : sqlState(error)
    if (state !== null && CONFLICTS.includes(state))
      throw new VersionConflict('Another writer was first.', { cause: error })
    throw error
  }
}
