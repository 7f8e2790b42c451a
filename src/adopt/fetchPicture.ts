/** Fetches a linked picture to keep a copy. Only https pictures from public servers are fetched. */
import { lookup as resolveName } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { MAX_PICTURE_BYTES } from '../folder/files.ts'
import { MAX_SAMPLE_BYTES } from './sample.ts'

const MAX_REDIRECTS = 3
const TIME_LIMIT_MS = 15_000

/** The limits for all linked pictures together: the number of addresses, their bytes and the time. */
export const PICTURE_FETCH_LIMITS = { addresses: 100, bytes: MAX_SAMPLE_BYTES, milliseconds: 60_000 }

const closed = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(network, prefix, 'ipv4')

const publicNetworks = new BlockList()
publicNetworks.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(network, prefix, 'ipv6')

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  return family === 6 && publicNetworks.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

export type PictureNetwork = Readonly<{
  /** Requests an address, and connects only to IP addresses from `lookup`. */
  get: (
    address: URL,
    options: Readonly<{ lookup: LookupFunction; timeout: number; agent: false }>,
    answered: (answer: IncomingMessage) => void,
  ) => Readonly<{ on: (event: 'error' | 'timeout', listener: () => void) => unknown; destroy: () => unknown }>
  lookup: LookupFunction
}>

const INTERNET: PictureNetwork = { get, lookup: resolveName }

/**
 * Resolves a name, and fails unless all its addresses are public. The connection uses exactly the checked addresses.
 */
const publicLookup =
  (lookup: LookupFunction): LookupFunction =>
  (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const found = typeof addresses === 'string' ? [] : addresses
      const open = found.filter(({ address }) => isPublicAddress(address))
      const [first] = open
      if (error || first === undefined || open.length < found.length)
        callback(error ?? new Error(`${name} is no public server.`), '')
      else if (options.all === true) callback(null, open)
      else callback(null, first.address, first.family)
    })
  }

type Answered = Uint8Array | Readonly<{ to: string }> | null

const ask = (address: URL, time: number, { get: request, lookup }: PictureNetwork): Promise<Answered> =>
  new Promise((resolve) => {
    const none = () => {
      resolve(null)
    }
    const timer = setTimeout(() => {
      none()
      sent.destroy()
    }, time)
    const end = (answered: Answered) => {
      clearTimeout(timer)
      resolve(answered)
    }
    const sent = request(address, { lookup: publicLookup(lookup), timeout: time, agent: false }, (answer) => {
      const { statusCode = 0, headers } = answer
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        answer.destroy()
        end({ to: headers.location })
        return
      }
      const parts: Buffer[] = []
      let length = 0
      answer.on('data', (part: Buffer) => {
        length += part.length
        parts.push(part)
        if (length <= MAX_PICTURE_BYTES) return
        answer.destroy()
        end(null)
      })
      answer.on('end', () => {
        end(statusCode === 200 ? Buffer.concat(parts) : null)
      })
      answer.on('error', () => {
        end(null)
      })
    })
    sent.on('error', () => {
      end(null)
    })
    sent.on('timeout', () => {
      sent.destroy()
      end(null)
    })
  })

/**
 * The content at an https address, up to 1 MB. Null if there is none, or if the server is not public.
 *
 * @param time the time limit including redirects, in milliseconds
 */
export async function fetchPicture(
  address: string,
  network: PictureNetwork = INTERNET,
  time = TIME_LIMIT_MS,
): Promise<Uint8Array | null> {
  const end = performance.now() + time
  let next = address
  let base: URL | undefined
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!URL.canParse(next, base)) return null
    const url: URL = new URL(next, base)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
    if (isIP(host) !== 0 && !isPublicAddress(host)) return null
    const answered = await ask(url, Math.max(1, end - performance.now()), network)
    if (answered === null || answered instanceof Uint8Array) return answered
    next = answered.to
    base = url
  }
  return null
}

/** A fetched picture; null if it cannot be fetched, and `limit` if it would exceed `PICTURE_FETCH_LIMITS`. */
export type FetchedPicture = Uint8Array | 'limit' | null

/** Returns a function that fetches linked pictures, each once, within `PICTURE_FETCH_LIMITS` for all of them. */
export function createPictureFetcher(
  fetchOne: (address: string, time: number) => Promise<Uint8Array | null> = (address, time) =>
    fetchPicture(address, INTERNET, time),
  now: () => number = () => performance.now(),
): (address: string) => Promise<FetchedPicture> {
  const fetched = new Map<string, FetchedPicture>()
  const end = now() + PICTURE_FETCH_LIMITS.milliseconds
  let room = PICTURE_FETCH_LIMITS.bytes

  async function fetchNext(address: string): Promise<FetchedPicture> {
    if (fetched.size >= PICTURE_FETCH_LIMITS.addresses || room <= 0 || now() >= end) return 'limit'
    const bytes = await fetchOne(address, Math.min(TIME_LIMIT_MS, end - now()))
    if (bytes === null) return now() >= end ? 'limit' : null
    room -= bytes.length
    return room < 0 ? 'limit' : bytes
  }

  return async (address) => {
    const known = fetched.get(address)
    if (known !== undefined) return known
    const answer = await fetchNext(address)
    fetched.set(address, answer)
    return answer
  }
}
