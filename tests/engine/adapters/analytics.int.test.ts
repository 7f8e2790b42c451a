import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { asyncScheduler, lastValueFrom, VirtualTimeScheduler } from 'rxjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAnalytics } from '../../../src/engine/adapters/analytics.ts'
import { createPlatform } from '../../../src/engine/adapters/telemetry.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import { mergeContext, parseTelemetryContext } from '../../../streams/pane/telemetry/rules.ts'
import { analyticsRoles, type Track, validTrack } from '../../../streams/pane/telemetry/track.ts'

let server: Server
let received: { url: string; headers: IncomingHttpHeaders; body: unknown }[]
let status: number
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(body) as unknown })
      response.writeHead(status).end('{"success":true}')
    })
  })
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
})
beforeEach(() => {
  received = []
  status = 200
})
afterAll(() => new Promise((closed) => server.close(closed)))

const url = () => `http://localhost:${String((server.address() as AddressInfo).port)}`
const analytics = (overrides: Readonly<{ key?: string; url?: string }> = {}) =>
  createAnalytics({
    key: 'write-key',
    url: url(),
    version: '1.2.3',
    time: { scheduler: asyncScheduler },
    ...overrides,
  })
const track: Track = { name: 'edit_profile', userId: 'u-1', parameters: { role: 'user' } }

describe('analytics', () => {
  it('posts an event in the public tracking format, without token, cookie and headers of the service', async () => {
    await lastValueFrom(analytics().track(track))
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      url: '/v1/track',
      body: {
        writeKey: 'write-key',
        userId: 'u-1',
        event: 'edit_profile',
        properties: { role: 'user' },
        context: { app: { name: 'signet', version: '1.2.3' } },
      },
    })
    const { timestamp } = received[0]?.body as { timestamp: string }
    expect(Number.isNaN(Date.parse(timestamp))).toBe(false)
    expect(received[0]?.headers).not.toHaveProperty('authorization')
    expect(received[0]?.headers).not.toHaveProperty('cookie')
    expect(received[0]?.headers).not.toHaveProperty('x-api-version')
  })

  it('asks the browser to send no cookie and no referrer', async () => {
    const fetching = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => fetching.mockRestore())
    await lastValueFrom(analytics().track(track))
    expect(fetching.mock.calls.map(([, init]) => [init?.credentials, init?.referrerPolicy])).toEqual([
      ['omit', 'no-referrer'],
    ])
  })

  it('[TEL-2] sends nothing without a key or an address', async () => {
    for (const none of [{ key: '' }, { url: '' }])
      expect(await lastValueFrom(analytics(none).track(track), { defaultValue: 'nothing' })).toBeUndefined()
    expect(received).toEqual([])
  })

  it('fails with the status of a refusal', async () => {
    status = 403
    await expect(lastValueFrom(analytics().track(track))).rejects.toEqual(
      new Failed({ kind: 'http', status: 403, code: null, data: null }),
    )
  })

  it('gives up after five seconds without an answer', () => {
    const scheduler = new VirtualTimeScheduler()
    const fetching = vi.spyOn(globalThis, 'fetch').mockReturnValue(new Promise(() => undefined))
    onTestFinished(() => fetching.mockRestore())
    const ended: unknown[] = []
    const limited = createAnalytics({ key: 'k', url: url(), version: '1', time: { scheduler } })
    limited.track(track).subscribe({ error: (error: unknown) => ended.push(error) })
    scheduler.flush()
    expect(ended).toEqual([new Failed({ kind: 'timeout' })])
    expect(scheduler.now()).toBe(5000)
    expect(fetching.mock.calls[0]?.[1]?.signal?.aborted).toBe(true)
  })

  it('[TEL-2] accepts only the listed events, with a user and with the listed parameters', () => {
    const user = { id: 'u-1', isAdmin: false }
    expect(
      validTrack('change_signature', { action: 'default_signature' }, { ...user, isAdmin: true }),
    ).toEqual({
      name: 'change_signature',
      userId: 'u-1',
      parameters: { role: 'admin', action: 'default_signature' },
    })
    for (const role of analyticsRoles)
      expect(validTrack('edit_profile', { role }, user)?.parameters['role']).toBe(role)
    expect(analyticsRoles).toEqual([
      'user',
      'admin',
      'subsidiary_manager',
      'admin_campaign',
      'admin_campaign_global',
    ])
    const invalid: readonly Parameters<typeof validTrack>[] = [
      ['change_signature', {}, user],
      ['change_signature', { action: 'Alex Kim' }, user],
      ['change_signature', { action: 'default_signature', email: 'a@b.example' }, user],
      ['edit_profile', { role: 'owner' }, user],
      ['constructor', {}, user],
      ['edit_profile', {}, null],
      ['edit_profile', {}, { id: '', isAdmin: false }],
    ]
    for (const each of invalid) expect(validTrack(...each)).toBeNull()
  })
})

describe('telemetry', () => {
  it('[TEL-1] keeps the latest context entry of each platform', () => {
    const entry = fc.record({ platform: fc.constantFrom('a', 'b', 'c'), language: fc.string() })
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (known, added) => {
        const merged = mergeContext(known, added)
        const platforms = merged.map(({ platform }) => platform)
        expect(new Set(platforms).size).toBe(platforms.length)
        for (const { platform, language } of merged)
          expect([...known, ...added].findLast((each) => each.platform === platform)?.language).toBe(language)
        expect(mergeContext(merged, merged)).toBe(merged)
      }),
    )
    expect(parseTelemetryContext([{ platform: 'a', language: 'en' }, { platform: 7 }, null, 'x'])).toEqual([
      { platform: 'a', language: 'en' },
    ])
    expect(parseTelemetryContext({})).toEqual([])
  })

  it('[TEL-1] keeps the latest launch of each platform, whatever else is newer', () => {
    const platform = fc.constantFrom('a', 'b')
    const launch = fc.constantFrom('went' as const, 'failed' as const)
    const entry = fc.record(
      { platform, language: fc.constantFrom('en', 'de'), launch },
      { requiredKeys: ['platform', 'language'] },
    )
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (known, added) => {
        for (const each of mergeContext(known, added)) {
          const told = [...known, ...added].filter((other) => other.platform === each.platform)
          expect(each.launch).toBe(told.findLast((other) => other.launch !== undefined)?.launch)
        }
        expect(parseTelemetryContext(JSON.parse(JSON.stringify(known)))).toEqual(known)
      }),
    )
    const of = (value: unknown) => parseTelemetryContext([{ platform: 'a', language: 'en', launch: value }])
    for (const value of ['inserted', 'late', 7, null, {}]) expect(of(value)).toEqual(of(undefined))
    expect(of('failed')).toEqual([{ platform: 'a', language: 'en', launch: 'failed' }])
    expect(Object.keys(of('late')[0] ?? {})).toEqual(['platform', 'language'])
  })

  it.each([
    ['PC', 'PC'],
    [null, 'outlook'],
  ])('sends versions and languages, and no personal data, from %s', (platform, told) => {
    expect(
      createPlatform(
        { version: '1.2.3', beta: true },
        { name: 'outlook', displayLanguage: 'de-DE', about: { platform } },
        { userAgent: 'agent', language: 'en' },
      ),
    ).toEqual({
      package: { name: 'signet', version: '1.2.3' },
      context: { platform: told, language: 'de-DE' },
      beta: true,
      navigator: { userAgent: 'agent', language: 'en' },
    })
  })
})
