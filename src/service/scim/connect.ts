/** Connects SCIM as the directory: adds its calls, applies their changes to people, and sweeps. */
import { asyncScheduler, defer, type SchedulerLike } from 'rxjs'
import { sweepDirectory } from '../../../effects/organisation/sweepDirectory.ts'
import type { WebServer } from '../../server/webServer.ts'
import type { DirectoryOptions } from '../directory/directory.ts'
import type { ServiceContext } from '../serviceContext.ts'
import { createApplying, scimUser } from './applying.ts'
import { SCIM } from './resources.ts'
import { addScim } from './scim.ts'

/** The actor of sweeps. */
const SWEEPER = 'directory'

/** SCIM as a directory. It pushes its changes, so the service reads nothing, and there is no interval. */
export const scimDirectory = (
  tenants: readonly string[],
): Pick<DirectoryOptions, 'kind' | 'sources' | 'intervalMs'> => ({
  kind: 'scim',
  sources: [{ source: SCIM, read: null, userOf: scimUser(tenants) }],
  intervalMs: null,
})

/** Adds the calls of SCIM, and until `end` sweeps: syncs again when changes have not been applied. */
export async function connectScim(
  app: WebServer,
  { store, people, releases, directory, publicUrl, now }: ServiceContext,
  options: Readonly<{
    token: string
    tenants: readonly string[]
    newId: () => string
    scheduler?: SchedulerLike | undefined
  }>,
) {
  const { token, tenants, newId, scheduler = asyncScheduler } = options
  const apply = createApplying({ store, people, releases, userOf: scimUser(tenants), newId, now })
  await addScim(app, { token, publicUrl, store: store.directory, apply, newId, now })
  const sweeping = sweepDirectory(
    {
      release: () => releases.current()?.id ?? null,
      isWaiting: () => defer(() => store.directory.isWaiting(SCIM)),
      sweep: () => defer(() => directory.sync({ isTrial: false, mayDeactivate: false }, SWEEPER)),
    },
    { scheduler },
  ).subscribe()
  return { end: () => sweeping.unsubscribe() }
}
