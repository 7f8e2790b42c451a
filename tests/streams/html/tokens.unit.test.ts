import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributeOf, decodeReferences, tokensOf } from '../../../streams/html/tokens.ts'

/** Each token as its kind and what is written there; a tag with its name and attributes. */
const read = (html: string) =>
  Array.from(tokensOf(html), (token) => {
    const written = html.slice(token.start, token.end)
    if (token.kind === 'close') return `/${token.name}`
    if (token.kind !== 'open') return `${token.kind} ${written}`
    return [token.name, ...token.attributes.map(({ name, value }) => `${name}=${value}`)].join(' ')
  })

const piece = fc.constantFrom(
  ...['<', '</', '>', '<!', '<!--', '-->', '--!>', '-', '!', '?', '/', '=', '"', "'", ' ', '\n', 'a', 'DIV'],
  ...[
    'style',
    '<style>',
    '</style>',
    '<p',
    'id=x',
    '<a href="',
    "<a title='",
    '&lt;',
    '<br/>',
    '😀',
    '<title>',
  ],
)
const markup = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

describe('the tokens of html', () => {
  test.each([
    ['a < b </ c', ['text a < b ', 'comment </ c']],
    ['</', ['text </']],
    ['1<2', ['text 1<2']],
    ['<P>Hi</P >', ['p', 'text Hi', '/p']],
    ['<br/><hr />', ['br', 'hr']],
    ['<a b c = d e=\'f>\' G="h&amp;"i>x', ['a b= c=d e=f> g=h&amp; i=', 'text x']],
    ['<a =b /c/>', ['a =b= c=']],
    ['<a b=/c/>', ['a b=/c/']],
    ['<a b=>x', ['a b=', 'text x']],
    ['<a b="x" b="y">', ['a b=x b=y']],
    ['x<a b="c>', ['text x', 'comment <a b="c>']],
    ['x<a b', ['text x', 'comment <a b']],
    ['<!-- a --><b>', ['comment <!-- a -->', 'b']],
    ['<!--><b>', ['comment <!-->', 'b']],
    ['<!---><b>', ['comment <!--->', 'b']],
    ['<!--a--!><b>', ['comment <!--a--!>', 'b']],
    [
      '<!--[if !mso]><!-->x<!--<![endif]-->',
      ['comment <!--[if !mso]><!-->', 'text x', 'comment <!--<![endif]-->'],
    ],
    ['<!-- <b>', ['comment <!-- <b>']],
    ['<![if !mso]>x<?xml a?></>', ['comment <![if !mso]>', 'text x', 'comment <?xml a?>', 'comment </>']],
    ['<style>a>b{}<b></styles></STYLE x>c', ['style', 'raw a>b{}<b></styles>', '/style', 'text c']],
    ['<title></title>', ['title', '/title']],
    ['<textarea><p>', ['textarea', 'raw <p>']],
  ])('%s are those of the standard', (html, tokens) => {
    expect(read(html)).toEqual(tokens)
  })

  test('cover the text in order and without gaps', () => {
    fc.assert(
      fc.property(markup, (html) => {
        let end = 0
        for (const token of tokensOf(html)) {
          expect(token.start).toBe(end)
          expect(token.end).toBeGreaterThan(token.start)
          end = token.end
          if (token.kind !== 'open') continue
          for (const { name, value, start, valueStart, end: attributeEnd } of token.attributes) {
            expect(html.slice(start, attributeEnd).toLowerCase()).toContain(name)
            expect(html.slice(valueStart, valueStart + value.length)).toBe(value)
          }
        }
        expect(end).toBe(html.length)
      }),
      { numRuns: 500 },
    )
  })

  test('have attributes by name, decoded; the first one counts', () => {
    const [tag] = tokensOf('<a HREF="?x=1&amp;y=&#50;" href="z" title>')
    if (tag?.kind !== 'open') throw new Error('no tag')
    expect(attributeOf(tag, 'href')).toBe('?x=1&y=2')
    expect(attributeOf(tag, 'title')).toBe('')
    expect(attributeOf(tag, 'id')).toBeNull()
  })

  test('have references that are decoded once, and only to characters', () => {
    expect(decodeReferences('&amp;lt; &LT; &#x41;&#66; &copy &unknown;')).toBe('&lt; < AB &copy &unknown;')
    expect(decodeReferences('&#0;&#xD800;&#x110000;&#99999999;')).toBe('&#0;&#xD800;&#x110000;&#99999999;')
  })
})
