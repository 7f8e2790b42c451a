import { expect, test } from 'vitest'
import { contentPartsOf } from '../../../streams/html/parts.ts'

test.each([
  ['', {}],
  ['abc', { text: 3 }],
  ['<p>a</p>', { markup: 7, text: 1 }],
  ['<p>abcdefgh</p>', { text: 8, markup: 7 }],
  ['<!--abcd-->a', { comments: 11, text: 1 }],
  ['<style>ab</style>', { styles: 17 }],
  ['<title>ab</title>', { markup: 15, text: 2 }],
  ['<p style="a" id="b">', { markup: 11, styles: 9 }],
  ['<img src="data:image/png;base64,AAAA">', { pictures: 26, markup: 12 }],
  ['<p style="background:url(data:image/png;base64,AAA)">', { pictures: 25, styles: 24, markup: 4 }],
])('the parts of %s are %o, the largest first', (html, sizes) => {
  expect(contentPartsOf(html)).toEqual(
    Object.entries(sizes).map(([part, characters]) => ({ part, characters })),
  )
})
