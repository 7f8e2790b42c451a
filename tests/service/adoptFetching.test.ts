import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { fetchPicture, isPublic, type Network } from '../../src/service/adopt/fetchPicture.ts'
import { MAX_PICTURE_BYTES } from '../../src/service/folder/files.ts'

// A linked picture is fetched by https from public servers only, whatever its name resolves to.

type Served = Readonly<{ status?: number; location?: string; content?: Buffer }>

/** An internet of these addresses. `asked` are the addresses that were connected to, with the server's address. */
function internet(
  served: Readonly<Record<string, Served>>,
  hosts: Readonly<Record<string, readonly string[]>> = {},
) {
  const asked: string[] = []
  const network: Network = {
    lookup: (name, _, callback) => {
      const found = hosts[name] ?? ['93.184.216.34']
      callback(
        null,
        found.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
    get: (address, { lookup }, answered) => {
      const sent = new EventEmitter()
      lookup(address.hostname, {}, (error, ip) => {
        queueMicrotask(() => {
          const {
            status = 200,
            location,
            content = Buffer.alloc(0),
          } = served[address.href] ?? { status: 404 }
          if (error) {
            sent.emit('error', error)
            return
          }
          asked.push(`${address.href} ${String(ip)}`)
          const answer = Object.assign(new EventEmitter(), {
            ...{ statusCode: status, headers: { location }, destroy: () => undefined },
          })
          answered(answer as unknown as IncomingMessage)
          answer.emit('data', content)
          answer.emit('end')
        })
      })
      return Object.assign(sent, { destroy: () => undefined })
    },
  }
  return { asked, get: (address: string) => fetchPicture(address, network) }
}

const PICTURE = Buffer.from('a picture')

describe('a linked picture', () => {
  it('is fetched from the address that was checked', async () => {
    const { asked, get } = internet({ 'https://cdn.example/a.png': { content: PICTURE } })
    expect(await get('https://cdn.example/a.png')).toEqual(PICTURE)
    expect(asked).toEqual(['https://cdn.example/a.png 93.184.216.34'])
  })

  it('follows three redirects, and checks each', async () => {
    const hop = (from: number, location: string) => ({
      [`https://h${String(from)}.example/`]: { status: 302, location },
    })
    const chain = {
      ...hop(1, 'https://h2.example/'),
      ...hop(2, '//h3.example'),
      ...hop(3, 'https://h4.example/'),
    }
    const { get } = internet({ ...chain, 'https://h4.example/': { content: PICTURE } })
    expect(await get('https://h1.example/')).toEqual(PICTURE)
    const longer = internet({
      ...chain,
      ...hop(4, 'https://h5.example/'),
      'https://h5.example/': { content: PICTURE },
    })
    expect(await longer.get('https://h1.example/')).toBeNull()
    const inside = internet({ 'https://a.example/': { status: 301, location: 'https://127.0.0.1/' } })
    expect(await inside.get('https://a.example/')).toBeNull()
    expect(inside.asked).toHaveLength(1)
    const plain = internet({ 'https://a.example/': { status: 301, location: 'http://b.example/' } })
    expect(await plain.get('https://a.example/')).toBeNull()
    expect(plain.asked).toHaveLength(1)
  })

  it('stays linked when it redirects to what is no address', async () => {
    const { asked, get } = internet({ 'https://a.example/': { status: 302, location: 'https://[' } })
    expect(await get('https://a.example/')).toBeNull()
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['http', 'http://cdn.example/a.png'],
    ['a file', 'file:///etc/passwd'],
    ['a name and a password', 'https://me:secret@cdn.example/a.png'],
    ['an address of this machine', 'https://127.0.0.1/a.png'],
    ['the same in another notation', 'https://0x7f.1/a.png'],
    ['an address of this machine in IPv6', 'https://[::1]/a.png'],
    ['an IPv4 address inside of IPv6', 'https://[::ffff:10.0.0.1]/a.png'],
    ['no address', 'https://'],
  ])('is not asked for by %s', async (_, address) => {
    const { asked, get } = internet({ [address]: { content: PICTURE } })
    expect(await get(address)).toBeNull()
    expect(asked).toEqual([])
  })

  it('is not asked for where a name leads to a private address, even beside a public one', async () => {
    const { asked, get } = internet(
      { 'https://cdn.example/a.png': { content: PICTURE } },
      { 'cdn.example': ['93.184.216.34', '192.168.1.1'] },
    )
    expect(await get('https://cdn.example/a.png')).toBeNull()
    expect(asked).toEqual([])
  })

  it('stays linked when it is missing or too large', async () => {
    const { get } = internet({ 'https://a.example/': { content: Buffer.alloc(MAX_PICTURE_BYTES + 1) } })
    expect(await get('https://a.example/')).toBeNull()
    expect(await get('https://b.example/')).toBeNull()
  })
})

it.each([
  ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
  ...[
    '127.1.2.3',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '64:ff9b::7f00:1',
    '2002::1',
  ],
  ...['::ffff:8.8.8.8', 'x'],
])('%s is no address of the public internet', (address) => {
  expect(isPublic(address)).toBe(false)
})

it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4001::1'])('%s is one', (address) => {
  expect(isPublic(address)).toBe(true)
})
