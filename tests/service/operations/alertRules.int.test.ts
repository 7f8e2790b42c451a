import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ADMINISTRATION_PATH } from '../../../streams/wire/administration/calls.ts'
import { SIGN_IN_PATH } from '../../../src/service/http/calls.ts'
import { createMonitoring } from '../../../src/service/operations/operations.ts'
import { SCIM_PATH } from '../../../src/service/scim/scim.ts'

// The alert rules of docs/deployment against the metrics of the program, and against what administrators read of them.

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

type Rule = Readonly<{
  alert: string
  expr: string
  labels: Readonly<Record<string, string>>
  annotations: Readonly<Record<string, string>>
}>
type Rules = Readonly<{ groups: readonly Readonly<{ name: string; rules: readonly Rule[] }>[] }>

const rules = (parse(read('docs/deployment/prometheus-alerts.yaml')) as Rules).groups.flatMap(
  (group) => group.rules,
)
/** The metrics that an expression asks for, as they are declared: without the ends of a histogram. */
const metricsIn = (expr: string) =>
  [...expr.matchAll(/\bsignet_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))

describe('the alert rules', () => {
  it('ask for metrics that there are, and for no other', async () => {
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
      now: () => 0,
      inMemory: () => ({ organisations: 1, bytes: 0 }),
    }
    const syncs = async () => []
    const { body } = await operations
      .createInternal({ ...health, syncs, ping: async () => {} })
      .inject('/metrics')
    const there = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
    const asked = rules.flatMap(({ expr }) => metricsIn(expr))
    expect(asked.filter((name) => !there.has(name))).toEqual([])
    // Each rule but the first asks for a metric of ours.
    expect(new Set(asked).size).toBeGreaterThan(3)
  })

  it('close every bracket, and say how bad it is in a sentence', () => {
    for (const { alert, expr, labels, annotations } of rules) {
      for (const [open, close] of ['()', '[]', '{}'].map(
        ([first = '', second = '']) => [first, second] as const,
      ))
        expect(expr.split(open).length, `${open} in ${alert}`).toBe(expr.split(close).length)
      expect(labels['severity'], alert).toMatch(/^(critical|warning)$/)
      expect(annotations['summary'], alert).toMatch(/\.$/)
    }
  })

  it('call calls of the add-in slow, and none that programs send', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'SignetSlow') ?? {}
    const others = [...expr.matchAll(/route!~"([^"]*)"/g)].map(([, pattern]) => new RegExp(`^(${pattern})$`))
    const isAskedFor = (route: string) => !others.some((other) => other.test(route))
    const ofAddIn = [SIGN_IN_PATH, '/api/addin/user/variables']
    const ofPrograms = [`${ADMINISTRATION_PATH}/people`, `${SCIM_PATH}/Groups/:id`]
    expect([...ofAddIn, ...ofPrograms].filter(isAskedFor)).toEqual(ofAddIn)
  })

  it('are those that administrator.md explains', () => {
    const explained = [...read('docs/administrator.md').matchAll(/^\| `(Signet[A-Z]\w+)` \|/gm)].map(
      ([, name]) => name,
    )
    expect(explained).toEqual(rules.map(({ alert }) => alert))
  })
})
