import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createStore } from '../../../src/service/sql/store.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { newDatabase, USUAL_DATABASES } from '../../support/databases.ts'
import { SIGN_IN } from '../../../streams/wire/signatures.ts'
import {
  askAsAddin,
  type Instance,
  mailClientToken,
  MARIA,
  signInTo,
  startInstance,
  startProvider,
} from '../running.ts'

// What the most frequent calls ask of the database.

const DEFAULT = '/signatures-cache/api/v1/signature/addin?build_base64=true'

describe.each(USUAL_DATABASES)('over %s', (kind) => {
  let statements: string[] = []
  let driver: DatabaseDriver
  let provider: RunningServer
  let instance: Instance

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    const noting = (
      session: Pick<DatabaseDriver, 'query' | 'transaction'>,
    ): Pick<DatabaseDriver, 'query' | 'transaction'> => ({
      query: (text, parameters) => {
        statements.push(text)
        return session.query(text, parameters)
      },
      transaction: (run, isSnapshot) => {
        statements.push('transaction')
        return session.transaction(run, isSnapshot)
      },
    })
    const watched: DatabaseDriver = {
      ...driver,
      within: (organisation) => noting(driver.within(organisation)),
    }
    const now = () => Date.parse('2026-09-01T10:00:00Z')
    provider = await startProvider({ now })
    const publicUrl = () => 'https://signet.northwind.example'
    const store = createStore(watched, 'default')
    instance = await startInstance({ store, provider, secret: randomBytes(32), publicUrl, now })
    const { document, people, pictures } = await readDemonstration()
    await instance.service.context.people.importRows(people, 'test', false)
    for (const [hash, picture] of pictures) await instance.store.keepPicture(hash, picture)
    await publishDocument(instance.service.context, document)
  })
  afterAll(async () => {
    await instance.service.close()
    await provider.close()
    await driver.close()
  })

  it('a sign-in and the default are sent as JSON, byte by byte as it is written elsewhere', async () => {
    const accessToken = await mailClientToken(provider, MARIA)
    const signIn = { accessToken, email: MARIA }
    const signedIn = await askAsAddin(instance.url, 'POST', SIGN_IN.path, null, signIn)
    const { access_token: token, signature } = signedIn.body.data
    const body = await askAsAddin(instance.url, 'GET', DEFAULT, String(token))
    for (const { headers, text } of [signedIn, body]) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
      expect(text).toBe(JSON.stringify(JSON.parse(text)))
    }
    expect(body.body).toEqual(signature)
    expect(body.text).toContain('"content":"')
  })

  it('a sign-in, the default and its 304 are one statement each for a user without delegations', async () => {
    await signInTo(instance.url, provider, MARIA)
    statements = []
    const token = await signInTo(instance.url, provider, MARIA)
    expect(statements).toEqual([expect.stringContaining('tenant = $2 and oid = $3')])

    statements = []
    const { status, headers } = await askAsAddin(instance.url, 'GET', DEFAULT, token)
    expect([status, statements]).toEqual([200, [expect.stringMatching(/^select [^;]* and id = \$2$/)]])

    statements = []
    const tag = { 'If-None-Match': headers.get('etag') ?? '' }
    const again = await askAsAddin(instance.url, 'GET', DEFAULT, token, undefined, tag)
    expect([again.status, statements.length]).toEqual([304, 1])
  })
})
