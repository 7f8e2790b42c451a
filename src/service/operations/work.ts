/**
 * Stores the progress of long work, and requests to stop it, for a short time. They are in the database because another
 * instance may handle the client's calls.
 */
import {
  mergeProgress,
  isReportDue,
  UNCOUNTED_PROGRESS,
  type Progress,
} from '../../../streams/kernel/progress.ts'
import { DomainError } from './domainError.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'

/** How long progress is stored after its last report. */
const KEPT_MS = 15 * 60 * 1000

/** Reports the progress of long work to its client. The work continues even if its progress cannot be stored. */
export type TrackedWork = Readonly<{
  /** Reports the progress, unless the last report was a moment ago. */
  tell: (done: number, of: number) => Promise<void>
  /**
   * Like `tell`, but throws here if the client asked to stop the work. Completed work is not stopped.
   *
   * @throws DomainError `stopped` when the client asked to stop the work
   */
  reach: (done: number, of: number) => Promise<void>
}>

export type WorkTracker = ReturnType<typeof createWorkTracker>

type Stored = Pick<Store, 'progress' | 'keepProgress' | 'stopRequest' | 'requestStop'>

export function createWorkTracker({ store, now }: Readonly<{ store: Stored; now: () => number }>) {
  const workOf = (owner: string, name: string) => `${name} ${owner}`

  return {
    /**
     * Begins to track the owner's work. Returns null without a name, because the client then cannot ask for progress.
     */
    begin(owner: string, name: string | undefined): TrackedWork | null {
      if (name === undefined) return null
      const work = workOf(owner, name)
      let reached = UNCOUNTED_PROGRESS
      let told: Progress | null = null
      let toldAt = 0
      let isStopped = false
      const report = async () => {
        told = reached
        toldAt = now()
        try {
          isStopped ||= (await store.stopRequest(work, toldAt)) !== null
          await store.keepProgress(work, told, now() + KEPT_MS)
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error
        }
      }
      const tell = async (done: number, of: number) => {
        reached = mergeProgress(reached, { done, of })
        if (isReportDue(told, reached, now() - toldAt)) await report()
      }
      return {
        tell,
        async reach(done, of) {
          await tell(done, of)
          const isDone = reached.of > 0 && reached.done === reached.of
          if (isStopped && !isDone)
            throw new DomainError('stopped', 'The work was stopped; it changed nothing.')
        },
      }
    },

    progress: async (owner: string, name: string): Promise<Progress> =>
      (await store.progress(workOf(owner, name), now())) ?? UNCOUNTED_PROGRESS,

    /** Requests a stop. The work ends when it reads the request, even if it has not begun yet. */
    stop: (owner: string, name: string) => store.requestStop(workOf(owner, name), owner, now() + KEPT_MS),
  }
}
