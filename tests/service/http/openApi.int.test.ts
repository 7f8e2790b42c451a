import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATION_PATH, type Call, CALLS } from '../../../streams/wire/administration/calls.ts'
import { insightCalls } from '../../../src/service/http/administration/insight.ts'
import { start, type Running } from '../running.ts'

type Json = Readonly<Record<string, unknown>>
type Operation = Readonly<{
  operationId: string
  summary: string
  security: readonly Readonly<{ token?: readonly string[] }>[]
  parameters: readonly Readonly<{ name: string; in: string; required: boolean; schema: Json }>[]
  requestBody?: Readonly<{ required: boolean; content: Readonly<Record<string, Json>> }>
  responses: Readonly<Record<string, Readonly<{ description: string; content: Json }>>>
}>
type OpenApi = Readonly<{
  openapi: string
  info: Readonly<{ title: string; version: string }>
  servers: readonly Readonly<{ url: string }>[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Json>>; securitySchemes: Json }>
}>

// The rules of OpenAPI 3.1 and of JSON Schema 2020-12 that a generated description could break.
describe('openapi.json', () => {
  let running: Running
  let api: OpenApi
  beforeAll(async () => {
    running = await start()
    const answer = await fetch(`${running.url}${ADMINISTRATION_PATH}/openapi.json`)
    expect(answer.status).toBe(200)
    api = (await answer.json()) as OpenApi
  })
  afterAll(() => running.stop())

  const operations = () =>
    Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )

  it('is OpenAPI 3.1 of this service', () => {
    expect(api.openapi).toBe('3.1.0')
    expect(api.info.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(api.servers).toEqual([{ url: ADMINISTRATION_PATH }])
    for (const key of Object.keys(api.components.schemas)) expect(key).toMatch(/^[\w.-]+$/)
  })

  it('is made once: who has no token must not keep the service busy', async () => {
    const { openapi } = insightCalls(running.context)
    expect(await openapi()).toBe(await openapi())
  })

  it('describes every call with its role, and no other', () => {
    const told = operations().map(
      ({ path, method, operation }) =>
        `${method} ${path} ${operation.security.flatMap(({ token }) => token ?? []).join()}`,
    )
    const declared = Object.values<Call>(CALLS).map(
      ({ method, path, role }) =>
        `${method.toLowerCase()} ${path.replace(':id', '{id}')} ${role === 'any' || role === 'none' ? '' : role}`,
    )
    expect(told.sort()).toEqual(declared.sort())
    const open = operations().filter(({ operation }) => operation.security.length === 0)
    expect(open.map(({ path }) => path)).toEqual(['/openapi.json'])
  })

  it('names each operation once, each parameter of a path, and what is answered', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations()) {
      const inPath = operation.parameters.filter((each) => each.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      expect(Object.keys(operation.responses)).toContain('default')
      for (const { description } of Object.values(operation.responses)) expect(description).not.toBe('')
      expect(Object.keys(operation.requestBody?.content ?? {}).length).toBeLessThan(2)
    }
  })

  it('takes a text of an import, and JSON elsewhere', () => {
    const bodies = operations().flatMap(({ path, operation }) =>
      Object.keys(operation.requestBody?.content ?? {}).map((type) => `${path} ${type}`),
    )
    expect(bodies.filter((each) => each.endsWith('text/csv'))).toEqual(['/people/import text/csv'])
    expect(bodies.filter((each) => each.endsWith('application/json')).length).toBeGreaterThan(5)
  })

  it('has schemas whose references lead somewhere, and whose lists are none that JSON Schema forbids', () => {
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, member] of Object.entries(value)) {
        if (key === '$ref') {
          const [, name = ''] = /^#\/components\/schemas\/([\w.-]+)$/.exec(String(member)) ?? []
          expect(Object.keys(api.components.schemas)).toContain(name)
        }
        if (['prefixItems', 'anyOf', 'oneOf', 'allOf'].includes(key) && Array.isArray(member))
          expect([key, member.length]).not.toEqual([key, 0])
        expect(key).not.toMatch(/^(\$schema|\$defs|definitions|nullable)$/)
        visit(member)
      }
    }
    visit(api.paths)
    visit(api.components)
    const plan = api.paths['/plans']?.['post']?.requestBody?.content['application/json']
    expect(JSON.stringify(plan)).toContain('"$ref":"#/components/schemas/Document"')
    expect(api.components.schemas['Document']).toMatchObject({ type: 'object' })
  })
})
