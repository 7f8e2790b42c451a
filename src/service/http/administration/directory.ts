/** Where people come from, and its syncs. */
import type { ServiceContext } from '../../serviceContext.ts'
import type { Handlers } from './routes.ts'

export type DirectoryCalls = Pick<Handlers, 'directory' | 'sync'>

export const directoryCalls = ({ directory, releases }: ServiceContext): DirectoryCalls => ({
  directory: () => directory.state(),

  async sync({ body, actor }) {
    const run = await directory.sync(body, actor)
    // A dry run changes nothing.
    if (!body.try) await releases.write({ type: 'askSync', retire: body.retire }, actor)
    return run
  },
})
