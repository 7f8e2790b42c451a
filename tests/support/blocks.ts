/** Blocks for tests, and the demonstration's document with some of them. */
import fc from 'fast-check'
import type { Block, ReleaseDocument } from '../../streams/organisation/release/release.ts'

export const block = (over: Partial<Block> = {}): Block => ({
  id: 'autumn',
  name: 'Autumn fair',
  slot: 'banner',
  template: 'templates/blocks/autumn.html',
  selection: { for: 'everyone', not: [] },
  during: null,
  recipients: 'everyone',
  replies: true,
  share: 100,
  ...over,
})

/** Blocks in three slots in any order, each with its own template or another block's. */
export const someBlocks: fc.Arbitrary<readonly Block[]> = fc
  .array(
    fc.record({
      slot: fc.constantFrom('banner', 'notice', 'award'),
      shared: fc.boolean(),
      replies: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((all) =>
    all.map(({ slot, shared, replies }, index) =>
      block({
        id: `b${String(index)}`,
        name: `Block ${String(index)}`,
        slot,
        replies,
        template: `templates/blocks/${shared ? 'shared' : String(index)}.html`,
      }),
    ),
  )

/** The document with these blocks and a template for each. */
export const withTheseBlocks = (document: ReleaseDocument, blocks: readonly Block[]): ReleaseDocument => ({
  ...document,
  ...(blocks.length > 0 && { blocks }),
  templates: {
    ...document.templates,
    ...Object.fromEntries(blocks.map(({ template, name }) => [template, `<p>${name}</p>`] as const)),
  },
})
