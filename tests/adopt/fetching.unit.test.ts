import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { adoptSamples } from '../../src/adopt/adopt.ts'
import {
  createPictureFetcher,
  PICTURE_FETCH_LIMITS,
  fetchPicture,
  isPublicAddress,
  type PictureNetwork,
} from '../../src/adopt/fetchPicture.ts'
import { MAX_PICTURE_BYTES } from '../../src/folder/files.ts'
import { notFetchedText } from '../../src/cli/adoptCommand.ts'
import { readingHere } from '../support/adopting.ts'
import { png } from '../folder/pictures.ts'

// A linked picture is fetched by https from public servers only, whatever its name resolves to.

type Served = Readonly<{ status?: number; location?: string; content?: Buffer }>

/** An internet of these addresses. `asked` are the addresses that were connected to, with the server's address. */
function internet(
  served: Readonly<Record<string, Served>>,
  hosts: Readonly<Record<string, readonly string[]>> = {},
) {
  const asked: string[] = []
  const network: PictureNetwork = {
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
            statusCode: status,
            headers: { location },
            destroy: () => undefined,
          })
          answered(answer as unknown as IncomingMessage)
          answer.emit('data', content)
          answer.emit('end')
        })
      })
      return Object.assign(sent, { destroy: () => undefined })
    },
  }
  return { asked, network, get: (address: string) => fetchPicture(address, network) }
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

  it('stays linked when its server does not answer in time', async () => {
    let ended = 0
    const silent = Object.assign(new EventEmitter(), { destroy: () => ended++ })
    const { network } = internet({})
    expect(await fetchPicture('https://a.example/', { ...network, get: () => silent }, 1)).toBeNull()
    expect(ended).toBe(1)
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

describe('all linked pictures together', () => {
  /** Fetches the addresses, of which each takes a time, and counts those that were asked. */
  async function fetchAll(addresses: readonly string[], bytes: number | null, time = 0) {
    let at = 0
    const times: number[] = []
    const fetchPicture = createPictureFetcher(
      (_, left) => {
        times.push(left)
        at += time
        return Promise.resolve(bytes === null ? null : new Uint8Array(bytes))
      },
      () => at,
    )
    const kinds: string[] = []
    for (const address of addresses) {
      const fetched = await fetchPicture(address)
      kinds.push(fetched === null ? 'none' : fetched === 'limit' ? 'limit' : 'fetched')
    }
    return { times, of: (kind: string) => kinds.filter((each) => each === kind).length, kinds }
  }
  const many = Array.from({ length: 4_000 }, (_, index) => `https://cdn.example/${String(index)}.png`)

  it('are asked for at 100 addresses, of which each is asked once', async () => {
    const one = await fetchAll([...many, ...many], 1)
    expect(one.times).toHaveLength(PICTURE_FETCH_LIMITS.addresses)
    expect([one.of('fetched'), one.of('limit')]).toEqual([200, 7_800])
    expect((await fetchAll([...many, ...many], null)).times).toHaveLength(PICTURE_FETCH_LIMITS.addresses)
  })

  it('have the bytes of one sample', async () => {
    const exact = await fetchAll(many, 1_000_000)
    expect([exact.times.length, exact.of('fetched'), exact.of('limit')]).toEqual([20, 20, 3_980])
    const over = await fetchAll(many, 999_999)
    expect([over.times.length, over.of('fetched')]).toEqual([21, 20])
  })

  it('have one time, and each picture what is left of it', async () => {
    const { times, kinds } = await fetchAll(many.slice(0, 10), null, 14_000)
    expect(times).toEqual([15_000, 15_000, 15_000, 15_000, 4_000])
    expect(kinds.slice(3)).toEqual(['none', 'limit', 'limit', 'limit', 'limit', 'limit', 'limit'])
  })

  it('that are beyond the limits stay linked, which is said', async () => {
    const html = many.slice(0, 102).map((address) => `<img src="${address}">`)
    const { adopted, notFetched } = await adoptSamples(
      {
        samples: [{ files: [{ path: 'a.htm', bytes: Buffer.from(html.join('')) }], person: null }],
        from: null,
        variables: [],
      },
      {
        reading: readingHere(),
        personOf: () => Promise.resolve(null),
        people: () => [],
        fetchPicture: createPictureFetcher((address) =>
          Promise.resolve(address.endsWith('/7.png') ? null : png(4, 2)),
        ),
      },
    )
    expect(adopted.linked).toEqual([many[7], many[100], many[101]])
    expect(notFetched).toEqual([many[100], many[101]])
    expect(notFetchedText(notFetched)).toMatch(
      /^--fetch left 2 pictures linked: .* 100 addresses.* 60 seconds\.\n$/,
    )
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
  expect(isPublicAddress(address)).toBe(false)
})

it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4001::1'])('%s is one', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
