/** The calls about long work: how far it is, and to stop it. A caller knows only work that the same caller began. */
import type { Works } from '../../operations/work.ts'
import type { Handlers } from './routes.ts'

export const workCalls = (works: Works) =>
  ({
    work: ({ params, actor }) => works.progress(actor, params.id),

    async stopWork({ params, actor }) {
      await works.stop(actor, params.id)
      return {}
    },
  }) satisfies Partial<Handlers>
