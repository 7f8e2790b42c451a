// The project's lint rules. .dependency-cruiser.cjs decides which folder may import which; the tsconfig.json of
// streams/ and effects/ excludes the globals of the browser and of Node; eslint.config.js has the rules that ask for the
// type of a stream. Every exception is here, with its reason: no file has one of its own (tests/runner/lint.unit.test.ts).

/** Rules by their names, as errors. */
const errors = (plugin, names) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [plugin + name, 'error']),
  )

const mistakes = errors(
  '',
  `
    constructor-super for-direction getter-return no-async-promise-executor no-case-declarations
    no-class-assign no-compare-neg-zero no-cond-assign no-const-assign no-constant-binary-expression
    no-constant-condition no-control-regex no-debugger no-delete-var no-dupe-class-members
    no-dupe-else-if no-dupe-keys no-duplicate-case no-empty no-empty-character-class no-empty-pattern
    no-empty-static-block no-ex-assign no-extra-boolean-cast no-fallthrough no-func-assign
    no-global-assign no-import-assign no-invalid-regexp no-irregular-whitespace no-loss-of-precision
    no-misleading-character-class no-new-native-nonconstructor no-nonoctal-decimal-escape no-obj-calls
    no-prototype-builtins no-redeclare no-regex-spaces no-self-assign no-setter-return
    no-shadow-restricted-names no-sparse-arrays no-this-before-super no-unassigned-vars
    no-unexpected-multiline no-unreachable no-unsafe-finally no-unsafe-negation
    no-unsafe-optional-chaining no-unused-labels no-unused-private-class-members
    no-useless-assignment no-useless-backreference no-useless-catch no-useless-escape no-with preserve-caught-error
    require-yield use-isnan valid-typeof
  `,
)
const typed = {
  ...errors('', 'no-array-constructor no-unused-expressions no-useless-constructor'),
  ...errors(
    'typescript/',
    `
      await-thenable no-array-delete no-base-to-string no-deprecated no-duplicate-enum-values
      no-duplicate-type-constituents no-dynamic-delete no-empty-object-type no-explicit-any
      no-extra-non-null-assertion no-extraneous-class no-floating-promises no-for-in-array no-implied-eval
      no-invalid-void-type no-meaningless-void-operator no-misused-new no-misused-promises
      no-misused-spread no-mixed-enums no-namespace no-non-null-asserted-nullish-coalescing
      no-non-null-asserted-optional-chain no-non-null-assertion no-redundant-type-constituents
      no-require-imports no-this-alias no-unnecessary-boolean-literal-compare no-unnecessary-condition
      no-unnecessary-template-expression no-unnecessary-type-arguments no-unnecessary-type-assertion
      no-unnecessary-type-constraint no-unnecessary-type-conversion no-unsafe-argument
      no-unsafe-assignment no-unsafe-call no-unsafe-declaration-merging no-unsafe-enum-comparison
      no-unsafe-function-type no-unsafe-member-access no-unsafe-return no-unsafe-unary-minus
      no-useless-default-assignment no-wrapper-object-types only-throw-error prefer-as-const
      prefer-literal-enum-member prefer-namespace-keyword prefer-promise-reject-errors
      prefer-reduce-type-parameter prefer-return-this-type related-getter-setter-pairs
      triple-slash-reference unbound-method unified-signatures use-unknown-in-catch-callback-variable
      adjacent-overload-signatures array-type ban-tslint-comment class-literal-property-style
      consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions
      no-confusing-non-null-assertion no-inferrable-types non-nullable-type-assertion-style prefer-find
      prefer-for-of prefer-function-type prefer-includes prefer-regexp-exec
      prefer-string-starts-ends-with no-import-type-side-effects
    `,
  ),
}
const streams = errors(
  'rxjs-x/',
  `
    no-ignored-replay-buffer no-ignored-takewhile-value no-index no-internal
    no-sharereplay-before-takeuntil prefer-root-operators
  `,
)
const components = errors(
  'react/',
  `
    rules-of-hooks exhaustive-deps static-components use-memo preserve-manual-memoization globals refs
    set-state-in-effect error-boundaries purity set-state-in-render incompatible-library
    unsupported-syntax
  `,
)

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

/** Patterns of syntax, in the language of ESLint's selectors. */
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
    selector:
      ':function[async=true], AwaitExpression, ForOfStatement[await=true], ImportExpression, TSTypeReference[typeName.name=/^Promise(Like)?$/]',
    message: 'A promise cannot be cancelled or run in virtual time: answer with an Observable.',
  },
  {
    selector:
      "NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date'], MemberExpression[object.name='Date'][property.name='now']",
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
  message: 'Consume a stream by observable-hooks. Hooks that touch the DOM are in the folders views/*/dom.',
}

const drawing = [
  {
    selector:
      'CallExpression[callee.name=/^use(Layout)?Effect$/] CallExpression[callee.name=/^(set[A-Z]|record$)/]',
    message: 'An effect touches the DOM only (focus, scrolling, dialogs): state comes from a stream.',
  },
  {
    selector:
      "JSXAttribute[name.name='dangerouslySetInnerHTML'], AssignmentExpression > MemberExpression.left[property.name=/^(inner|outer)HTML$/]",
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

const overEachDatabase = {
  selector: 'ImportSpecifier[imported.name=/^(forEachDatabase|DATABASES|DATABASES_AND_POOLER)$/]',
  message: 'To what is above the store all databases are alike: overPostgres, or USUAL_DATABASES.',
}

const syntax = (...patterns) => ['error', ...patterns]

export default {
  plugins: ['eslint', 'typescript', 'react'],
  jsPlugins: ['eslint-plugin-rxjs-x', './tests/runner/syntaxRule.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true, denyWarnings: true, respectEslintDisableDirectives: false },
  env: { builtin: true },
  ignorePatterns: ['dist/', 'coverage/', '.parcel-cache/', '.signet/'],
  rules: { ...mistakes, 'no-unused-vars': 'error' },
  overrides: [
    { files: ['**/*.{js,mjs,cjs}'], rules: { 'no-undef': 'error' } },
    {
      files: ['**/*.cjs'],
      globals: { __dirname: 'readonly', module: 'readonly', require: 'readonly' },
    },
    {
      // Organisations copy it, so that it is a script of Node without packages.
      files: ['docs/pipelines/*.mjs'],
      globals: {
        AbortSignal: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        process: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        ...typed,
        eqeqeq: 'error',
        'no-console': 'error',
        'signet/syntax': syntax(...inEveryFile, named),
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        // An empty string often counts as missing.
        'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/switch-exhaustiveness-check': [
          'error',
          { allowDefaultCaseForExhaustiveSwitch: true, considerDefaultExhaustiveForUnions: true },
        ],
      },
    },
    // Without the deprecated `crossDomain` rxjs adds a header that a service need not allow; it has no successor yet.
    {
      files: ['src/engine/adapters/http.ts'],
      rules: { 'typescript/no-deprecated': 'off' },
    },
    {
      files: ['streams/**/*.ts', 'effects/**/*.ts'],
      rules: {
        'no-restricted-globals': ['error', ...foreignGlobals],
        'signet/syntax': syntax(...inEveryFile, named, ...streamsOnly, subscribing),
        // A `default` must not hide an event: name each, and end with assertNever.
        'typescript/switch-exhaustiveness-check': [
          'error',
          { allowDefaultCaseForExhaustiveSwitch: true, considerDefaultExhaustiveForUnions: false },
        ],
        'no-restricted-imports': restrictedImports(
          [],
          [clockReaders, 'The scheduler comes with Time.'],
          [promiseBridges, 'A promise cannot be cancelled or run in virtual time.'],
        ),
      },
    },
    {
      files: ['views/**/*.{ts,tsx}', 'src/**/*.{ts,tsx}'],
      rules: {
        'signet/syntax': syntax(...inEveryFile, named, ...drawing),
        'no-restricted-imports': restrictedImports([]),
      },
    },
    {
      files: ['views/**/*.{ts,tsx}'],
      excludeFiles: ['views/*/dom/**'],
      rules: { 'no-restricted-imports': restrictedImports([reactEffects]) },
    },
    // Those of React's compiler, too; not its `immutability`: views keep and change a document of the browser.
    { files: ['views/**/*.{ts,tsx}', 'src/**/*.tsx'], rules: components },
    {
      // The one place that subscribes.
      files: ['streams/kernel/store.ts'],
      rules: { 'signet/syntax': syntax(...inEveryFile, named, ...streamsOnly) },
    },
    {
      // For the edges, whose calls are promises.
      files: ['streams/kernel/serial.ts'],
      rules: { 'no-restricted-globals': 'off', 'signet/syntax': syntax(...inEveryFile, named) },
    },
    { files: ['streams/kernel/time.ts'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: ['tests/**/*.{ts,tsx}'],
      rules: {
        'signet/syntax': syntax(...inEveryFile, named, ...honestTests),
        // ESLint has all rules of rxjs for the files that ship (eslint.config.js).
        ...streams,
        'rxjs-x/no-sharereplay': ['error', { allowConfig: true }],
        // A test reads responses without decoding them; it fails when their shape is wrong.
        'typescript/no-non-null-assertion': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/prefer-promise-reject-errors': 'off',
        'typescript/no-base-to-string': 'off',
        'typescript/only-throw-error': 'off',
        'no-unsafe-optional-chaining': 'off',
      },
    },
    // It asks for all that rxjs publishes, so also for what nothing else may use.
    {
      files: ['tests/browser/publishedProbe.ts'],
      rules: { 'typescript/no-deprecated': 'off', 'rxjs-x/no-sharereplay': 'off' },
    },
    {
      files: ['tests/{service,cli,folder,adopt}/**/*.test.ts'],
      // One way through the whole service, and the data of an earlier version.
      excludeFiles: ['tests/service/{http/api,earlierVersion}.int.test.ts', 'tests/service/sql/**'],
      rules: { 'signet/syntax': syntax(...inEveryFile, named, ...honestTests, overEachDatabase) },
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
      rules: { 'signet/syntax': 'off' },
    },
  ],
}
