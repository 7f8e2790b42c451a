/**
 * Imitates the parts of Microsoft Graph that a directory is read from: paged delta queries for users and groups,
 * application tokens, throttling, removed items and expiring links. The formats follow Microsoft's documentation.
 */
import {
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type OutOf,
  text,
} from '../../streams/kernel/schema.ts'
import {
  createWebServer,
  listen,
  parseFormFields,
  Refusal,
  type RunningServer,
  urlOf,
} from '../../src/server/webServer.ts'

/** A user's or group's properties, under Graph's names. */
export type GraphObject = Readonly<Record<string, unknown>>

/** An answer that replaces the next one. */
export type GraphAnswer = Readonly<{
  status: number
  headers?: Readonly<Record<string, string>>
  body?: unknown
}>

/** The kinds of group members. */
export type MemberKind = 'user' | 'group' | 'device'

/** A tenant's content. The next delta query returns each change. */
export type GraphTenant = Readonly<{
  /** Adds a user or changes some properties; `null` clears a property. */
  putUser: (id: string, properties: GraphObject) => void
  /** A deleted user can be restored for 30 days (`changed`), then is gone (`deleted`). */
  removeUser: (id: string, reason: 'changed' | 'deleted') => void
  putGroup: (id: string, properties: GraphObject) => void
  removeGroup: (id: string) => void
  join: (group: string, member: string, kind?: MemberKind) => void
  leave: (group: string, member: string) => void
  /** Registers a directory extension, such as `extension_<application id>_costCentre`. */
  addExtension: (name: string) => void
  putPicture: (user: string, mediaType: string, bytes: Uint8Array) => void
}>

export type RunningGraph = RunningServer &
  Readonly<{
    /** The OpenID authority of its applications; `{tenant}` is replaced by a tenant's id. */
    authority: string
    tenant: (id: string) => GraphTenant
    /** Sets the answers to the next requests below `/v1.0/`, in order. */
    answerNext: (...answers: readonly GraphAnswer[]) => void
    /** Expires all earlier links: 410 with `Location`, or 400 `syncStateNotFound`. */
    expireLinks: (as: 'gone' | 'badRequest') => void
    /** Refuses all earlier tokens with 401. */
    expireTokens: () => void
    /** The requested paths and queries below `/v1.0/`, and the number of issued tokens. */
    asked: () => Readonly<{ requests: readonly string[]; tokens: number }>
  }>

export type GraphOptions = Readonly<{
  port: number
  clientId: string
  secret: string
  /** An assertion with which the application can sign in instead of its secret. */
  assertion?: string
  /** The application's permissions; by default all that a directory needs. */
  permissions?: readonly string[]
  pageSize?: number
}>

const PERMISSIONS = ['User.Read.All', 'GroupMember.Read.All', 'ProfilePhoto.Read.All']
const PAGE_SIZE = 100
const TOKEN_SECONDS = 3599
/** The properties of a user or group that are returned in addition to `$select`. */
const ALWAYS = ['id']
/** The properties and relations of users in Microsoft's documentation that tests select. */
const USER_PROPERTIES: readonly string[] = [
  ...'id accountEnabled userType displayName givenName surname jobTitle department companyName'.split(' '),
  ...'officeLocation businessPhones mobilePhone faxNumber mail mailNickname proxyAddresses'.split(' '),
  ...'userPrincipalName streetAddress city state postalCode country employeeId employeeType'.split(' '),
  ...'employeeHireDate preferredLanguage onPremisesExtensionAttributes manager'.split(' '),
]

type Stored = { at: number; properties: GraphObject | null; reason: 'changed' | 'deleted' }
type Member = { at: number; isMember: boolean; kind: MemberKind }
type Group = Stored & { members: Map<string, Member> }
type TenantState = {
  /** The number of changes. */
  at: number
  users: Map<string, Stored>
  groups: Map<string, Group>
  pictures: Map<string, Readonly<{ mediaType: string; bytes: Uint8Array }>>
  extensions: Set<string>
}

const linkSchema = object({
  /** Increases when links expire. */
  generation: number,
  select: list(text),
  /** A group's id; `null` means all groups. */
  only: nullable(text),
  /** The link returns the changes after `since`, up to and including `until`. */
  since: number,
  until: number,
  skip: number,
})
type Link = OutOf<typeof linkSchema>

const tokenBody = object({
  grant_type: oneOf('client_credentials'),
  client_id: text,
  scope: text,
  client_secret: optional(text),
  client_assertion_type: optional(oneOf('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')),
  client_assertion: optional(text),
})
const tenantParams = object({ tenant: text })
type Asked = Readonly<{ Querystring: Readonly<Record<string, string>> }>

/** Listens on localhost. @throws if the port is not free */
export async function startGraph(options: GraphOptions): Promise<RunningGraph> {
  const { clientId, secret, assertion, permissions = PERMISSIONS, pageSize = PAGE_SIZE } = options
  const { app } = await createWebServer([], null)
  const tenants = new Map<string, TenantState>()
  const waiting: GraphAnswer[] = []
  const requests: string[] = []
  const bearers = new Map<string, string>()
  let tokens = 0
  let generation = 0
  let expiredAs: 'gone' | 'badRequest' = 'gone'
  const url = () => urlOf(app)
  const authority = () => `${url()}/{tenant}/v2.0`

  const stateOf = (id: string): TenantState => {
    const state = tenants.get(id) ?? {
      at: 0,
      users: new Map(),
      groups: new Map(),
      pictures: new Map(),
      extensions: new Set<string>(),
    }
    tenants.set(id, state)
    return state
  }

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, text: string) => parseFormFields(text),
  )
  app.get(
    '/:tenant/v2.0/.well-known/openid-configuration',
    { schema: { params: tenantParams } },
    async ({ params: { tenant } }) => ({
      issuer: `${url()}/${tenant}/v2.0`,
      token_endpoint: `${url()}/${tenant}/oauth2/v2.0/token`,
      jwks_uri: `${url()}/common/discovery/v2.0/keys`,
    }),
  )
  app.post(
    '/:tenant/oauth2/v2.0/token',
    { schema: { params: tenantParams, body: tokenBody } },
    async ({ params: { tenant }, body }, reply) => {
      const isKnown = tenants.has(tenant) && body.client_id === clientId
      const isProven =
        body.client_secret === secret || (assertion !== undefined && body.client_assertion === assertion)
      if (!isKnown || !isProven || body.scope !== `${url()}/.default`)
        return reply.code(401).send({
          error: 'invalid_client',
          error_description: 'AADSTS7000215: Invalid client secret provided. Trace ID: 0000',
          error_codes: [7000215],
        })
      tokens += 1
      const token = `token-${String(tokens)}`
      bearers.set(token, tenant)
      return { token_type: 'Bearer', expires_in: TOKEN_SECONDS, access_token: token }
    },
  )

  const failure = (code: string, message: string) => ({ error: { code, message, innerError: {} } })

  // Hooks apply only within a scope, so discovery and tokens stay unaffected.
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      requests.push(request.url.slice('/v1.0/'.length))
      const answer = waiting.shift()
      if (answer !== undefined)
        return reply
          .code(answer.status)
          .headers(answer.headers ?? {})
          .send(answer.body ?? failure('UnknownError', ''))
      if (!bearers.has(bearerOf(request.headers.authorization)))
        return reply.code(401).send(failure('InvalidAuthenticationToken', 'Access token has expired.'))
      return undefined
    })
    const stateFor = (authorization: string | undefined, permission: string): TenantState => {
      if (!permissions.includes(permission)) throw new Forbidden()
      return stateOf(bearers.get(bearerOf(authorization)) ?? '')
    }
    scope.setErrorHandler(async (error, _, reply) => {
      if (error instanceof Expired)
        return expiredAs === 'badRequest'
          ? reply.code(400).send(failure('syncStateNotFound', 'The sync state generation is not found.'))
          : reply
              .code(410)
              .header('location', error.location)
              .send(failure('resyncRequired', 'Resync required.'))
      if (error instanceof Forbidden)
        return reply
          .code(403)
          .send(failure('Authorization_RequestDenied', 'Insufficient privileges to complete the operation.'))
      if (error instanceof UnknownProperty)
        return reply
          .code(400)
          .send(
            failure(
              'BadRequest',
              `Parsing OData Select and Expand failed: Term '${error.selection}' is not valid in a $select or $expand expression.`,
            ),
          )
      throw error
    })

    /** @throws UnknownProperty */
    function checkSelection(state: TenantState, selection = ''): void {
      const names = selection.split(',').filter(Boolean)
      if (!names.every((name) => USER_PROPERTIES.includes(name) || state.extensions.has(name)))
        throw new UnknownProperty(selection)
    }

    /** The state of a first query, or the state in a link. */
    function linkOf(asked: Readonly<Record<string, string>>, path: string, until: number): Link {
      const text = asked['$skiptoken'] ?? asked['$deltatoken']
      if (text === undefined || text === '') {
        const only = /^id eq '([^']+)'$/.exec(asked['$filter'] ?? '')?.[1] ?? null
        const select = (asked['$select'] ?? '').split(',').filter(Boolean)
        return { generation, select, only, since: 0, until, skip: 0 }
      }
      const link = linkSchema.read(JSON.parse(Buffer.from(text, 'base64url').toString()), '')
      const first = new URLSearchParams({
        $select: link.select.join(','),
        ...(link.only === null ? {} : { $filter: `id eq '${link.only}'` }),
      })
      if (link.generation !== generation) throw new Expired(`${url()}/v1.0/${path}?${first.toString()}`)
      return asked['$deltatoken'] === undefined ? link : { ...link, since: link.until, until, skip: 0 }
    }

    const answerOf = <Item>(
      path: string,
      link: Link,
      items: readonly Item[],
      write: (item: Item) => GraphObject,
    ) => {
      const isLast = link.skip + pageSize >= items.length
      const token = Buffer.from(
        JSON.stringify(isLast ? { ...link, skip: 0 } : { ...link, skip: link.skip + pageSize }),
      ).toString('base64url')
      return {
        '@odata.context': `${url()}/v1.0/$metadata#${path.split('/')[0] ?? ''}`,
        [isLast ? '@odata.deltaLink' : '@odata.nextLink']:
          `${url()}/v1.0/${path}?${isLast ? '$deltatoken' : '$skiptoken'}=${token}`,
        value: items.slice(link.skip, link.skip + pageSize).map(write),
      }
    }
    const isTold = ({ since, until }: Link, { at, properties }: Stored) =>
      at > since && at <= until && !(since === 0 && properties === null)
    const told = (link: Link, id: string, { properties, reason }: Stored): GraphObject =>
      properties === null
        ? { id, '@removed': { reason } }
        : Object.fromEntries(
            Object.entries({ ...properties, id }).flatMap(([name, value]): [string, unknown][] => {
              if (name === 'formerManager' || ![...ALWAYS, ...link.select].includes(name)) return []
              // A relation is returned as a list of its additions and removals.
              return name === 'manager'
                ? [['manager@delta', relationOf(value, properties['formerManager'], link.since > 0)]]
                : [[name, value]]
            }),
          )

    scope.get<Asked>('/v1.0/users/delta', async (request) => {
      const state = stateFor(request.headers.authorization, 'User.Read.All')
      checkSelection(state, request.query['$select'])
      const link = linkOf(request.query, 'users/delta', state.at)
      const items = [...state.users].filter(([, user]) => isTold(link, user))
      return answerOf('users/delta', link, items, ([id, user]) => told(link, id, user))
    })
    scope.get<Asked>('/v1.0/users', async (request) => {
      const state = stateFor(request.headers.authorization, 'User.Read.All')
      checkSelection(state, request.query['$select'])
      return { value: [...state.users.keys()].slice(0, 1).map((id) => ({ id })) }
    })
    scope.get<Asked>('/v1.0/groups/delta', async (request) => {
      const state = stateFor(request.headers.authorization, 'GroupMember.Read.All')
      const link = linkOf(request.query, 'groups/delta', state.at)
      // A group with many members is spread over several pages.
      const items = [...state.groups]
        .filter(([id]) => link.only === null || link.only === id)
        .flatMap(([id, group]) => {
          const members = [...group.members]
            .filter(
              ([, { at, isMember }]) => at > link.since && at <= link.until && (isMember || link.since > 0),
            )
            .map(([member, { isMember, kind }]) => ({
              '@odata.type': `#microsoft.graph.${kind}`,
              id: member,
              ...(isMember ? {} : { '@removed': { reason: 'deleted' } }),
            }))
          if (!isTold(link, group) && members.length === 0) return []
          const item = told(link, id, group)
          if (group.properties === null || members.length === 0) return [item]
          return Array.from({ length: Math.ceil(members.length / pageSize) }, (_, part) => ({
            ...item,
            'members@delta': members.slice(part * pageSize, (part + 1) * pageSize),
          }))
        })
      return answerOf('groups/delta', link, items, (item) => item)
    })
    scope.get<Asked>('/v1.0/groups', async (request) => {
      const state = stateFor(request.headers.authorization, 'GroupMember.Read.All')
      const clauses = (request.query['$filter'] ?? '').split(' or ').filter(Boolean)
      if (clauses.length > 15) throw new Refusal(400, 'Request_UnsupportedQuery', 'Too many child clauses.')
      const fits = (id: string, properties: GraphObject) =>
        clauses.length === 0 ||
        clauses.some((clause) => {
          const [, name = '', value = ''] = /^(\w+) eq '((?:[^']|'')*)'$/.exec(clause) ?? []
          const found = { ...properties, id }[name]
          return (
            typeof found === 'string' && found.toLowerCase() === value.replaceAll("''", "'").toLowerCase()
          )
        })
      const value = [...state.groups].flatMap(([id, { properties }]) =>
        properties !== null && fits(id, properties)
          ? [{ id, displayName: properties['displayName'], mailNickname: properties['mailNickname'] }]
          : [],
      )
      return { '@odata.context': `${url()}/v1.0/$metadata#groups`, value }
    })
    scope.get<{ Params: { user: string } }>(
      '/v1.0/users/:user/photos/:size/$value',
      async (request, reply) => {
        const state = stateFor(request.headers.authorization, 'ProfilePhoto.Read.All')
        const picture = state.pictures.get(request.params.user)
        return picture === undefined
          ? reply.code(404).send(failure('ImageNotFound', 'Exception of type ImageNotFoundException.'))
          : reply.type(picture.mediaType).send(Buffer.from(picture.bytes))
      },
    )
  })

  const running = await listen(app, options.port)
  return {
    ...running,
    authority: authority(),
    tenant: (id) => createTenant(stateOf(id)),
    answerNext: (...answers) => void waiting.push(...answers),
    expireLinks(as) {
      generation += 1
      expiredAs = as
    },
    expireTokens: () => bearers.clear(),
    asked: () => ({ requests: [...requests], tokens }),
  }
}

class Expired extends Error {
  constructor(readonly location: string) {
    super('The link is too old.')
  }
}
class Forbidden extends Error {}
/** A property that users of the tenant do not have. Graph names the whole selection, not the property. */
class UnknownProperty extends Error {
  constructor(readonly selection: string) {
    super('A property is unknown.')
  }
}

const relationOf = (id: unknown, former: unknown, isLater: boolean): readonly GraphObject[] => [
  ...(isLater && former !== id && typeof former === 'string'
    ? [{ '@odata.type': '#microsoft.graph.user', id: former, '@removed': { reason: 'deleted' } }]
    : []),
  ...(typeof id === 'string' ? [{ '@odata.type': '#microsoft.graph.user', id }] : []),
]

const bearerOf = (authorization = ''): string => authorization.replace(/^Bearer /, '')

function createTenant(state: TenantState): GraphTenant {
  const next = () => (state.at += 1)
  const put = <Item extends Stored>(
    items: Map<string, Item>,
    id: string,
    change: GraphObject,
    empty: Item,
  ) => {
    const before = items.get(id) ?? empty
    items.set(id, { ...before, at: next(), properties: { ...before.properties, ...change } })
  }
  const remove = <Item extends Stored>(items: Map<string, Item>, id: string, reason: Stored['reason']) => {
    const before = items.get(id)
    if (before !== undefined) items.set(id, { ...before, at: next(), properties: null, reason })
  }
  return {
    putUser(id, properties) {
      const former = state.users.get(id)?.properties?.['manager']
      const change = 'manager' in properties ? { ...properties, formerManager: former } : properties
      put(state.users, id, change, { at: 0, properties: null, reason: 'changed' })
    },
    removeUser: (id, reason) => remove(state.users, id, reason),
    putGroup: (id, properties) =>
      put(state.groups, id, properties, { at: 0, properties: null, reason: 'deleted', members: new Map() }),
    removeGroup: (id) => remove(state.groups, id, 'deleted'),
    join: (group, member, kind = 'user') =>
      void state.groups.get(group)?.members.set(member, { at: next(), isMember: true, kind }),
    leave(group, member) {
      const members = state.groups.get(group)?.members
      const kind = members?.get(member)?.kind ?? 'user'
      members?.set(member, { at: next(), isMember: false, kind })
    },
    addExtension: (name) => void state.extensions.add(name),
    putPicture: (user, mediaType, bytes) => void state.pictures.set(user, { mediaType, bytes }),
  }
}
