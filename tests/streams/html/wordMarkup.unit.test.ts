import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pictureWriter } from '../../../streams/html/markup.ts'
import { cleanComment } from '../../../streams/html/wordMarkup.ts'
import { tokensOf } from '../../../streams/html/tokens.ts'
import { MARKUP_SIGNS } from '../../support/arbitraries.ts'
import { cases } from '../../support/cases.ts'

const write = pictureWriter(undefined)
const clean = (markup: string) => {
  const found = cleanComment(`[if mso]>${markup}<![endif]`, write)
  return found === null ? null : found.slice('[if mso]>'.length, -'<![endif]'.length)
}

describe('a comment for Word', () => {
  test.each([
    '<table width="420" cellpadding="0"><tr><td style="width:420px">',
    '</td></tr></table>',
    '<v:rect xmlns:v="urn:schemas-microsoft-com:vml" fill="true" stroke="f" style="width:120px;height:36px"><v:fill type="frame" src="https://cdn.example/a.png" color="#0a5" /><v:textbox inset="0,0,0,0">',
    '<v:imagedata src="cid:a.png" />',
    '<a href="https://b.example/?a=1&amp;b=2">Caf&eacute; &lt;b&gt;</a>',
    '<style>.signet .mso-only{color:red}</style>',
    '<xml><o:officedocumentsettings><o:allowpng /></o:officedocumentsettings></xml>',
    '<td aria-hidden="true" role="presentation">x</td>',
  ])('keeps %s', (markup) => {
    expect(clean(markup)).toBe(markup)
  })

  test.each([
    ['<a href="java&#115;cript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="java&#115cript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="&Tab;javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="/&bsol;evil.example">x</a>', '<a>x</a>'],
    ['<a href="https://b.example/" href="javascript:alert(1)">x</a>', '<a href="https://b.example/">x</a>'],
    ['<p style="position:&#102;ixed;color:red">x</p>', '<p style="color:red">x</p>'],
    ['<p style="position:/**/fixed">x</p>', '<p>x</p>'],
    ['<style>@\\69mport "https://evil.example";b{color:red}</style>', '<style>.signet b{color:red}</style>'],
    ['<style>b{color:red', null],
    [
      '<p title=">--><img src=x onerror=alert(1)>">x',
      '<p title="&gt;--&gt;&lt;img src=x onerror=alert(1)&gt;">x',
    ],
    ['<p onclick=alert(1) constructor=x __proto__=x>x</p>', '<p>x</p>'],
    ['<p title="a', null],
    ['a <svg><p>b</p></svg> c <script>d</script><template>e</template>', 'a  c '],
    ['a > b < c', 'a &gt; b  c'],
    ['<?xml:namespace prefix = o />x<!DOCTYPE y>', 'x'],
    ['<v:shape o:href="https://evil.example" href="file://evil.example/a">', '<v:shape>'],
    ['<v:fill type="" color="#fff">', '<v:fill color="#fff">'],
    ['<v:fill src="\\\\evil.example\\a.png" color="#fff">', '<v:fill color="#fff">'],
    ['<form action="https://evil.example"><input>x</form>', 'x'],
    ['<p role="dialog" aria-hidden="yes" id="x">x</p>', '<p>x</p>'],
    ['<xml><w:view>Normal</w:view><o:allowpng/></xml>', '<xml><o:allowpng /></xml>'],
    ['<xml><w:worddocument><w:zoom>0</w:zoom></xml><p>x</p>', '<xml></xml><p>x</p>'],
    ['<xml><w:view/><m:mathpr><m:a>1</m:a></m:mathpr></xml>', null],
    [' <xml><o:shapedefaults v:ext="edit"/></xml> ', null],
  ])('%s becomes %s', (markup, expected) => {
    expect(clean(markup)).toBe(expected)
  })

  test.each([
    ['[if !mso]><!', '[if !mso]><!'],
    ['[if !mso]><!-- ', '[if !mso]><!'],
    ['[if !mso]> ', '[if !mso]><!'],
    ['[if (gte mso 9)|(IE)]><br><![endif]', '[if (gte mso 9)|(IE)]><br><![endif]'],
    [' <![endif]', '<![endif]'],
    ['<![ENDIF]', '<![endif]'],
  ])('%j is %j', (comment, expected) => {
    expect(cleanComment(comment, write)).toBe(expected)
  })

  test.each([
    'a remark',
    '[if IE]><p>x</p><![endif]',
    '[if mso]><p>x</p>',
    '[if mso ]x><p>x</p><![endif]',
    '[if mso "]><p>x</p><![endif]',
    `[if mso${' '.repeat(100)}]><p>x</p><![endif]`,
    `[if mso]>${'x'.repeat(31_000)}<![endif]`,
    // Its selectors are written with the class of the wrapper.
    `[if mso]><style>${'a,'.repeat(7_000)}a{color:red}</style><![endif]`,
    '[if mso]><style>a-->b{color:red}</style><![endif]',
    'kept:0',
    '',
  ])('%j is left out', (comment) => {
    expect(cleanComment(comment, write)).toBeNull()
  })

  test('shows pictures by what replaces them, in VML too', () => {
    const pictures = pictureWriter((address) =>
      address === 'https://cdn.example/a.png' ? 'cid:a.png' : null,
    )
    const markup =
      '<v:fill src="https://cdn.example/a.png"><td background="https://cdn.example/a.png" style="background:url(https://cdn.example/a.png)"><a href="https://cdn.example/a.png">'
    expect(cleanComment(`[if mso]>${markup}<![endif]`, pictures)).toBe(
      '[if mso]><v:fill src="cid:a.png"><td background="cid:a.png" style="background:url(cid:a.png)"><a href="https://cdn.example/a.png"><![endif]',
    )
  })

  test('a replacement that is no picture is not written', () => {
    const pictures = pictureWriter(() => 'javascript:alert(1)')
    expect(cleanComment('[if mso]><v:fill src="https://cdn.example/a.png"><![endif]', pictures)).toBe(
      '[if mso]><v:fill><![endif]',
    )
  })
})

const piece = fc.constantFrom(
  ...MARKUP_SIGNS,
  ...[
    '<p ',
    '<a href=',
    '<v:fill src=',
    '<style>',
    '</style>',
    '<script>',
    '</script>',
    '<svg>',
    '</svg>',
    '<img ',
  ],
  ...[
    'onerror=alert(1)',
    'style="',
    'javascript:',
    'https://b.example',
    '&#106;',
    '&colon;',
    '&amp;',
    'position:fixed',
  ],
  ...['a', 'b{color:red}', '@import', 'url(', '\\', '\n', '<title>', '<template>', '<plaintext>', '</p>'],
)
const markup = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))

test('for any markup: what is written is clean, stays in its comment, and has only allowed tags', () => {
  fc.assert(
    fc.property(markup, (given) => {
      const comment = cleanComment(`[if mso]>${given}<![endif]`, write)
      if (comment === null) return
      expect(cleanComment(comment, write)).toBe(comment)
      expect(`${comment}x`).not.toMatch(/--!?>|<!--/)
      for (const token of tokensOf(comment.slice('[if mso]>'.length, -'<![endif]'.length))) {
        expect(token.kind).not.toBe('comment')
        if (token.kind === 'open') {
          expect(['p', 'a', 'v:fill', 'style', 'img']).toContain(token.name)
          for (const { name } of token.attributes) expect(['href', 'src', 'style']).toContain(name)
        }
      }
    }),
    cases(500),
  )
})
