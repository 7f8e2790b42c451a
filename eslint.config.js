import rxjsX from 'eslint-plugin-rxjs-x'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'
import typescript from 'typescript'

// The rules that ask for the type of a stream, which rules of the other linter (oxlint.config.mjs) cannot.

const { TypeFlags } = typescript

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
  globalIgnores(['**/*.{js,mjs,cjs}', 'dist/', 'coverage/', '.parcel-cache/', '.signet/', 'tests/']),
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'rxjs-x': rxjsX, signet: { rules: { 'dollar-marks-streams': dollarMarksStreams } } },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...rxjsX.configs.strict.rules,
      'signet/dollar-marks-streams': 'error',
      // Failures are events; an unexpected error shall reach the page's own error handler.
      'rxjs-x/no-ignored-error': 'off',
      'rxjs-x/no-sharereplay': ['error', { allowConfig: true }],
      'rxjs-x/no-unsafe-catch': ['error', eventStream],
      'rxjs-x/no-unsafe-first': ['error', eventStream],
      'rxjs-x/no-unsafe-switchmap': ['error', { ...eventStream, disallow: writes }],
    },
  },
)
