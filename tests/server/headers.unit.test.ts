import { describe, expect, test } from 'vitest'
import { type PageHeaderOptions, fileHeaders, hasContentHash, pageHeaders } from '../../src/server/headers.ts'

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
  for (const name of [
    'icon-16.png',
    'launch.js',
    'launch-guard.js',
    '.well-known/microsoft-officeaddins-allowed.json',
  ])
    expect(policyFor(name)).toBe('cross-origin')
  for (const name of ['pane.81a2b82d.js', 'launch.81a2b82d.js', 'relaunch.js', 'logo.png', 'de.0a1b2c3d.js'])
    expect(policyFor(name)).toBe('same-origin')
})

test('what has no content hash in its name is revalidated', () => {
  for (const name of [
    'launch.js',
    'launch-guard.js',
    '.well-known/microsoft-officeaddins-allowed.json',
    'icon-16.png',
  ])
    expect(fileHeaders(name)['Cache-Control']).toBe('no-cache')
})

test('in development every file is revalidated', () => {
  expect(fileHeaders('pane.81a2b82d.js', true)['Cache-Control']).toBe('no-cache')
})

describe('all headers of a page', () => {
  const full: PageHeaderOptions = {
    ...shipped,
    connectOrigins: ['https://login.example', 'https://api.example'],
    frameOrigins: ["'self'", 'https://login.example'],
    officeLibrary: 'https://library.example/office.js',
    hotReloadOrigin: 'https://hot.example:4410',
  }
  const always = {
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'Cache-Control': 'no-cache',
  }

  test('of a mail client, over https, with everything', () => {
    const { 'Content-Security-Policy': policy, ...others } = pageHeaders(full)
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' https://library.example https://officeapis.public.onecdn.static.microsoft https://appsforoffice.microsoft.com https://ajax.aspnetcdn.com https://*.cdn.office.net https://hot.example:4410",
      "script-src-attr 'none'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob: https://images.example",
      "font-src 'self'",
      "connect-src 'self' https://api.example https://login.example https://browser.pipe.aria.microsoft.com https://*.events.data.microsoft.com https://hot.example:4410 wss://hot.example:4410",
      "frame-src 'self' https://login.example",
      "worker-src 'none'",
      "manifest-src 'none'",
      "media-src 'none'",
      "object-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      'frame-ancestors https://outlook.office.com https://*.officeapps.live.com',
      'upgrade-insecure-requests',
    ])
    expect(others).toEqual({
      ...always,
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
    })
  })

  test('of a plain browser, over http, with nothing', () => {
    const { 'Content-Security-Policy': policy, ...others } = pageHeaders({
      page: 'standalone',
      isSecure: false,
      apiOrigin: 'http://localhost:1',
      imageOrigins: [],
      frameAncestors: [],
    })
    expect(policy?.split('; ').slice(1)).toEqual([
      ...["script-src 'self'", "script-src-attr 'none'", "style-src 'self' 'unsafe-inline'"],
      ...["img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self' http://localhost:1"],
      ...["frame-src 'none'", "worker-src 'none'", "manifest-src 'none'", "media-src 'none'"],
      ...["object-src 'none'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
    ])
    expect(others).toEqual(always)
  })

  test('of the playground frame the pane beside other origins', () => {
    const frames = (page: PageHeaderOptions['page']) => policyOf({ ...full, page })['frame-src']
    expect(frames('playground')).toEqual(["'self'", 'https://login.example'])
    expect(frames('administration')).toEqual(["'self'", 'https://login.example'])
    expect(policyOf({ ...full, page: 'playground', frameOrigins: [] })['frame-src']).toEqual(["'self'"])
  })

  test.each([
    'https://a.example',
    'http://localhost:4401',
    'https://*.a.example',
    'HTTPS://A.EXAMPLE',
    'https://a.example:65535',
  ])('take %s as an origin', (origin) => {
    expect(policyOf({ ...local, imageOrigins: [origin] })['img-src']).toContain(origin)
  })

  test.each([
    '',
    'a.example',
    'https://a.example:',
    'https://a.example:123456',
    'https://a.*.example',
    'xhttps://a',
  ])('do not take %s as an origin', (origin) => {
    const refused = new TypeError(`Not an origin: ${origin}`)
    for (const change of [
      { frameOrigins: [origin] },
      { connectOrigins: [origin] },
      { imageOrigins: [origin] },
    ])
      expect(() => pageHeaders({ ...local, ...change })).toThrow(refused)
  })
})

test.each<[string, boolean]>([
  ['a.81a2b82d.js', true],
  ['a.81a2b82d.js.map', true],
  ['a.81a2b82d.woff2', true],
  ['a.81a2b82.js', false],
  ['a.81a2b82dd.js', false],
  ['a.81A2B82D.js', false],
  ['81a2b82d.js', false],
  ['a.81a2b82d', false],
  ['a.81a2b82d.js.gz', false],
  ['a.81a2b82d.js.map.x', false],
])('%s has a hash in its name: %s', (name, expected) => {
  expect(hasContentHash(name)).toBe(expected)
})

test.each([
  'xicon-16.png',
  'icon-16.png.js',
  'icon-.png',
  'icon-a.png',
  '.well-known/',
  'x/.well-known/a',
  '.well-known/a/b',
])('%s is no file that a mail client loads by itself', (name) => {
  expect(fileHeaders(name)['Cross-Origin-Resource-Policy']).toBe('same-origin')
})

test('a file is not sniffed and sends no referrer', () => {
  expect(fileHeaders('a.81a2b82d.js')).toEqual({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
})
