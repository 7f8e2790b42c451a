import { describe, expect, it } from 'vitest'
import { createSectionReader } from '../../../src/folder/sections/reader.ts'
import type { Finding } from '../../../src/folder/finding.ts'

describe('the texts of an entry', () => {
  const read = (yaml: string) => {
    const problems: Finding[] = []
    const reader = createSectionReader(yaml, problems)
    const { all } = reader.record(reader.root, ['all'])
    const texts = all ? reader.texts(all, 'all') : []
    return { texts, places: [...reader.places].map(([path, { line }]) => `${path}:${line}`), problems }
  }

  it('are one text or those of a list, each with its place', () => {
    expect(read('all: a')).toEqual({ texts: ['a'], places: ['all.0:1'], problems: [] })
    expect(read('all:\n  - a\n  - b')).toEqual({
      texts: ['a', 'b'],
      places: ['all.0:2', 'all.1:3'],
      problems: [],
    })
  })

  it('are counted without those that are no text', () => {
    const { texts, places, problems } = read('all:\n  - [a]\n  - b')
    expect({ texts, places }).toEqual({ texts: ['b'], places: ['all.0:3'] })
    expect(problems).toMatchObject([{ line: 2, code: 'notText' }])
  })

  it('are findings where they are not allowed', () => {
    const problems: Finding[] = []
    const reader = createSectionReader('', problems)
    const isShort = (text: string) => text.length < 2
    expect(reader.only(['a', 'bb'], reader.root.place, isShort, 'letter')).toEqual(['a'])
    expect(problems).toMatchObject([{ code: 'value', message: '"bb" is not a letter.' }])
  })
})
