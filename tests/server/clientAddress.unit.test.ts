import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { clientAddress, ipAddressIn } from '../../src/server/clientAddress.ts'

const socket = { remoteAddress: '::ffff:10.0.0.1' }
const clientAt = (ip: string) => clientAddress({ ip, socket } as Parameters<typeof clientAddress>[0])

describe('an address that a proxy writes', () => {
  test.each([
    ['203.0.113.8', '203.0.113.8'],
    [' 203.0.113.8:40001 ', '203.0.113.8'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:40001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:1', 'fe80::1'],
    ['::ffff:203.0.113.8', '203.0.113.8'],
    ['[::ffff:cb00:7108]:40001', '203.0.113.8'],
  ])('%s is %s', (text, address) => {
    expect(ipAddressIn(text)).toBe(address)
  })

  test.each([
    ...['', 'unknown', '_hidden', 'proxy.example', '203.0.113', '203.0.113.8:', '203.0.113.8:x', '0x7f.1'],
    ...['2130706433', '[203.0.113.8]', '[2001:db8::1', '2001:db8::1]:1', '2001:db8::1::', '1.2.3.4, 5.6.7.8'],
    `2001:db8::1%${'x'.repeat(99)}`,
  ])('%j is none', (text) => {
    expect(ipAddressIn(text)).toBeNull()
  })
})

describe('the client of a request', () => {
  it('is an IPv4 address, whatever port it has', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 65_535 }), (address, port) => {
        expect(clientAt(address)).toBe(address)
        expect(clientAt(`${address}:${String(port)}`)).toBe(address)
        expect(clientAt(`[::ffff:${address}]:${String(port)}`)).toBe(address)
      }),
    )
  })

  it('is an IPv6 network of 64 bits', () => {
    const group = fc.integer({ min: 0, max: 0xff_ff }).map((number) => number.toString(16))
    const half = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'))
    // Not the network of IPv4 addresses in IPv6 form.
    const network = half.filter((groups) => groups !== '0:0:0:0')
    fc.assert(
      fc.property(network, half, half, network, (net, one, other, elsewhere) => {
        expect(clientAt(`${net}:${one}`)).toBe(`${net}::/64`)
        expect(clientAt(`[${net}:${other}]:1`)).toBe(`${net}::/64`)
        fc.pre(elsewhere !== net)
        expect(clientAt(`${elsewhere}:${one}`)).not.toBe(`${net}::/64`)
      }),
    )
  })

  it('is the proxy when the proxy names no address', () => {
    for (const text of ['unknown', '', '_gazonk', 'x'.repeat(100)]) expect(clientAt(text)).toBe('10.0.0.1')
    const request = { ip: 'unknown', socket: {} } as Parameters<typeof clientAddress>[0]
    expect(clientAddress(request)).toBe('unknown')
  })
})
