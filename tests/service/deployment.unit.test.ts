import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { LARGE_BODY_BYTES } from '../../streams/wire/administration/calls.ts'
import { LINK_PATH } from '../../src/service/http/countedLinks.ts'
import { CARD_PATH } from '../../src/service/people/values.ts'
import { SHUTDOWN_GRACE_MS } from '../../src/service/production.ts'
import { readSettings, type Settings } from '../../src/service/settings.ts'

// docs/deployment and the Containerfile against the program: each of them starts the service that is there.

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/deployment')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const containerfile = readFileSync(join(ROOT, 'Containerfile'), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}
const START = scripts['service'] ?? ''

type Environment = Readonly<Record<string, string>>
const SECRETS = {
  database: 'postgres://signet:password@database:5432/signet',
  secret: Buffer.alloc(32, 7).toString('base64'),
}
/** The settings that the service reads from an environment and the files that it names, by their path. */
function settingsFrom(environment: Environment, files: Environment): Settings {
  const result = readSettings(environment, (path) => {
    const text = files[path]
    if (text === undefined) throw new Error(`${path} is not there`)
    return text
  })
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  return result.settings
}
/** Every SIGNET_ name in a text is one that the service reads. */
const known = new Set(
  ['src/service/settings.ts', 'src/server/pageConfig.ts'].flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bSIGNET_[A-Z]+(?:_[A-Z]+)*\b/g)].map(
      ([name]) => name,
    ),
  ),
)
const unknownIn = (environment: Environment): string[] =>
  Object.keys(environment).filter(
    (name) => name.startsWith('SIGNET_') && !known.has(name.replace(/_FILE$/, '')),
  )

/** The assignments of an environment file, as compose and systemd read plain ones. */
const assignmentsOf = (text: string): Environment =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name, value] = /^([A-Z_]+)=([^"'$\\#]+)$/.exec(line) ?? []
        if (name === undefined || value === undefined) throw new Error(`${line} is no plain assignment`)
        return [name, value] as const
      }),
  )
const common = assignmentsOf(read('signet.env'))

const HEALTH_PATHS = ['/live', '/ready']

describe('the Containerfile', () => {
  const [build = '', run = ''] = containerfile.split(/^FROM .*$/m).slice(1)
  const copied = [...run.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map((path) => path.replace(/^\/signet\//, '')),
  )

  it('copies the folders that the service and its command import, and no other', () => {
    const folders = new Set(
      [...importedBy('src/service/main.ts', 'src/cli/main.ts')].map((file) => file.split('/')[0] ?? ''),
    )
    const others = [
      'package.json',
      'LICENSE',
      'node_modules',
      'dist/programs',
      'dist/production/www',
      'docs/*.md',
    ]
    expect(copied.filter((path) => !path.endsWith('.cdx.json')).sort()).toEqual(
      [...folders, ...others].sort(),
    )
  })

  it('builds in one stage, and runs in another one as another user than root', () => {
    expect(containerfile.match(/^FROM /gm)).toHaveLength(2)
    expect(build).toContain('RUN npm run build\n')
    expect(build).not.toMatch(/^(ENV|ARG) /m)
    expect(run.match(/^USER .*$/gm)).toEqual(['USER node'])
    // Whatever runs before the user is changed would run as root, and write.
    expect(run).not.toMatch(/^RUN /m)
  })

  it('starts what npm run service starts', () => {
    expect(run).toContain(`\nCMD ${JSON.stringify(START.split(' ')).replaceAll(',', ', ')}\n`)
  })

  it('asks for the health on the internal port, and exposes the other', () => {
    const { listen, internalListen } = settingsFrom(
      { ...common, DATABASE_URL: SECRETS.database, SIGNET_SECRET: SECRETS.secret },
      {},
    )
    expect(run).toContain(`\nEXPOSE ${String(listen.port)}\n`)
    expect(run).toContain(`http://127.0.0.1:${String(internalListen.port)}/live`)
  })

  it('sends no secret to the build', () => {
    // The name that docker reads, and that podman reads where there is no .containerignore.
    expect(existsSync(join(ROOT, '.containerignore'))).toBe(false)
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    expect(ignored).toEqual(
      expect.arrayContaining(['.git', 'docs/*', '!docs/*.md', '/signet.env', 'node_modules']),
    )
  })
})

/** The files that entries import, types and chunks that load later included, as paths of the project. */
function importedBy(...entries: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const follow = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'))
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue
      follow(relative(ROOT, resolve(ROOT, dirname(file), fileName)))
    }
  }
  entries.forEach(follow)
  return seen
}

describe('compose.yaml', () => {
  type Service = {
    environment: Environment
    env_file?: string
    secrets: string[]
    ports?: string[]
    read_only: boolean
    volumes?: string[]
    tmpfs?: string[]
    networks: string[]
    cap_drop?: string[]
    depends_on?: Record<string, { condition: string }>
    stop_grace_period: string
    healthcheck: { test: string[] }
  }
  const compose = parse(read('compose.yaml')) as {
    services: Record<'signet' | 'database', Service>
    networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>
    volumes: Record<string, unknown>
    secrets: Record<string, { file: string }>
  }
  const { signet, database } = compose.services
  const environment = { ...assignmentsOf(read(signet.env_file ?? '')), ...signet.environment }
  const settings = settingsFrom(environment, {
    '/run/secrets/database_url': SECRETS.database,
    '/run/secrets/signet_secret': SECRETS.secret,
  })

  it('sets what the service reads, and nothing else', () => {
    expect(unknownIn(environment)).toEqual([])
    expect(settings.database).toEqual({ kind: 'postgres', url: SECRETS.database })
  })

  it('gives secrets as files, out of the repository', () => {
    for (const { secrets, environment: own } of [signet, database]) {
      const files = Object.entries(own).filter(([name]) => name.endsWith('_FILE'))
      expect(files.map(([, path]) => path.replace('/run/secrets/', '')).sort()).toEqual([...secrets].sort())
      expect(Object.keys(own).filter((name) => /PASSWORD$|SECRET$|DATABASE_URL$/.test(name))).toEqual([])
    }
    for (const { file } of Object.values(compose.secrets)) {
      expect(file).toMatch(/^secrets\//)
      expect(existsSync(join(FOLDER, file))).toBe(false)
    }
    expect(readFileSync(join(ROOT, '.gitignore'), 'utf8')).toContain('\n/docs/deployment/secrets\n')
  })

  it('publishes the port of users on the machine alone, and believes the proxy of that network', () => {
    expect(signet.ports).toEqual([`127.0.0.1:8080:${String(settings.listen.port)}`])
    expect(database.ports).toBeUndefined()
    expect(settings.trustedProxies).toEqual([compose.networks['front']?.ipam?.config[0]?.subnet])
    expect([signet.networks, database.networks]).toEqual([['front', 'back'], ['back']])
    expect(compose.networks['back']?.internal).toBe(true)
  })

  it('keeps data in a volume alone, and runs the service read-only and without capabilities', () => {
    expect([signet.read_only, database.read_only]).toEqual([true, true])
    expect([signet.tmpfs, signet.volumes, signet.cap_drop]).toEqual([undefined, undefined, ['ALL']])
    expect(database.volumes?.map((volume) => volume.split(':')[0])).toEqual(Object.keys(compose.volumes))
  })

  it('starts the service when the database answers, and asks both for their health', () => {
    expect(signet.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    expect(signet.healthcheck.test.at(-1)).toBe(/fetch\(.*\)/.exec(containerfile)?.[0].replace(/"\]$/, ''))
    expect(database.healthcheck.test).toContain('pg_isready')
  })

  it('lets running requests end', () => {
    expect(Number(/^(\d+)s$/.exec(signet.stop_grace_period)?.[1]) * 1000).toBeGreaterThan(SHUTDOWN_GRACE_MS)
  })
})

describe('kubernetes.yaml', () => {
  type Probe = { httpGet: { path: string; port: string } }
  type Resource = {
    apiVersion: string
    kind: string
    data?: Environment
    spec?: Readonly<Record<string, unknown>>
  }
  const resources = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS({ maxAliasCount: 0 }) as Resource
  })
  const resource = (kind: string): Resource => {
    const found = resources.find((each) => each.kind === kind)
    if (found === undefined) throw new Error(`There is no ${kind}.`)
    return found
  }
  type Container = {
    env?: unknown
    ports: { name: string; containerPort: number }[]
    livenessProbe: Probe
    readinessProbe: Probe
    startupProbe: Probe
    lifecycle: { preStop: { exec: { command: string[] } } }
    volumeMounts: { name: string; mountPath: string }[]
  }
  const deployment = resource('Deployment').spec as {
    replicas: number
    template: {
      metadata: { labels: Environment }
      spec: { terminationGracePeriodSeconds: number; containers: Container[] }
    }
  }
  const { spec: pod, metadata } = deployment.template
  const [container] = pod.containers
  if (container === undefined) throw new Error('There is no container.')
  const environment = resource('ConfigMap').data ?? {}
  const settings = settingsFrom(environment, {
    '/run/secrets/signet/database': SECRETS.database,
    '/run/secrets/signet/secret': SECRETS.secret,
  })

  it('has no key that Kubernetes does not know', () => {
    const groups: Readonly<Record<string, string>> = {
      v1: 'core/v1',
      'apps/v1': 'apps/v1',
      'policy/v1': 'policy/v1',
      'networking.k8s.io/v1': 'networking/v1',
    }
    const program = resources
      .map(
        (each, index) =>
          `import type { ${each.kind} as T${String(index)} } from 'kubernetes-types/${groups[each.apiVersion] ?? ''}'\n` +
          `export const r${String(index)}: T${String(index)} = ${JSON.stringify(each)}\n`,
      )
      .join('')
    expect(typeErrorsOf(program)).toEqual([])
    expect(typeErrorsOf(program.replace('"maxSurge"', '"maxSurges"'))).toEqual([
      expect.stringContaining('maxSurges'),
    ])
  })

  it('sets what the service reads, and nothing else', () => {
    expect(unknownIn(environment)).toEqual([])
    expect(JSON.stringify(resources)).not.toContain(SECRETS.database)
    expect(resources.map(({ kind }) => kind)).not.toContain('Secret')
  })

  it('replaces two replicas one after the other', () => {
    expect(deployment).toMatchObject({
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
    })
    const selector = { matchLabels: metadata.labels }
    expect(resource('PodDisruptionBudget').spec).toEqual({ maxUnavailable: 1, selector })
    expect(resource('Service').spec).toMatchObject({ selector: metadata.labels })
    expect(resource('NetworkPolicy').spec).toMatchObject({ podSelector: selector })
  })

  it('is not root, cannot write, and has no capabilities', () => {
    expect(pod).toMatchObject({
      securityContext: { runAsNonRoot: true },
      automountServiceAccountToken: false,
    })
    expect(container).toMatchObject({
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      },
    })
  })

  it('asks for the health on the internal port, which neither users nor the service of the cluster reach', () => {
    const { livenessProbe, readinessProbe, startupProbe } = container
    const probes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)
    expect(probes).toEqual(['/live', '/live', '/ready'].map((path) => ({ path, port: 'internal' })))
    expect(probes.every(({ path }) => HEALTH_PATHS.includes(path))).toBe(true)
    expect(container.ports).toEqual([
      { name: 'http', containerPort: settings.listen.port },
      { name: 'internal', containerPort: settings.internalListen.port },
    ])
    expect(settings.internalListen.host).toBe('0.0.0.0')
    expect(resource('Service').spec).toMatchObject({ ports: [{ targetPort: 'http' }] })
    expect(resource('NetworkPolicy').spec).toMatchObject({ ingress: [{ ports: [{ port: 'http' }] }, {}] })
  })

  it('waits for the load balancer, and lets running requests end', () => {
    const waitMs = Number(/(\d+)\)/.exec(container.lifecycle.preStop.exec.command.join(' '))?.[1])
    expect(waitMs).toBeGreaterThan(0)
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(waitMs + SHUTDOWN_GRACE_MS)
  })
})

/** The errors of types in a module, one a line, by the types of the project's packages. */
function typeErrorsOf(text: string): string[] {
  const name = join(ROOT, 'resources.ts')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noLib: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
  }
  const files = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (path) => path === name || files.fileExists(path),
    getSourceFile: (path, language) =>
      path === name ? ts.createSourceFile(path, text, language) : files.getSourceFile(path, language),
  }
  const program = ts.createProgram([name], options, host)
  return program
    .getSemanticDiagnostics(program.getSourceFile(name))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

describe('signet.service', () => {
  const lines = read('signet.service').split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))

  it('starts what npm run service starts, with settings that the service takes', () => {
    expect(valuesOf('ExecStart')).toEqual([`/usr/bin/${START}`])
    const environment = {
      ...common,
      ...assignmentsOf(
        valuesOf('Environment')
          .join(' ')
          .replaceAll('%d', '/run/credentials/signet.service')
          .replaceAll(' ', '\n'),
      ),
    }
    expect(unknownIn(environment)).toEqual([])
    const credentials = valuesOf('LoadCredential').map((value) => value.split(':')[0] ?? '')
    const settings = settingsFrom(
      environment,
      Object.fromEntries(
        credentials.map((name) => [
          `/run/credentials/signet.service/${name}`,
          SECRETS[name as keyof typeof SECRETS],
        ]),
      ),
    )
    expect([settings.listen.host, settings.internalListen.host]).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(settings.trustedProxies).toEqual(['127.0.0.1'])
  })

  it('lets running requests end, and does not start again with wrong settings', () => {
    expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(SHUTDOWN_GRACE_MS)
    expect(valuesOf('RestartPreventExitStatus')).toEqual(['2'])
  })

  it('is not root, cannot write, and has no capabilities', () => {
    for (const [name, value] of [
      ['DynamicUser', 'yes'],
      ['ProtectSystem', 'strict'],
      ['NoNewPrivileges', 'yes'],
      ['CapabilityBoundingSet', ''],
    ] as const)
      expect(valuesOf(name), name).toEqual([value])
    expect(valuesOf('ReadWritePaths')).toEqual([])
  })
})

describe('nginx.conf', () => {
  const text = read('nginx.conf').replace(/#.*$/gm, '')
  const valueOf = (name: string) => new RegExp(`\\b${name} +([^;]+);`).exec(text)?.[1]

  it('leads to the port of users that the unit sets, and to no other', () => {
    expect(text.match(/127\.0\.0\.1:\d+/g)).toEqual(['127.0.0.1:8080'])
    expect(read('signet.service')).toContain('SIGNET_LISTEN=127.0.0.1:8080')
  })

  it('has limits above those of the service', () => {
    expect(Number(/^(\d+)m$/.exec(valueOf('client_max_body_size') ?? '')?.[1]) * 1024 * 1024).toBeGreaterThan(
      LARGE_BODY_BYTES,
    )
    // Node refuses headers of more than 16 kB.
    expect(valueOf('large_client_header_buffers')).toBe('4 32k')
  })

  it('says who the client is in place of what the client says, and adds no header to an answer', () => {
    expect(text).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(text).not.toMatch(/add_header|proxy_hide_header|auth_basic|proxy_add_x_forwarded_for/)
  })

  it('logs nothing of links that count clicks and of cards, and passes them on as all else', () => {
    expect([LINK_PATH, CARD_PATH]).toEqual(['/go/', '/card/'])
    const locations = [...text.matchAll(/location ([^{]+) \{([^}]*)\}/g)].map(([, of = '', inside = '']) => [
      of,
      inside
        .trim()
        .split(/\s*;\s*/)
        .filter(Boolean),
    ])
    expect(locations).toEqual([
      ['/', ['proxy_pass http://signet']],
      ['~ ^/(go|card)/', ['access_log off', 'proxy_pass http://signet']],
    ])
  })
})
