import { Transformer } from '@parcel/plugin'
import { parseAst } from 'rolldown/parseAst'
import { browserOf } from './ownModules.mjs'

// Events without the names of their fields' redactors. Only the log's file reads them, and it has modules of its own.

const FIELDS = /\/kernel\/field\.ts$/
const DECLARE = /^(?:fact|gesture)$/

/** The names that a module imports from `kernel/field.ts`. */
const importedFields = (program) =>
  new Set(
    program.body.flatMap((statement) =>
      statement.type === 'ImportDeclaration' && FIELDS.test(statement.source.value)
        ? statement.specifiers.map(({ local }) => local.name)
        : [],
    ),
  )

/** The innermost function that a call calls: `shape` in `shape<Session>()('session')`. */
const calleeOf = (node) => (node.type === 'CallExpression' ? calleeOf(node.callee) : node)

/** Where the fields of the events in this code stand, in the order of the code. */
function* fieldsIn(node, fields) {
  if (Array.isArray(node)) for (const each of node) yield* fieldsIn(each, fields)
  else if (typeof node === 'object' && node !== null) {
    const { type, name } = node.type === 'CallExpression' ? calleeOf(node) : {}
    if (type === 'Identifier' && fields.has(name)) yield [node.start, node.end, 'undefined']
    else if (type === 'Identifier' && DECLARE.test(name))
      for (const { start, end } of node.arguments) yield [start, end, '']
    else for (const each of Object.values(node)) yield* fieldsIn(each, fields)
  }
}

/** The code of an `events.ts` without fields. */
export function withoutFields(code) {
  const program = parseAst(code, { lang: 'ts' })
  let rest = ''
  let from = 0
  for (const [start, end, instead] of fieldsIn(program, importedFields(program))) {
    rest += code.slice(from, start) + instead
    from = end
  }
  return rest + code.slice(from)
}

export default new Transformer({
  async transform({ asset }) {
    const isOfLog = [asset.env.engines.browsers ?? []].flat().includes(browserOf('logFile.ts'))
    if (!isOfLog) asset.setCode(withoutFields(await asset.getCode()))
    return [asset]
  },
})
