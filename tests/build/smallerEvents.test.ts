import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')
const module = join(PROJECT, 'src/build/smallerEvents.mjs')
const { withoutFields } = (await import(module)) as { withoutFields: (code: string) => string }

describe('events without fields', () => {
  test.each([
    [
      "import { id, open, orNull as maybe, shape } from '../kernel/field.ts'\nconst item = id('item')\nexport const A = defineEvents('a', { b: fact({ item, at: maybe(open<number>()) }), c: gesture({}) })\n",
      "import { id, open, orNull as maybe, shape } from '../kernel/field.ts'\nconst item = undefined\nexport const A = defineEvents('a', { b: fact(), c: gesture() })\n",
    ],
    ["const one = shape<A>()('a')\n", "const one = shape<A>()('a')\n"],
    [
      "import { shape } from './kernel/field.ts'\nconst one = shape<A>()('a'), two = other(shape<B>()('b'))\n",
      "import { shape } from './kernel/field.ts'\nconst one = undefined, two = other(undefined)\n",
    ],
  ])('have nothing else changed: %j', (code, expected) => {
    expect(withoutFields(code)).toBe(expected)
  })

  test('are those of the files that .parcelrc names, and still declare each event', () => {
    expect(readFileSync(join(PROJECT, '.parcelrc'), 'utf8')).toContain(
      '"streams/{message,launch,pane}/{,*/}events.ts": ["./src/build/smallerEvents.mjs", "..."]',
    )
    const files = ['message', 'launch', 'pane'].flatMap((wing) =>
      readdirSync(join(PROJECT, 'streams', wing), { recursive: true, encoding: 'utf8' })
        .filter((file) => /^(?:\w+\/)?events\.ts$/.test(file))
        .map((file) => join('streams', wing, file)),
    )
    expect(files.length).toBeGreaterThan(15)
    for (const file of files) {
      const code = readFileSync(join(PROJECT, file), 'utf8')
      const smaller = withoutFields(code)
      expect(() => parseAst(smaller, { lang: 'ts' })).not.toThrow()
      const declared = (text: string) => text.match(/\b(?:fact|gesture)\(/g)?.length ?? 0
      expect([file, declared(smaller)]).toEqual([file, declared(code)])
      expect([file, /\b(?:fact|gesture)\([^)]/.test(smaller)]).toEqual([file, false])
    }
  })
})
