import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import rxjsX from 'eslint-plugin-rxjs-x'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'
import typescript from 'typescript'

const { TypeFlags } = typescript

// The project's lint rules. .dependency-cruiser.cjs decides which folder may import which; the tsconfig.json of
// streams/ and effects/ excludes the globals of the browser and of Node. Inline exceptions have no effect: every
// exception is here, with its reason.

/** The event stream for rxjs-x, and the words in event names that mean a write. */
const eventStream = { observable: '^event\\$$' }
const writes = [
  ...[
    'add',
    'added',
    'copy',
    'create',
    'delete',
    'deleted',
    'edit',
    'edited',
    'insert',
    'inserted',
    'insertion',
  ],
  ...[
    'post',
    'put',
    'remove',
    'removed',
    'restore',
    'save',
    'saved',
    'send',
    'sent',
    'set',
    'undo',
    'undone',
  ],
  ...['update', 'updated', 'upload', 'uploaded', 'write', 'written'],
]

const timeOperators = [
  ...['auditTime', 'bufferTime', 'debounceTime', 'delay', 'interval', 'sampleTime', 'throttleTime'],
  ...['timeInterval', 'timeout', 'timeoutWith', 'timer', 'timestamp', 'windowTime'],
]
const clockReaders = ['asyncScheduler', 'asapScheduler', 'animationFrameScheduler', 'animationFrames']
const promiseBridges = ['firstValueFrom', 'lastValueFrom']
const restrictedImports = (paths, ...groups) => [
  'error',
  {
    paths: [
      ...paths,
      {
        name: 'rxjs',
        importNames: timeOperators,
        message: 'Time goes through streams/kernel/time.ts, so that a test or the playground can move it.',
      },
      ...groups.map(([importNames, message]) => ({ name: 'rxjs', importNames, message })),
      { name: 'rxjs/operators', message: "Operators come from 'rxjs'." },
    ],
  },
]

const inEveryFile = [
  {
    selector: "CallExpression[callee.name='shareReplay'] Property[key.name='windowTime']",
    message: 'After the window a late subscriber gets a completion without a value: use createSharing.',
  },
  {
    selector: "CallExpression[callee.name='retry'] Property[key.name='delay'] > Literal",
    message:
      'A delay in milliseconds reads the real clock: give a function that answers with kernel/time.ts.',
  },
  {
    selector: 'Literal[regex.pattern=/\\(\\?<[=!]/], TemplateElement[value.raw=/\\(\\?<[=!]/]',
    message: 'Safari knows a lookbehind from 16.4 on, and a file with one does not load before that.',
  },
]
const named = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Export by name; a default export has another name in every file that imports it.',
}
const streamsOnly = [
  {
    selector: ':function[async=true], AwaitExpression, ForOfStatement[await=true], ImportExpression',
    message: 'A promise cannot be cancelled or run in virtual time: answer with an Observable.',
  },
  {
    selector: 'TSTypeReference[typeName.name=/^Promise(Like)?$/]',
    message: 'A promise cannot be cancelled or run in virtual time: answer with an Observable.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date']",
    message: 'A clock breaks replay: use meta.at, or now(time).',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'A clock breaks replay: use meta.at, or now(time).',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Chance breaks replay: numbers and ids are made at the edge and come with the event.',
  },
]
const subscribing = {
  selector: "CallExpression[callee.property.name='subscribe']",
  message: 'Only the store subscribes: describe the stream and return it.',
}
const foreignGlobals = [
  ...['Promise', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'requestAnimationFrame'],
  ...['performance', 'crypto', 'fetch', 'window', 'document', 'navigator', 'localStorage', 'process'],
].map((name) => ({ name, message: 'streams/ and effects/ know no environment: it comes through a port.' }))

/** An effect of React runs after drawing, so state that it sets draws twice. */
const reactEffects = {
  name: 'react',
  importNames: ['useEffect', 'useLayoutEffect', 'useInsertionEffect'],
  message: 'Consume a stream by observable-hooks. Hooks that touch the DOM are in views/hooks/dom.',
}

const drawing = [
  {
    selector:
      'CallExpression[callee.name=/^use(Layout)?Effect$/] CallExpression[callee.name=/^(set[A-Z]|record$)/]',
    message: 'An effect touches the DOM only (focus, scrolling, dialogs): state comes from a stream.',
  },
  {
    selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
    message: 'HTML from outside is drawn in the sandboxed preview only.',
  },
  {
    selector: 'AssignmentExpression > MemberExpression.left[property.name=/^(inner|outer)HTML$/]',
    message: 'HTML from outside is drawn in the sandboxed preview only.',
  },
]
const honestTests = [
  {
    selector:
      'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo|skipIf|fails)$/]',
    message: 'Every test runs, everywhere.',
  },
  {
    selector: "MemberExpression[property.name='waitForTimeout']",
    message: 'Wait for what shall happen; a fixed pause depends on the speed of the machine.',
  },
]

/** `$` marks a stream, and nothing else: neither plain data nor a function that makes a stream. */
const dollarMarksStreams = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { missing: 'The name of a stream ends in $.', wrong: 'Only the name of a stream ends in $.' },
  },
  create(context) {
    const { getTypeAtLocation, program } = context.sourceCode.parserServices
    const types = program.getTypeChecker()
    const isStream = (type) =>
      type.isUnionOrIntersection()
        ? type.types.some(isStream)
        : type.symbol?.name === 'Observable' ||
          ((type.target ?? type).isClassOrInterface() &&
            types.getBaseTypes(type.target ?? type).some(isStream))
    const check = (node) => {
      const type = getTypeAtLocation(node)
      if (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.Never)) return
      const marked = node.name.endsWith('$')
      if (isStream(type) !== marked) context.report({ node, messageId: marked ? 'wrong' : 'missing' })
    }
    return Object.fromEntries(
      [
        'VariableDeclarator > Identifier.id',
        ':function > Identifier.params',
        'AssignmentPattern > Identifier.left',
        'ObjectPattern > Property > Identifier.value',
        'ArrayPattern > Identifier',
        ':matches(PropertyDefinition, MethodDefinition)[computed=false] > Identifier.key',
        ':matches(TSPropertySignature, TSMethodSignature)[computed=false] > Identifier.key',
        ':matches(TSFunctionType, TSMethodSignature, TSCallSignatureDeclaration) > Identifier.params',
        'TSParameterProperty > Identifier',
      ].map((selector) => [selector, check]),
    )
  },
}

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '.parcel-cache/', '.signet/']),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { __dirname: 'readonly', module: 'readonly', require: 'readonly' },
    },
  },
  {
    // Organisations copy it, so that it is a script of Node without packages.
    files: ['docs/pipelines/*.mjs'],
    languageOptions: {
      globals: {
        AbortSignal: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        process: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      rxjsX.configs.recommended,
      rxjsX.configs.strict,
    ],
    plugins: { signet: { rules: { 'dollar-marks-streams': dollarMarksStreams } } },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...inEveryFile, named],
      'no-unused-vars': 'off',

      // Both are used: data is a type alias, a port is an interface.
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // There are no enumerations, and classes only for errors; these are two of the slowest rules.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // `return answer(…)` may end a void function; headers are read with brackets, whatever their name.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/dot-notation': 'off',
      // An event without data has the data `{}`.
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An empty string often counts as missing.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // An implementation of an asynchronous interface may have nothing to await.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: true, considerDefaultExhaustiveForUnions: true },
      ],

      'signet/dollar-marks-streams': 'error',
      // Failures are events; an unexpected error shall reach the page's own error handler.
      'rxjs-x/no-ignored-error': 'off',
      'rxjs-x/no-sharereplay': ['error', { allowConfig: true }],
      'rxjs-x/no-unsafe-catch': ['error', eventStream],
      'rxjs-x/no-unsafe-first': ['error', eventStream],
      'rxjs-x/no-unsafe-switchmap': ['error', { ...eventStream, disallow: writes }],
    },
  },
  // Without the deprecated `crossDomain` rxjs adds a header that a service need not allow; it has no successor yet.
  {
    files: ['src/engine/adapters/http.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  // It asks for all that rxjs publishes, so also for what nothing else may use.
  {
    files: ['tests/browser/publishedProbe.ts'],
    rules: {
      '@typescript-eslint/no-deprecated': 'off',
      'rxjs-x/no-floating-observables': 'off',
      'rxjs-x/no-sharereplay': 'off',
      'rxjs-x/no-subject-unsubscribe': 'off',
    },
  },
  // In the pane, only the log writes to the console.
  { files: ['src/engine/adapters/log.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['streams/**/*.ts', 'effects/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...foreignGlobals],
      'no-restricted-syntax': ['error', ...inEveryFile, named, ...streamsOnly, subscribing],
      // A `default` must not hide an event: name each, and end with assertNever.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: true, considerDefaultExhaustiveForUnions: false },
      ],
      '@typescript-eslint/no-restricted-imports': restrictedImports(
        [],
        [clockReaders, 'The scheduler comes with Time.'],
        [promiseBridges, 'A promise cannot be cancelled or run in virtual time.'],
      ),
    },
  },
  {
    files: ['views/**/*.{ts,tsx}', 'src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', ...inEveryFile, named, ...drawing],
      '@typescript-eslint/no-restricted-imports': restrictedImports([]),
    },
  },
  {
    files: ['views/**/*.{ts,tsx}'],
    ignores: ['views/**/hooks/dom/**'],
    rules: { '@typescript-eslint/no-restricted-imports': restrictedImports([reactEffects]) },
  },
  {
    files: ['views/**/*.{ts,tsx}', 'src/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'react-hooks/exhaustive-deps': 'error',
      // For React's compiler, which is not used; views keep and change a document of the browser.
      'react-hooks/immutability': 'off',
    },
  },
  {
    // The one place that subscribes.
    files: ['streams/kernel/store.ts'],
    rules: { 'no-restricted-syntax': ['error', ...inEveryFile, named, ...streamsOnly] },
  },
  {
    // For the edges, whose calls are promises.
    files: ['streams/kernel/serial.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-syntax': ['error', ...inEveryFile, named] },
  },
  { files: ['streams/kernel/time.ts'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
  {
    files: ['tests/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', ...inEveryFile, named, ...honestTests],
      // A test reads responses without decoding them; it fails when their shape is wrong.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      'rxjs-x/no-ignored-default-value': 'off',
      'rxjs-x/no-implicit-any-catch': 'off',
      'rxjs-x/no-nested-subscribe': 'off',
      'rxjs-x/throw-error': 'off',
    },
  },
  {
    // Command-line programs, and the log of the pane.
    files: [
      'src/engine/adapters/log.ts',
      'src/playground/start.ts',
      'src/**/main.ts',
      'tests/{bench,mutation}/**',
    ],
    rules: { 'no-console': 'off' },
  },
  // Tools require a default export.
  {
    files: ['**/vitest.config.ts', 'tests/{browser,service}/setup.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
)
