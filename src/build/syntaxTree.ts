import type { AnyNode } from 'acorn'

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The nodes directly below a node of a syntax tree. */
export const childrenOf = (node: AnyNode): readonly AnyNode[] => Object.values(node).flat().filter(isNode)
