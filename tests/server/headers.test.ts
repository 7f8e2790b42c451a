import { describe, expect, test } from 'vitest'
import { type PageHeaderOptions, fileHeaders, pageHeaders } from '../../src/server/headers.ts'

const local: PageHeaderOptions = {
  page: 'pane',
  isSecure: false,
  apiOrigin: 'http://localhost:4401',
  imageOrigins: ['http://localhost:4401'],
  frameAncestors: ["'self'"],
}
const shipped: PageHeaderOptions = {
  ...local,
  isSecure: true,
  apiOrigin: 'https://api.example',
  imageOrigins: ['https://images.example'],
  frameAncestors: ['https://outlook.office.com', 'https://*.officeapps.live.com'],
}

/** The sources of each directive of the policy. */
function policyOf(options: PageHeaderOptions): Record<string, string[]> {
  const policy = pageHeaders(options)['Content-Security-Policy'] ?? ''
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
}

describe('the content security policy', () => {
  test.each(['pane', 'playground'] as const)('allows the %s its own scripts only', (page) => {
    const policy = policyOf({ ...local, page })
    expect(policy['script-src']).toEqual(["'self'"])
    expect(policy['script-src-attr']).toEqual(["'none'"])
    expect(policy['default-src']).toEqual(["'none'"])
    expect(policy['object-src']).toEqual(["'none'"])
    expect(policy['base-uri']).toEqual(["'none'"])
    expect(policy['form-action']).toEqual(["'none'"])
  })

  test('allows the pane requests to its own origin and the service only', () => {
    expect(policyOf(local)['connect-src']).toEqual(["'self'", 'http://localhost:4401'])
  })

  test('allows the playground requests to the identity provider, too', () => {
    const policy = policyOf({ ...local, page: 'playground', connectOrigins: ['http://localhost:4402'] })
    expect(policy['connect-src']).toEqual(["'self'", 'http://localhost:4401', 'http://localhost:4402'])
  })

  test('allows images from the given origins', () => {
    expect(policyOf(shipped)['img-src']).toEqual(["'self'", 'data:', 'blob:', 'https://images.example'])
  })

  test('allows only the playground to start workers, its own', () => {
    for (const page of ['pane', 'standalone'] as const)
      expect(policyOf({ ...local, page })['worker-src']).toEqual(["'none'"])
    expect(policyOf({ ...local, page: 'playground' })['worker-src']).toEqual(["'self'"])
  })

  test('allows only the playground to show frames', () => {
    expect(policyOf(local)['frame-src']).toEqual(["'none'"])
    expect(policyOf({ ...local, page: 'playground' })['frame-src']).toEqual(["'self'"])
  })

  test('allows only the given origins to frame the page; none by default', () => {
    expect(policyOf(shipped)['frame-ancestors']).toEqual([
      'https://outlook.office.com',
      'https://*.officeapps.live.com',
    ])
    expect(policyOf({ ...shipped, frameAncestors: [] })['frame-ancestors']).toEqual(["'none'"])
  })

  test('upgrades insecure requests over https only', () => {
    expect(policyOf(shipped)).toHaveProperty('upgrade-insecure-requests')
    expect(policyOf(local)).not.toHaveProperty('upgrade-insecure-requests')
  })

  test('allows the hot-reload server scripts and connections only', () => {
    const policy = policyOf({ ...local, hotReloadOrigin: 'http://localhost:4410' })
    expect(policy['script-src']).toEqual(["'self'", 'http://localhost:4410'])
    expect(policy['connect-src']).toEqual([
      "'self'",
      'http://localhost:4401',
      'http://localhost:4410',
      'ws://localhost:4410',
    ])
  })

  test.each(['https://a.example; script-src *', "'unsafe-inline'", '*', 'https:', 'https://a.example/path'])(
    'rejects %s as an origin',
    (text) => {
      expect(() => pageHeaders({ ...local, apiOrigin: text })).toThrow(TypeError)
      expect(() => pageHeaders({ ...local, imageOrigins: [text] })).toThrow(TypeError)
      expect(() => pageHeaders({ ...local, frameAncestors: [text] })).toThrow(TypeError)
    },
  )
})

test('a page is revalidated, sends no referrer, and is not sniffed', () => {
  expect(pageHeaders(local)).toMatchObject({
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  })
})

test('Strict-Transport-Security is sent over https only', () => {
  expect(pageHeaders(shipped)).toHaveProperty('Strict-Transport-Security')
  expect(pageHeaders(local)).not.toHaveProperty('Strict-Transport-Security')
})

test('no page sends X-Frame-Options, which would break the pane in Outlook', () => {
  expect(pageHeaders(shipped)).not.toHaveProperty('X-Frame-Options')
})

test('a file with a content hash is immutable, any other is revalidated', () => {
  expect(fileHeaders('pane.81a2b82d.js')['Cache-Control']).toContain('immutable')
  expect(fileHeaders('pane.81a2b82d.js.map')['Cache-Control']).toContain('immutable')
  expect(fileHeaders('sw.js')['Cache-Control']).toBe('no-cache')
})

test('a page alone may load its files; a mail client also loads the icons, launch.js and the well-known file', () => {
  const policyFor = (name: string) => fileHeaders(name)['Cross-Origin-Resource-Policy']
  for (const name of ['icon-16.png', 'launch.js', '.well-known/microsoft-officeaddins-allowed.json'])
    expect(policyFor(name)).toBe('cross-origin')
  for (const name of ['pane.81a2b82d.js', 'launch.81a2b82d.js', 'relaunch.js', 'logo.png', 'de.0a1b2c3d.js'])
    expect(policyFor(name)).toBe('same-origin')
})

test('what has no content hash in its name is revalidated', () => {
  for (const name of ['launch.js', '.well-known/microsoft-officeaddins-allowed.json', 'icon-16.png'])
    expect(fileHeaders(name)['Cache-Control']).toBe('no-cache')
})

test('in development every file is revalidated', () => {
  expect(fileHeaders('pane.81a2b82d.js', true)['Cache-Control']).toBe('no-cache')
})
