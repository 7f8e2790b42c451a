/**
 * The reference for the service: a bare node:http server that makes the same query through the same driver. For a
 * sign-in, it also verifies the token's signature. `bareServer.ts <database> <public key, SPKI in base64>`
 */
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

const [database = '', key = ''] = process.argv.slice(2)
const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
const pool = new pg.Pool({ connectionString: database, max: 10 })

const SELECT =
  'select id, revision, tenant, oid, active, addresses, language, directory, groups, own_values, metadata, picture, directory_picture from person'
const byId = (id: string) =>
  pool.query({
    name: 'id',
    text: `${SELECT} where organisation = $1 and id = $2`,
    values: ['default', id],
  })
const byAccount = (tenant: string, oid: string) =>
  pool.query({
    name: 'account',
    text: `${SELECT} where organisation = $1 and tenant = $2 and oid = $3`,
    values: ['default', tenant, oid],
  })

/** The prepared answer to a request for a body. */
let ready: Buffer = Buffer.alloc(0)

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const send = (response: ServerResponse, status: number, body?: string | Buffer) =>
  response
    .writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' })
    .end(body)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const [, kind, id = ''] = (request.url ?? '').split('/')
  switch (kind) {
    case 'processor': {
      const { user, system } = process.cpuUsage()
      return send(response, 200, JSON.stringify({ ms: (user + system) / 1000 }))
    }
    case 'ready':
      ready = await bodyOf(request)
      return send(response, 204)
    case 'unchanged':
      await byId(id)
      return send(response, 304)
    case 'body':
      await byId(id)
      return send(response, 200, ready)
    default: {
      const { accessToken } = JSON.parse((await bodyOf(request)).toString()) as { accessToken: string }
      const end = accessToken.lastIndexOf('.')
      const isGood = verify(
        'RSA-SHA256',
        Buffer.from(accessToken.slice(0, end)),
        publicKey,
        Buffer.from(accessToken.slice(end + 1), 'base64url'),
      )
      const { tid, oid } = JSON.parse(
        Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString(),
      ) as { tid: string; oid: string }
      const { rowCount } = await byAccount(tid, oid)
      return send(response, isGood && rowCount === 1 ? 200 : 401, '{}')
    }
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    send(response, 500)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(
    JSON.stringify({ listening: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` }),
  )
})
process.stdin.once('end', () => process.exit(0)).resume()
