import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createMonitoring } from '../../../src/service/operations/operations.ts'

// docs/operations.md against the program: what it names is there, and what is there is named.

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const guide = read('docs/operations.md')
const namesIn = (text: string) =>
  new Set(text.match(/\b(?:SIGNET_[A-Z]+(?:_[A-Z]+)*|DATABASE_URL(?:_FILE)?)\b/g))

const settings = new Set([
  ...namesIn(read('src/service/settings.ts')),
  ...namesIn(read('src/server/pageConfig.ts')),
  ...['DATABASE_URL_FILE', 'SIGNET_SECRET_FILE', 'SIGNET_GRAPH_SECRET_FILE', 'SIGNET_SCIM_TOKEN_FILE'],
])

describe('the guide of the operator', () => {
  it('names every setting, and no other', () => {
    expect([...namesIn(guide)].sort()).toEqual([...settings].sort())
  })

  it('names every metric, and no other', async () => {
    const operations = createMonitoring({
      log: pino({ enabled: false }),
      organisation: 'default',
      secret: new Uint8Array(32),
      signInPath: '/',
      personOf: () => null,
    })
    const health = {
      behindMs: () => 0,
      publishedAt: () => 0,
      isClosing: () => false,
      inMemory: () => ({ organisations: 1, bytes: 0 }),
      now: () => 0,
      syncs: async () => [],
    }
    const { body } = await operations.createInternal({ ...health, ping: async () => {} }).inject('/metrics')
    const metrics = [...body.matchAll(/^# TYPE (signet_\w+)/gm)].map(([, name]) => name)
    expect([...new Set([...guide.matchAll(/`(signet_\w+)`/g)].map(([, name]) => name))].sort()).toEqual(
      metrics.sort(),
    )
  })
})
