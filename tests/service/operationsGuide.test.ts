import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createOperations } from '../../src/service/operations.ts'

// docs/operations.md and the Containerfile against the program: what they name is there, and what is there is named.

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const guide = read('docs/operations.md')
const containerfile = read('Containerfile')
const namesIn = (text: string) =>
  new Set(text.match(/\b(?:SIGNET_[A-Z]+(?:_[A-Z]+)*|DATABASE_URL(?:_FILE)?)\b/g))
const blocks = (language: string) =>
  [...guide.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text)

const settings = new Set([
  ...namesIn(read('src/service/settings.ts')),
  ...namesIn(read('src/server/pageConfig.ts')),
  ...['DATABASE_URL_FILE', 'SIGNET_SECRET_FILE'],
])

describe('the guide of the operator', () => {
  it('names every setting, and no other', () => {
    expect([...namesIn(guide)].sort()).toEqual([...settings].sort())
  })

  it('names every metric, and no other', async () => {
    const operations = createOperations({
      ...{ log: pino({ enabled: false }), organisation: 'default', secret: new Uint8Array(32) },
      ...{ signInPath: '/', personOf: () => null },
    })
    const health = { behindMs: () => 0, publishedAt: () => 0, isClosing: () => false, now: () => 0 }
    const { body } = await operations.createInternal({ ...health, ping: async () => {} }).inject('/metrics')
    const metrics = [...body.matchAll(/^# TYPE (signet_\w+)/gm)].map(([, name]) => name)
    expect([...new Set([...guide.matchAll(/`(signet_\w+)`/g)].map(([, name]) => name))].sort()).toEqual(
      metrics.sort(),
    )
  })

  it('has an example for Kubernetes with two replicas, which is not root, read-only and asked for its health', () => {
    const [deployment, service] = blocks('yaml').flatMap((text) =>
      parseAllDocuments(text).map(
        (document) => document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>,
      ),
    )
    expect(deployment).toMatchObject({
      kind: 'Deployment',
      spec: {
        replicas: 2,
        template: {
          spec: {
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                securityContext: { readOnlyRootFilesystem: true },
                livenessProbe: { httpGet: { path: '/live' } },
                readinessProbe: { httpGet: { path: '/ready' } },
              },
            ],
          },
        },
      },
    })
    expect(service).toMatchObject({ kind: 'Service' })
  })

  it('has a unit that starts what npm run service starts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(blocks('ini')[0]).toContain(`ExecStart=/usr/bin/${scripts['service'] ?? ''}\n`)
    expect(JSON.stringify(containerfile)).toContain(
      JSON.stringify(
        `CMD ${JSON.stringify((scripts['service'] ?? '').split(' ')).replaceAll(',', ', ')}`,
      ).slice(1, -1),
    )
  })
})

describe('the Containerfile', () => {
  it('copies what the service needs, and ends as another user than root', () => {
    const copied = [...containerfile.matchAll(/^COPY --from=build \/signet\/(\S+) /gm)].map(
      ([, path = '']) => path,
    )
    for (const path of copied.filter((each) => !/^(node_modules|dist)/.test(each)))
      expect(existsSync(join(ROOT, path)), path).toBe(true)
    expect(copied).toEqual(
      expect.arrayContaining(['src', 'streams', 'effects', 'node_modules', 'dist/production/www']),
    )
    expect(containerfile.match(/^USER .*$/gm)).toEqual(['USER node'])
    expect(containerfile.match(/^FROM /gm)).toHaveLength(2)
    expect(containerfile).toContain('HEALTHCHECK')
  })
})
