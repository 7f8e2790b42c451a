/**
 * How far long work is, and requests to stop it. Both are stored for a short time in the table of plans, because another
 * instance than the one that works may answer. They are two rows, because the work writes one and its client the other.
 */
import { advanced, isReportDue, NOT_COUNTED, type Progress } from '../../../streams/kernel/progress.ts'
import { DomainError } from './domainError.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'

/** How long the progress is kept after its last report. */
const KEPT_MS = 15 * 60 * 1000

/** Work whose client wants to know how far it is. Progress that cannot be stored does not end the work. */
export type Work = Readonly<{
  /** Reports the progress, unless the last report was just now. */
  tell: (done: number, of: number) => Promise<void>
  /**
   * As `tell`, at a place where the work may end. Work that is done does not end here any more.
   *
   * @throws DomainError `stopped` when the client asked to stop the work
   */
  reach: (done: number, of: number) => Promise<void>
}>

export type Works = ReturnType<typeof createWorks>

type Kept = Readonly<{ until: number }>

export function createWorks({
  store,
  now,
}: Readonly<{ store: Pick<Store, 'plan' | 'keepPlan'>; now: () => number }>) {
  const keep = (key: string, value: object) => {
    const until = now() + KEPT_MS
    return store.keepPlan(key, { ...value, until }, until)
  }
  async function read(key: string): Promise<object | null> {
    const kept = (await store.plan(key)) as Kept | null
    return kept && kept.until > now() ? kept : null
  }
  const keysOf = (owner: string, name: string) => ({
    told: `work ${name} ${owner}`,
    stop: `stop ${name} ${owner}`,
  })

  return {
    /** @param name the name that the client `owner` gave the work; null is returned without a name */
    begin(owner: string, name: string | undefined): Work | null {
      if (name === undefined) return null
      const keys = keysOf(owner, name)
      let reached = NOT_COUNTED
      let told: Progress | null = null
      let toldAt = 0
      let isStopped = false
      const report = async () => {
        told = reached
        toldAt = now()
        try {
          isStopped ||= (await read(keys.stop)) !== null
          await keep(keys.told, told)
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error
        }
      }
      const tell = async (done: number, of: number) => {
        reached = advanced(reached, { done, of })
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

    progress: async (owner: string, name: string): Promise<Progress> => {
      const { done, of } = { ...NOT_COUNTED, ...(await read(keysOf(owner, name).told)) }
      return { done, of }
    },

    /** Work that has not begun yet, or has not read this yet, ends when it reads this. */
    stop: (owner: string, name: string) => keep(keysOf(owner, name).stop, {}),
  }
}
