import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readingPages } from '../../../src/service/sql/pages.ts'
import { cases } from '../../support/cases.ts'

it('pages have every item once, in its order, and no page is asked for after the last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(12), fc.integer({ min: 1, max: 5 }), async (count, limit) => {
      const all = Array.from({ length: count }, (_, index) => String(index).padStart(2, '0'))
      const asked: (string | null)[] = []
      const read = async (after: string | null, most: number) => {
        asked.push(after)
        return all.filter((each) => after === null || each > after).slice(0, most)
      }
      const pages: (readonly string[])[] = []
      for await (const page of readingPages(read, limit, (each) => each)) pages.push(page)
      expect(pages.flat()).toEqual(all)
      expect(pages.every(({ length }) => length > 0 && length <= limit)).toBe(true)
      expect(asked).toEqual([
        null,
        ...pages.filter(({ length }) => length === limit).map((page) => page.at(-1)),
      ])
    }),
    cases(100),
  )
})
