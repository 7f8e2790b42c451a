// Which folder may import which. Imports of types count: a module depends on the shapes that it uses. Every cycle is
// forbidden, also one of types only.

const { readdirSync, readFileSync } = require('node:fs')
const path = require('node:path')

const SHIPPING = '^(src|streams|effects|views)/'
/** Programs of a developer's machine: they may use development dependencies. */
const NOT_SHIPPED = '^src/(playground|identityProvider|build)/|^src/service/demonstration/'

const UNNAMED = '(^|/)(utils?|helpers?|common|misc)[./]'

/** The entry points: scripts of pages, workers named by `new URL`, programs started by their path, npm scripts, plugins, aliases. */
function findEntries() {
  const { alias, bin, programs, scripts } = require('./package.json')
  const found = JSON.stringify([scripts, alias]).match(/\bsrc\/[\w./-]+\.(?:tsx?|mjs)\b/g)
  found.push(...Object.values(bin), ...programs.shipped, ...programs.development)
  for (const name of readdirSync(path.join(__dirname, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(html|tsx?)$/.test(name)) continue
    const file = path.posix.join('src', name.replaceAll('\\', '/'))
    const text = readFileSync(path.join(__dirname, file), 'utf8')
    for (const [, target] of text.matchAll(/(?:<script[^>]* src="|new URL\(')(\.[^'"]+\.tsx?)['"]/g))
      found.push(path.posix.join(path.posix.dirname(file), target))
    for (const [, target] of text.matchAll(/'(src\/[^']+\.(?:tsx?|mjs))'/g)) found.push(target)
  }
  const parcel = readFileSync(path.join(__dirname, '.parcelrc'), 'utf8')
  for (const [, plugin] of parcel.matchAll(/"\.\/(src\/[^"]+)"/g)) found.push(plugin)
  return found.map((file) => `^${file.replaceAll('.', '\\.')}$`)
}

const entries = findEntries()

/** The packages that an npm import may resolve to, with their types. */
const packages = (...names) => `node_modules/(@types/)?(${names.join('|')})/`

/** SHA-256 without `crypto.subtle`, which classic Outlook lacks. */
const SEALING = packages('ohash')

const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
})

/** Which wings of streams/ each of them imports, besides itself. */
const wings = (allowed) =>
  Object.entries(allowed).map(([wing, others]) =>
    only(
      `wing-${wing}`,
      `^streams/${wing}/`,
      [`^streams/(${[wing, ...others].join('|')})/`, packages('rxjs'), ...(wing === 'html' ? [SEALING] : [])],
      `streams/${wing} imports ${['rxjs', ...others].join(', ')}.`,
    ),
  )

module.exports = {
  forbidden: [
    only(
      'streams-are-pure',
      '^streams/',
      ['^streams/', packages('rxjs'), SEALING],
      'streams/ imports streams/, rxjs, and SHA-256 for recipient lists.',
    ),
    only(
      'effects-know-ports',
      '^effects/',
      ['^streams/', '^effects/', packages('rxjs')],
      'effects/ imports streams/, effects/ and rxjs; all I/O goes through ports.',
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
        // The editor of templates, a chunk of its own.
        packages('@codemirror/[a-z-]+', '@lezer/highlight'),
      ],
      'views/ draws the state and records gestures: it imports streams/, views/, rxjs and packages for drawing.',
    ),
    ...wings({
      kernel: [],
      html: ['kernel'],
      organisation: ['kernel', 'html'],
      wire: ['kernel', 'html', 'organisation'],
      message: ['kernel', 'html', 'wire'],
      launch: ['kernel', 'html', 'wire', 'message'],
      pane: ['kernel', 'html', 'wire', 'message', 'launch'],
      administration: ['kernel', 'html', 'organisation', 'wire'],
    }),
    {
      name: 'launch-loads-nothing-of-the-pane',
      comment: 'Pane and launch events share message; of the pane, effects take types alone.',
      severity: 'error',
      from: { path: '^((streams|effects)/(message|launch)|src/launch)/' },
      to: { path: '^((streams|effects)/pane|views)/', dependencyTypesNot: ['type-only'] },
    },
    only(
      'engine-draws-nothing',
      '^src/engine/',
      [
        '^(streams|effects|src/engine)/',
        '^node_modules/(?!(@types/)?(react|react-dom|react-router|react-router-dom|react-i18next|i18next|observable-hooks)/)',
      ],
      'The engine imports no program, no view, no React and no i18n.',
    ),
    {
      name: 'engine-before-screen',
      comment:
        'What inserts is loaded first: React, the texts and the views come with the chunk of src/pane/screen. Types are no code.',
      severity: 'error',
      from: { path: '^src/(engine|pane/(?!screen/))' },
      to: {
        path: [
          '^src/pane/screen/',
          '^views/',
          packages('react', 'react-dom', 'react-router', 'react-router-dom', 'i18next', 'react-i18next'),
          packages('observable-hooks'),
        ],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'administration-stays-apart',
      comment:
        'The administration page is a program of its own: what the pane and the launch events load has nothing of it.',
      severity: 'error',
      from: { path: '^(src|streams|effects|views)/(?!administration/)', pathNot: '^src/playground/' },
      to: { path: '^(src|streams|effects|views)/administration/' },
    },
    {
      name: 'administration-knows-no-pane',
      comment: 'It has its own state, its own texts and its own views: with the pane it shares views/shared.',
      severity: 'error',
      from: { path: '^((streams|effects|views)/administration|views/shared)/' },
      to: {
        path: ['^streams/(message|pane|launch)/', '^views/pane/'],
      },
    },
    {
      name: 'no-program-imports-another',
      comment:
        'Each folder of src/ is a program, or shared by programs. Only the playground runs the others.',
      severity: 'error',
      from: { path: '^src/(?!playground/|cli/|service/|adopt/)([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/($1|engine|programs|server|values)/' },
    },
    {
      name: 'no-program-imports-another',
      comment:
        'The service and what adopts signatures read folders; the command runs what the service runs, too.',
      severity: 'error',
      from: { path: '^src/adopt/' },
      to: { path: '^src/', pathNot: '^src/(adopt|folder|programs|server|values)/' },
    },
    {
      name: 'no-program-imports-another',
      severity: 'error',
      from: { path: '^src/service/' },
      to: { path: '^src/', pathNot: '^src/(service|adopt|folder|programs|server|values)/' },
    },
    {
      name: 'no-program-imports-another',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/', pathNot: '^src/(cli|service|adopt|folder|programs|server|values)/' },
    },
    {
      name: 'reducers-are-independent',
      comment: "A reducer imports no other domain's reducer; the root of a program combines them.",
      severity: 'error',
      from: { path: '^streams/([^/]+/[^/]+)/reducer\\.ts$' },
      to: {
        path: ['^streams/[^/]+/[^/]+/reducer\\.ts$', '^streams/(?!organisation)[^/]+/state\\.ts$'],
        pathNot: '^streams/$1/',
      },
    },
    only(
      'service-stands-alone',
      '^src/(service|cli|folder|adopt)/',
      [
        '^src/(service|cli|folder|adopt|programs|server|values)/',
        '^streams/(organisation|wire|kernel|html)/',
        '^(?!(src|streams|effects|views|tests)/)',
      ],
      'The service is another program than the add-in: it has its own domain, over the same kernel.',
    ),
    {
      name: 'service-is-asynchronous-code',
      comment: 'RxJS is of the add-in: the service awaits promises, and ends its work by signals.',
      severity: 'error',
      from: { path: '^src/(service|cli|folder|adopt)/' },
      to: { path: packages('rxjs') },
    },
    only(
      'values-are-written-alike',
      '^src/values/',
      ['^src/values/', '^streams/(organisation|wire)/', '^(?!(src|streams|effects|views|tests)/)'],
      'What writes values runs in the service, the command and the administration page.',
    ),
    {
      name: 'values-stay-out-of-the-add-in',
      comment: 'The data of phone numbers and addresses is large; the add-in gets rendered html.',
      severity: 'error',
      from: { path: '^(src/(engine|launch|pane)|streams|effects|views)/' },
      to: { path: '^src/values/' },
    },
    {
      name: 'programs-need-no-package',
      comment: 'What starts a program is there before any package is; esbuild is loaded only to compile.',
      severity: 'error',
      from: { path: '^src/programs/' },
      to: { path: '.', pathNot: ['^src/programs/', '^node_modules/esbuild/', '^(node:)?[a-z_/]+$'] },
    },
    only(
      'simulations-stand-alone',
      '^src/(identityProvider|server)/',
      [
        '^src/(service|identityProvider|server)/',
        '^streams/(wire/.*|kernel/(steps|progress|schema|limits|failure))\\.ts$',
        '^(?!(src|streams|effects|views|tests)/)',
      ],
      "The identity provider simulates another program. It shares no code with the add-in, and their server only the languages, the address of Microsoft's library, and how work is done in steps.",
    ),
    {
      name: 'no-imports-of-tests',
      severity: 'error',
      from: { path: SHIPPING },
      to: { path: '^tests/' },
    },
    {
      name: 'no-dev-dependency-ships',
      comment: 'A package that runs in the pane, the service or the command line is in dependencies.',
      severity: 'error',
      from: { path: SHIPPING, pathNot: NOT_SHIPPED },
      to: {
        dependencyTypes: ['npm-dev'],
        pathNot: ['node_modules/@types/'],
      },
    },
    {
      name: 'packages-are-declared',
      comment: 'Every imported package is in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-resolve',
      comment: 'Every import resolves to a file.',
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
      comment:
        'Every shipping file is reachable from an entry point: a page, a worker or a script of package.json.',
      severity: 'error',
      from: { path: entries },
      to: { path: SHIPPING, pathNot: ['\\.d\\.m?ts$', ...entries], reachable: false },
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
