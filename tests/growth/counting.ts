import { join, sep } from 'node:path'
import type { Plugin } from 'vitest/config'

/** The code whose steps are counted: the project's own, and the parsers that it reads foreign text with. */
const PROJECT = join(import.meta.dirname, '../..')
const FOLDERS = ['streams', 'effects', 'views', 'src'].map((folder) => join(PROJECT, folder) + sep)
export const COUNTED_PACKAGES = /node_modules\/(?:@csstools\/css-tokenizer|entities|parse5)\//

const isCounted = (id: string): boolean =>
  /\.[cm]?[jt]sx?$/.test(id) && (COUNTED_PACKAGES.test(id) || FOLDERS.some((folder) => id.startsWith(folder)))

type Node = Readonly<{ type: string; start: number; end: number } & Record<string, unknown>>
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const LOOPS = ['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']

/**
 * Counts in `__work.steps` (`work.ts`) each call of a function and each turn of a loop, and what is copied by `...` and
 * into a set or a map.
 */
export function countingWork(): Plugin {
  return {
    name: 'signet-counting-work',
    enforce: 'post',
    transform(code, id) {
      if (!isCounted(id.replace(/\?.*$/, ''))) return null
      const insertions: (readonly [at: number, text: string])[] = []
      const around = ({ start, end }: Node, before: string, after: string) =>
        insertions.push([start, before], [end, after])
      const visit = (node: Node): void => {
        const { body, argument } = node
        if (isNode(body) && (FUNCTIONS.includes(node.type) || LOOPS.includes(node.type))) {
          if (body.type === 'BlockStatement') insertions.push([body.start + 1, '__work.steps++;'])
          else if (LOOPS.includes(node.type)) around(body, '{__work.steps++;', '}')
          else around(body, '(__work.steps++,', ')')
        }
        if (node.type === 'SpreadElement' && isNode(argument)) around(argument, '__work.copied(', ')')
        const [copied] = node.type === 'NewExpression' ? (node['arguments'] as readonly Node[]) : []
        const { callee } = node
        if (copied && isNode(callee) && ['Map', 'Set'].includes(String(callee['name'])))
          around(copied, '__work.copied(', ')')
        for (const part of Object.values(node).flat()) if (isNode(part)) visit(part)
      }
      visit(this.parse(code) as unknown as Node)
      // At one place, what was found inside comes before what ends around it, and after what begins around it.
      let counted = code
      for (const [at, text] of insertions
        .map((insertion, index) => ({ insertion, index }))
        .sort((a, b) => b.insertion[0] - a.insertion[0] || b.index - a.index)
        .map(({ insertion }) => insertion))
        counted = counted.slice(0, at) + text + counted.slice(at)
      return { code: counted, map: null }
    },
  }
}
