import { describe, expect, test } from 'vitest'
import { blocksText, blockText } from '../../../views/pane/text/blocks.ts'
import type { Translate } from '../../../views/pane/text/texts.ts'
import { candidate } from '../../support/state.ts'
import { englishTexts } from '../drawing.tsx'

const texts = englishTexts()
const t: Translate = (key, values) => texts.t(key, { ...values })

describe('[BLOCK-11] why a block stands in a message', () => {
  test.each([
    ['a block for the whole organisation', {}, 'for everyone'],
    ['a block for some people', { everyone: false }, 'for you'],
    [
      'a block for recipients outside',
      { audiences: ['!northwind.example'] },
      'for everyone, because a recipient is outside your organisation',
    ],
    [
      'a block for recipients in one domain',
      { audiences: ['a.example'] },
      'for everyone, because all recipients are in a.example',
    ],
    [
      'a block for recipients in several domains',
      { audiences: ['a.example', 'b.example', 'c.example'] },
      'for everyone, because all recipients are in a.example, b.example, or c.example',
    ],
    ['a block that is not in replies', { replies: false }, 'for everyone, not in replies'],
    [
      'a block that has all of these',
      {
        everyone: false,
        audiences: ['a.example', '!b.example'],
        replies: false,
        closes: new Date(2026, 9, 20).getTime(),
      },
      'for you, because a recipient is outside your organisation, because all recipients are in a.example, ' +
        'not in replies, until Oct 19, 2026',
    ],
  ])('%s', (_, over, why) => {
    expect(blockText(candidate(over), t)).toBe(`Autumn banner: ${why}`)
  })

  test.each([
    ['at midnight, stands until the day before', new Date(2026, 10, 1), 'Oct 31, 2026'],
    ['within a day, stands until this day', new Date(2026, 10, 1, 12), 'Nov 1, 2026'],
  ])('a block whose period ends %s', (_, closes, last) => {
    expect(blockText(candidate({ closes: closes.getTime() }), t)).toBe(
      `Autumn banner: for everyone, until ${last}`,
    )
  })
})

test('the blocks of a signature are told by their names, in the order of its slots', () => {
  expect(blocksText([], t)).toBeNull()
  expect(blocksText([candidate()], t)).toBe('With: Autumn banner')
  expect(blocksText([candidate({ name: 'Winter' }), candidate({ name: 'Award' })], t)).toBe(
    'With: Winter, Award',
  )
})
