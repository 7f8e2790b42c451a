/** Finds the network address of a client, which is the key for rate limits. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The longest address that proxies write, in characters: IPv6 with zone, brackets and port. */
const MAX_LENGTH = 80
/** Providers assign each customer at least 64 bits of IPv6 addresses (RFC 6177). */
const NETWORK_GROUPS = 4

/**
 * The IP address in an element of `X-Forwarded-For`, without port, brackets and zone; null for anything else. Some
 * proxies add ports: `203.0.113.8:40001`, `[2001:db8::1]:40001` (RFC 7239, section 6). An IPv4 address in IPv6 form
 * (`::ffff:203.0.113.8`) is returned as IPv4.
 */
export function ipAddressIn(text: string): string | null {
  if (text.length > MAX_LENGTH) return null
  const written = text.trim()
  const [, bracketed, withPort] = /^(?:\[([\da-f:.]+(?:%\w+)?)\](?::\d+)?|([\d.]+):\d+)$/i.exec(written) ?? []
  const [address = ''] = (bracketed ?? withPort ?? written).split('%')
  if (isIP(address) === 0 || (bracketed !== undefined && isIP(address) === 4)) return null
  return ipaddr.process(address).toString()
}

/**
 * Returns the client that sent a request: an IPv4 address, or a 64-bit IPv6 network, because one client has many
 * addresses in its network. If the nearest trusted proxy names no IP address, returns the proxy's address.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = ipAddressIn(ip) ?? ipAddressIn(socket.remoteAddress ?? '')
  if (address === null) return 'unknown'
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return address
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, NETWORK_GROUPS)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}
