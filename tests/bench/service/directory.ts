/** Measures the cost of a sync with Microsoft Graph for the service, by the number of people. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { programArguments } from '../../../src/programs/programArguments.ts'
import { startGraph } from '../../support/graph.ts'
import { startPostgres } from '../../support/postgres.ts'
import { digits, table } from '../figures.ts'
import type { SyncFigures } from './directorySync.ts'
import { addressOf, oidOf, TENANT } from './organisation.ts'

const SIZES = [5_000, 50_000] as const
const SECRET = 'bench'
const MEBIBYTE = 1024 * 1024

/** Measures the first sync, a sync after 1 % of the people changed, and a sync without changes. */
export async function measureDirectory(note: (line: string) => void): Promise<string> {
  const postgres = await startPostgres()
  const rows: string[][] = []
  try {
    for (const people of SIZES) {
      const graph = await startGraph({ port: 0, clientId: 'bench', secret: SECRET })
      const tenant = graph.tenant(TENANT)
      const put = (person: number, jobTitle: string) =>
        tenant.putUser(oidOf(person), {
          accountEnabled: true,
          userType: 'Member',
          mail: addressOf(person),
          jobTitle,
          userPrincipalName: addressOf(person),
          displayName: `Person ${String(person)}`,
          country: 'DE',
          givenName: 'Person',
          surname: String(person),
          businessPhones: ['+49 40 5550 0117'],
          department: 'Sales',
          companyName: 'Northwind Trading',
          city: 'Hamburg',
          officeLocation: '3.01',
        })
      for (let person = 0; person < people; person += 1) put(person, 'Planner')
      const database = await postgres.createDatabase()
      const sync = async (what: string) => {
        const { stdout } = await promisify(execFile)(process.execPath, [
          '--expose-gc',
          ...programArguments('tests/bench/service/directorySync.ts', database, graph.url),
          ...[graph.authority.replace('{tenant}', TENANT), SECRET],
        ])
        note(`${String(people)} people, ${what}`)
        const { added, changed, processorMs, memoryBytes } = JSON.parse(stdout) as SyncFigures
        rows.push([
          `${people.toLocaleString('en-US')} people, ${what}`,
          (added + changed).toLocaleString('en-US'),
          digits(processorMs / 1000),
          added + changed === 0 ? '' : digits(processorMs / (added + changed)),
          digits(memoryBytes / MEBIBYTE),
        ])
      }
      await sync('first sync')
      for (let person = 0; person < people; person += 100) put(person, 'Head of planning')
      await sync('1 % changed')
      await sync('no change')
      await graph.close()
    }
  } finally {
    await postgres.close()
  }
  return table(
    'A sync with Microsoft Graph, on PostgreSQL',
    ['', 'people written', 'processor time, s', 'ms per person written', 'peak memory, MiB'],
    rows,
  )
}
