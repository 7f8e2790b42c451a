// Which part of the house may import which. Imports of types count as imports: who knows a shape depends on it.
// Every cycle is forbidden, one of types alone included.

const { readdirSync, readFileSync } = require('node:fs')
const path = require('node:path')

const SHIPPING = '^(src|streams|effects|views)/'
/** Programs that never run in a pane: they may use what is only installed for developing. */
const NOT_SHIPPED = '^src/(playground|service|identityProvider|server|build)/'

const UNNAMED = '(^|/)(utils?|helpers?|common|misc)[./]'

/** Where running begins: scripts of pages, workers named by `new URL`, programs started by their path, npm scripts. */
function findEntries() {
  const found = JSON.stringify(require('./package.json').scripts).match(/\bsrc\/[\w./-]+\.tsx?\b/g)
  for (const name of readdirSync(path.join(__dirname, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(html|tsx?)$/.test(name)) continue
    const file = path.posix.join('src', name.replaceAll('\\', '/'))
    const text = readFileSync(path.join(__dirname, file), 'utf8')
    for (const [, target] of text.matchAll(/(?:<script[^>]* src="|new URL\(')(\.[^'"]+\.tsx?)['"]/g))
      found.push(path.posix.join(path.posix.dirname(file), target))
    for (const [, target] of text.matchAll(/'(src\/[^']+\.tsx?)'/g)) found.push(target)
  }
  return found.map((file) => `^${file.replaceAll('.', '\\.')}$`)
}

const entries = findEntries()

/** The packages that an npm import may resolve to, with the types that stand in for them. */
const packages = (...names) => `node_modules/(@types/)?(${names.join('|')})/`

const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
})

module.exports = {
  forbidden: [
    only(
      'streams-are-pure',
      '^streams/',
      ['^streams/', packages('rxjs')],
      'streams/ imports streams/ and rxjs.',
    ),
    only(
      'effects-know-ports',
      '^effects/',
      ['^streams/', '^effects/', packages('rxjs')],
      'effects/ imports streams/, effects/ and rxjs; what does the work comes through a port.',
    ),
    only(
      'views-draw',
      '^views/',
      [
        '^streams/',
        '^views/',
        packages(
          'rxjs',
          'react',
          'react-dom',
          'react-router',
          'react-router-dom',
          'i18next',
          'react-i18next',
        ),
        packages('observable-hooks'),
      ],
      'views/ records what the person did and draws what is: streams/, views/ and what draws.',
    ),
    only(
      'kernel-knows-no-domain',
      '^streams/kernel/',
      ['^streams/kernel/', packages('rxjs')],
      'The kernel serves every domain.',
    ),
    only(
      'engine-draws-nothing',
      '^src/engine/',
      [
        '^(streams|effects|src/engine)/',
        '^node_modules/(?!(@types/)?(react|react-dom|react-router|react-router-dom|react-i18next|i18next|observable-hooks)/)',
      ],
      'The engine imports no program and nothing that draws.',
    ),
    {
      name: 'no-program-imports-another',
      comment:
        'Each folder of src/ is a program, or what programs stand on. Only the playground runs the others.',
      severity: 'error',
      from: { path: '^src/(?!playground/)([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/($1|engine|server)/' },
    },
    {
      name: 'reducers-do-not-meet',
      comment: "A domain's reducer knows other domains by their events; the reducers meet in streams/app.",
      severity: 'error',
      from: { path: '^streams/(?!app/)([^/]+)/reducer\\.ts$' },
      to: {
        path: ['^streams/[^/]+/reducer\\.ts$', '^streams/app/(?!(events|load)\\.ts$)'],
        pathNot: '^streams/$1/',
      },
    },
    only(
      'service-stands-alone',
      '^src/(service|identityProvider|server)/',
      ['^src/(service|identityProvider|server)/', '^(?!(src|streams|effects|views|tests)/)'],
      'The service and the identity provider play other programs: they share no code with the add-in.',
    ),
    {
      name: 'nobody-imports-tests',
      severity: 'error',
      from: { path: SHIPPING },
      to: { path: '^tests/' },
    },
    {
      name: 'nobody-ships-tools',
      comment: 'What runs in the pane is a dependency. Icons are files that the bundler inlines.',
      severity: 'error',
      from: { path: SHIPPING, pathNot: NOT_SHIPPED },
      to: {
        dependencyTypes: ['npm-dev'],
        pathNot: ['node_modules/@types/', packages('@fluentui/svg-icons')],
      },
    },
    {
      name: 'declared',
      comment: 'Every package that is imported stands in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'found',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'named-by-the-domain',
      comment: 'A file is named by what it is about.',
      severity: 'error',
      from: {},
      to: { path: UNNAMED, pathNot: 'node_modules' },
    },
    {
      name: 'named-by-the-domain',
      comment: 'A file is named by what it is about.',
      severity: 'error',
      from: { path: UNNAMED },
      to: {},
    },
    {
      name: 'no-orphans',
      comment: 'Every shipping file is reached from a page, a worker or a script of package.json.',
      severity: 'error',
      from: { path: entries },
      to: { path: SHIPPING, pathNot: ['\\.d\\.ts$', ...entries], reachable: false },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|\\.parcel-cache|\\.signet)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'node', 'default', 'types'],
    },
  },
}
