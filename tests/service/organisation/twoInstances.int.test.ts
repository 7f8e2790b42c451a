import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../../src/server/webServer.ts'
import type { DatabaseDriver, DatabaseSession } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { OWN_ORGANISATION } from '../../../src/service/sql/registry.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { newPostgresUrl } from '../../support/databases.ts'
import { publishDemonstration } from '../../support/demonstration.ts'
import {
  ALEX,
  askAsAddin,
  type Instance,
  JONAS,
  mailClientToken,
  MARIA,
  signInTo,
  startInstance,
  startProvider,
} from '../running.ts'

// What two instances share is PostgreSQL. That they serve nearly twice what one serves takes cores to measure
// (`npm run bench -- service`); here it is counted that the calls of the add-in wait for nothing of the other instance.

const USERS = [ALEX, MARIA, JONAS]
const WRITES = 10
const CACHE_PATH = '/signatures-cache/api/v1/signature/addin?build_base64=true'
const SIGN_IN_PATH = '/authentication/addin/azure'

describe('two instances over one PostgreSQL', { timeout: 60_000 }, () => {
  let provider: RunningServer
  /** Holds locks, and watches who waits for them. */
  let operator: pg.Client
  let watcher: pg.Client
  const drivers: DatabaseDriver[] = []
  const instances: Instance[] = []
  /** What the other instance asks the database. */
  const sent: string[] = []
  const bearers = new Map<string, string>()
  const tags = new Map<string, string>()

  const noting = <Noted extends Pick<DatabaseSession, 'query'>>(session: Noted): Noted => ({
    ...session,
    query: (text: string, parameters?: readonly unknown[]) => {
      sent.push(text)
      return session.query(text, parameters)
    },
  })
  const [one, other] = [() => instance(0), () => instance(1)]
  function instance(at: number): Instance {
    const found = instances[at]
    if (found === undefined) throw new Error('not started')
    return found
  }

  beforeAll(async () => {
    provider = await startProvider()
    const url = await newPostgresUrl()
    const secret = randomBytes(32)
    for (let at = 0; at < 2; at += 1) {
      const driver = await openDatabase({ kind: 'postgres', url })
      drivers.push(driver)
      const noted: DatabaseDriver = {
        ...noting(driver),
        transaction: (run) => driver.transaction((session) => run(noting(session))),
        within(organisation) {
          const within = driver.within(organisation)
          return {
            query: noting(within).query,
            transaction: (run) => within.transaction((session) => run(noting(session))),
          }
        },
      }
      instances.push(
        await startInstance({
          store: createStore(at === 0 ? driver : noted, OWN_ORGANISATION),
          provider,
          secret,
          publicUrl: () => 'https://signet.northwind.example',
        }),
      )
      if (at === 0) await publishDemonstration(one().service.context)
    }
    for (const user of USERS) {
      const bearer = await signInTo(other().url, provider, user)
      bearers.set(user, bearer)
      const { headers } = await askAsAddin(other().url, 'GET', CACHE_PATH, bearer)
      tags.set(user, headers.get('etag') ?? '')
    }
    operator = new pg.Client({ connectionString: url })
    watcher = new pg.Client({ connectionString: url })
    await Promise.all([operator.connect(), watcher.connect()])
  })
  afterAll(async () => {
    await Promise.all([operator.end(), watcher.end()])
    await Promise.all(instances.map(({ service }) => service.close()))
    await Promise.all(drivers.map((driver) => driver.close()))
    await provider.close()
  })

  const bearerOf = (user: string) => bearers.get(user) ?? ''
  const default_ = (user: string, more = {}) =>
    askAsAddin(other().url, 'GET', CACHE_PATH, bearerOf(user), undefined, more)
  const unchanged = (user: string) => default_(user, { 'If-None-Match': tags.get(user) ?? '' })
  const signIn = async (user: string) =>
    askAsAddin(other().url, 'POST', SIGN_IN_PATH, null, {
      accessToken: await mailClientToken(provider, user),
      email: user,
    })

  it('[SRV-42] wait for no lock: one answers the add-in while the writes of the other wait', async () => {
    await operator.query('begin; lock table person, event, lease, told in share row exclusive mode')
    const writes = Array.from({ length: WRITES }, (_, at) =>
      one().store.keepReported(`p-${String(at)}`, {}, 1),
    )
    const waiting = async () => {
      const { rows } = await watcher.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]?.count ?? 0
    }
    const written = Promise.allSettled(writes)
    await expect.poll(waiting, { timeout: 30_000, interval: 10 }).toBeGreaterThan(0)

    for (const user of USERS) {
      const answers = [await unchanged(user), await default_(user), await signIn(user)]
      expect(answers.map(({ status }) => status)).toEqual([304, 200, 200])
    }
    await operator.query('rollback')
    await written
  })

  it.each([
    ['an unchanged default', unchanged, 304],
    ['a default', default_, 200],
    ['a sign-in', signIn, 200],
  ])('%s only reads the database, without a lock', async (_, ask, status) => {
    for (const user of USERS) {
      sent.length = 0
      expect((await ask(user)).status).toBe(status)
      expect(sent).not.toEqual([])
      for (const text of sent)
        expect(text.trim()).toMatch(/^select (?!.*\bfor (?:no key )?(?:update|share)\b)/s)
    }
  })
})
