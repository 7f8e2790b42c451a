/**
 * The calls about the installation, for its operator. They return figures of all organisations, but no personal data
 * and no signatures.
 */
import {
  alertsOf,
  type OrganisationSummary,
  type OverseenOrganisation,
  type OverseenDirectory,
} from '../../../../streams/organisation/figures/operating.ts'
import type { Installation, ServiceContext } from '../../context/serviceContext.ts'
import { OWN_ORGANISATION, type RegisteredOrganisation } from '../../sql/registry.ts'
import type { CallHandlers } from './routes.ts'

const ORGANISATIONS_AT_ONCE = 50
/** The number of organisations that are counted in parallel. */
const COUNTED_AT_ONCE = 4

export type OperatorCalls = ReturnType<typeof operatorCalls>

/** The registered data of an organisation, which needs no access to its store. */
type Listed = Readonly<{
  id: string
  name: string
  tenants: readonly string[]
  directory: OverseenDirectory | null
  isRemoved: boolean
}>

/** The part of the installation that the calls need. */
export type OperatedInstallation = Pick<Installation, 'storeOf' | 'now'> &
  Readonly<{ registry: Pick<Installation['registry'], 'page'> }>

/** An installation with only the organisation in the settings. */
export const singleOrganisationInstallation = ({
  store,
  now,
}: Pick<ServiceContext, 'store' | 'now'>): OperatedInstallation => ({
  registry: { page: async () => [] },
  storeOf: () => store,
  now,
})

/** @param own the organisation in the settings */
export function operatorCalls(
  { registry, storeOf, now }: OperatedInstallation,
  own: () => Pick<Listed, 'name' | 'tenants' | 'directory'>,
) {
  return {
    async organisations({ query: { after } }) {
      const at = now()
      const first = after === undefined ? [{ ...own(), id: OWN_ORGANISATION, isRemoved: false }] : []
      const limit = ORGANISATIONS_AT_ONCE - first.length
      const registered = await registry.page(after ?? '', limit)
      return {
        at,
        organisations: await inOrder([...first, ...registered.map(listedOf)], async (listed) =>
          overseenOf(listed, await storeOf(listed.id).summary(), at),
        ),
        next: registered.length < limit ? null : (registered.at(-1)?.id ?? null),
      }
    },
  } satisfies Partial<CallHandlers>
}

const listedOf = ({ removedAt, ...registered }: RegisteredOrganisation): Listed => ({
  ...registered,
  isRemoved: removedAt !== null,
})

const overseenOf = (listed: Listed, summary: OrganisationSummary, at: number): OverseenOrganisation => ({
  id: listed.id,
  name: listed.name,
  tenants: listed.tenants.length,
  directory: listed.directory?.kind ?? null,
  release: summary.release,
  people: summary.people,
  lastSync: summary.lastSync,
  alerts: alertsOf(summary, listed, at),
})

/** The results for all items in order, computed in parallel up to `COUNTED_AT_ONCE`. Rejects with the first error. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const askFrom = async () => {
    for (const [index, item] of left) results[index] = await ask(item)
  }
  await Promise.all(Array.from({ length: COUNTED_AT_ONCE }, askFrom))
  return results
}
