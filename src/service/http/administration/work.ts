/** The calls that report the progress of long work, and stop it. Callers only see work that they began themselves. */
import type { WorkTracker } from '../../operations/work.ts'
import type { CallHandlers } from './routes.ts'

export const workCalls = (works: WorkTracker) =>
  ({
    work: ({ params, actor }) => works.progress(actor, params.id),

    async stopWork({ params, actor }) {
      await works.stop(actor, params.id)
      return {}
    },
  }) satisfies Partial<CallHandlers>
