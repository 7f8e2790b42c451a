import { NO_FILTERS } from '../../streams/administration/people/filters.ts'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Window } from 'happy-dom'
import {
  asyncScheduler,
  firstValueFrom,
  NEVER,
  type Observable,
  of,
  throwError,
  VirtualTimeScheduler,
} from 'rxjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdministrationApi, READ_LIMIT_MS, WORK_LIMIT_MS } from '../../src/administration/api.ts'
import { createAdministratorIdentity, userStorageOf } from '../../src/administration/identity.ts'
import { ADMINISTRATION_PATH, CALLS } from '../../streams/wire/administration/calls.ts'
import { createHttp } from '../../src/engine/adapters/http.ts'
import { STANDALONE_USER_KEY } from '../../src/engine/signIn/standaloneIdentity.ts'
import { Failed, type Failure } from '../../streams/kernel/failure.ts'
import { createSecret, type Secret } from '../../streams/kernel/secret.ts'
import { createCallSharing } from '../../streams/kernel/shareInFlight.ts'
import type { Time } from '../../streams/kernel/time.ts'
import { explained } from '../support/administration/people.ts'
import { approvalOf, HASH, planToApprove } from '../support/administration/approvals.ts'
import { releaseDocument } from '../support/administration/plans.ts'
import { auditPage, insight, me, overview, releaseId, releases } from '../support/administration/answers.ts'

// The calls over happy-dom's XMLHttpRequest, which sends real requests with CORS, and a real HTTP server.

type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

const PAGE = 'http://localhost:4400'
let server: Server
let page: Window
let received: Received[]
let respond: RequestListener
/** Whether each token was asked to be another one than before. */
let tokens: boolean[]

beforeEach(() => {
  received = []
  tokens = []
})
beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', PAGE)
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
    // As the service allows them.
    response.setHeader(
      'Access-Control-Allow-Headers',
      'Accept-Language, Authorization, Content-Type, X-Addin-Trigger, X-Addin-Version, X-Api-Version, X-LSI-Version',
    )
    if (request.method === 'OPTIONS') return response.end()
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      respond(request, response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  page = new Window({ url: `${PAGE}/administration` })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await page.happyDOM.close()
})

const giveToken = (fresh: boolean): Observable<Secret> => {
  tokens.push(fresh)
  return of(createSecret(fresh ? 'second' : 'first'))
}
const apiWith = (token = giveToken, time: Time = { scheduler: asyncScheduler }) =>
  createAdministrationApi(
    createHttp({
      baseUrl: `http://localhost:${String((server.address() as AddressInfo).port)}`,
      version: '1.2.3',
      token: () => token(false),
      renewToken: () => token(true),
      language: () => 'de',
      time,
      sharing: createCallSharing(),
      createXhr: () => new page.XMLHttpRequest() as unknown as XMLHttpRequest,
    }),
  )
const answering = (body: unknown, status = 200) => {
  respond = (_, response) => {
    response.statusCode = status
    response.end(JSON.stringify(body))
  }
}
const failureOf = async (call$: Observable<unknown>): Promise<Failure> => {
  const error = await firstValueFrom(call$).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failed)) throw new Error('expected a failure')
  return error.failure
}

describe('a call of the administration', () => {
  it('has its method, its path and its query, and gives what the service answers', async () => {
    const api = apiWith()
    const ask = async (answer: unknown, call$: Observable<unknown>) => {
      answering(answer)
      return firstValueFrom(call$)
    }
    expect(await ask(me(), api.me())).toEqual(me())
    expect(await ask(overview(), api.overview())).toEqual(overview())
    expect(await ask(insight(), api.insight())).toEqual(insight())
    expect(await ask(auditPage(), api.audit(null))).toEqual(auditPage())
    await ask(auditPage(), api.audit('a b'))
    expect(await ask(releases(), api.releases())).toEqual(releases())
    const document = { ...releaseDocument, pictures: {} }
    expect(await ask({ release: releaseId('b'), document }, api.release(releaseId('b')))).toEqual(document)
    expect(
      await ask(
        { people: [], next: null },
        api.listPeople(
          'a b',
          'u-1',
          {
            ...NO_FILTERS,
            sort: 'seen',
            isDescending: true,
            department: 'R & D',
            signature: 'two',
            who: 'unseen',
          },
          'signature',
        ),
      ),
    ).toEqual({
      people: [],
      next: null,
    })
    const { history } = releases()
    expect(await ask({ release: releaseId('b'), history }, api.rollBack(releaseId('b'), 'why'))).toEqual(
      history,
    )
    expect(await ask({ status: 'planned' }, api.setMaintenance('planned'))).toBe('planned')
    expect(await ask({ erased: 'x' }, api.erase('a/b@c.example'))).toBeUndefined()
    const set = {
      fields: { jobTitle: { value: 'Head', until: 'changed' } },
      pinned: { signature: 'board', until: 'removed' },
    }
    expect(await ask({ person: explained().person }, api.correct('p-ana', 3, set))).toBeUndefined()
    const none = { added: 0, changed: 0, unchanged: 0, refused: [], problems: [] }
    expect(await ask(none, api.importPeople('email\n', true, 'ab01'))).toEqual(none)
    expect(await ask(planToApprove(), api.storedPlan(releaseId('9')))).toEqual(planToApprove())
    expect(await ask({ approvals: [approvalOf()] }, api.approvals())).toEqual([approvalOf()])
    expect(await ask(approvalOf(), api.askApproval(releaseId('9'), 'why'))).toEqual(approvalOf())
    const said = { answer: 'refuse', hash: HASH, note: 'no' } as const
    expect(await ask(approvalOf(), api.answerApproval(releaseId('9'), said))).toEqual(approvalOf())
    const sent = received.map(({ method, url, body }) => [method, url.replace(ADMINISTRATION_PATH, ''), body])
    expect(sent).toEqual([
      ['GET', '/me', ''],
      ['GET', '/overview', ''],
      ['GET', '/insight', ''],
      ['GET', '/audit', ''],
      ['GET', '/audit?after=a+b', ''],
      ['GET', '/releases', ''],
      ['GET', `/releases/${releaseId('b')}`, ''],
      [
        'GET',
        '/people?search=a+b&sort=seen&descending=true&without=signature&department=R+%26+D&signature=two&unseen=30&after=u-1',
        '',
      ],
      ['POST', `/releases/${releaseId('b')}/rollback`, '{"note":"why"}'],
      ['PUT', '/maintenance', '{"status":"planned"}'],
      ['DELETE', '/people/a%2Fb%40c.example', ''],
      ['PUT', '/people/p-ana/corrections', JSON.stringify({ revision: 3, ...set })],
      ['POST', '/people/import?try=true&work=ab01', 'email\n'],
      ['GET', `/plans/${releaseId('9')}`, ''],
      ['GET', '/approvals', ''],
      ['POST', `/plans/${releaseId('9')}/approval/request`, '{"note":"why"}'],
      ['POST', `/plans/${releaseId('9')}/approval`, JSON.stringify(said)],
    ])
    expect(received.find(({ url }) => url.includes('/people/import'))?.headers['content-type']).toMatch(
      /^text\/csv/,
    )
    expect(received.every(({ url }) => url.startsWith(ADMINISTRATION_PATH))).toBe(true)
  })

  it('carries a token, the language, and nothing that a preflight would refuse', async () => {
    answering(me())
    await firstValueFrom(apiWith().me())
    expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer first', 'accept-language': 'de' })
    expect(received[0]?.headers).not.toHaveProperty('x-requested-with')
  })

  it('sends a token without quotes, and none that is gone', async () => {
    answering(me())
    await firstValueFrom(apiWith(() => of(createSecret('"a""b"'))).me())
    await firstValueFrom(apiWith(() => of({ secret: '<secret>' } as unknown as Secret)).me())
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer ab', undefined])
  })

  it('names the type of what it sends, and sends no type without content', async () => {
    answering({ status: null })
    await firstValueFrom(apiWith().setMaintenance(null))
    answering(me())
    await firstValueFrom(apiWith().me())
    expect(received.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      [expect.stringMatching(/^application\/json/), '{"status":null}'],
      [undefined, ''],
    ])
  })

  it('fails as malformed when nothing is answered', async () => {
    respond = (_, response) => {
      response.statusCode = 200
      response.end()
    }
    expect(await failureOf(apiWith().me())).toEqual({ kind: 'malformed', at: 'body' })
  })

  it('asks once for another token when one is refused', async () => {
    respond = (request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer second' ? 200 : 401
      response.end(JSON.stringify(me()))
    }
    expect(await firstValueFrom(apiWith().me())).toEqual(me())
    expect(tokens).toEqual([false, true])

    answering({ code: 'invalid_token', message: 'No.' }, 401)
    tokens = []
    expect(await failureOf(apiWith().me())).toMatchObject({
      kind: 'http',
      status: 401,
      code: 'invalid_token',
    })
    expect(tokens).toEqual([false, true])
  })

  it('asks for no other token after another refusal', async () => {
    answering({ code: 'role_missing', message: 'No.' }, 403)
    expect(await failureOf(apiWith().overview())).toEqual({
      kind: 'http',
      status: 403,
      code: 'role_missing',
      data: { code: 'role_missing', message: 'No.' },
    })
    expect(tokens).toEqual([false])
  })

  it('fails as the sign-in does when no token can be had, and sends nothing', async () => {
    const none = () => throwError(() => new Failed({ kind: 'auth', code: 'interaction_required' }))
    expect(await failureOf(apiWith(none).me())).toEqual({ kind: 'auth', code: 'interaction_required' })
    expect(received).toEqual([])
  })

  it('names the place of what has another shape', async () => {
    answering({ ...me(), roles: ['Signet.Everything'] })
    expect(await failureOf(apiWith().me())).toEqual({ kind: 'malformed', at: 'roles.0' })
    respond = (_, response) => response.end('<html>')
    expect(await failureOf(apiWith().me())).toEqual({ kind: 'malformed', at: 'body' })
  })

  it('has a short limit for what is read and a long one for work, the time for a token included', () => {
    for (const [limit, call] of [
      [READ_LIMIT_MS, (api: ReturnType<typeof apiWith>): Observable<unknown> => api.overview()],
      [WORK_LIMIT_MS, (api: ReturnType<typeof apiWith>): Observable<unknown> => api.rollBack('r', '')],
    ] as const) {
      const scheduler = new VirtualTimeScheduler()
      const failures: unknown[] = []
      call(apiWith(() => NEVER, { scheduler })).subscribe({
        error: (error: unknown) => failures.push(error instanceof Failed ? error.failure : error),
      })
      scheduler.maxFrames = limit - 1
      scheduler.flush()
      expect(failures).toEqual([])
      scheduler.maxFrames = limit
      scheduler.flush()
      expect(failures).toEqual([{ kind: 'timeout' }])
    }
  })

  it('is declared: every call but those of commands and of the openapi document is a method', () => {
    const ofCommands = ['openapi', 'explainSent']
    expect(Object.keys(CALLS)).toEqual(expect.arrayContaining(ofCommands))
    // Two methods search people: one finds some, the other lists them with more about each.
    expect(Object.keys(apiWith())).toHaveLength(Object.keys(CALLS).length - ofCommands.length + 1)
  })
})

describe('the administrator', () => {
  const area = () => {
    const storage = new page.Storage()
    storage.setItem('of the pane', 'kept')
    storage.setItem(STANDALONE_USER_KEY, '{"email":"alex.kim@northwind.example"}')
    return { storage, kept: userStorageOf(storage) }
  }
  const identityOver = (kept: ReturnType<typeof userStorageOf>, asked: unknown[] = []) =>
    createAdministratorIdentity(
      {
        known: () => kept.getItem(STANDALONE_USER_KEY),
        accessToken: (options) => {
          asked.push(options)
          return of(createSecret('token'))
        },
        signOut: () => of(undefined),
      },
      kept,
    )

  it('is forgotten alone: what the pane stores stays', async () => {
    const { storage, kept } = area()
    const identity = identityOver(kept)
    expect(await firstValueFrom(identity.known())).toContain('alex.kim')
    await firstValueFrom(identity.forget())
    expect(await firstValueFrom(identity.known())).toBeNull()
    kept.setItem(STANDALONE_USER_KEY, 'again')
    kept.clear()
    expect(storage.getItem(STANDALONE_USER_KEY)).toBeNull()
    expect(storage.getItem('of the pane')).toBe('kept')
  })

  it('signs in with a window', async () => {
    const asked: unknown[] = []
    await firstValueFrom(identityOver(area().kept, asked).signIn())
    expect(asked).toEqual([{ allowConsentPrompt: true }])
  })
})
