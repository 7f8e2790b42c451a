import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_SIGNATURE_CHARACTERS } from '../../../streams/html/limits.ts'
import { MAX_COMMENTS } from '../../../streams/html/wordMarkup.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import { sanitizerContract } from '../../engine/sanitizerContract.ts'
import { brokenMarkup, nastyMarkup } from '../../support/markup.ts'
import { cases } from '../../support/cases.ts'

// What DOMPurify finds in the result is in tests/browser/sanitizer.browser.test.ts.

const sanitize = (html: string) => sanitizeMarkup(html, 'insert')

sanitizerContract('the sanitiser without a document', (html, profile, pictures = {}) =>
  Promise.resolve(sanitizeMarkup(html, profile, (address) => pictures[address] ?? null)),
)

describe('elements are closed where the standard closes them:', () => {
  test.each([
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<p>a<section>b</section>c', '<p>a</p>bc'],
    ['<p>a<section><p>b</section>c', '<p>a</p><p>b</p>c'],
    ['<section><p>a</section>b', '<p>a</p>b'],
    ['<ul><li>a<li>b<ul><li>c</ul></ul>d', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>d'],
    ['<ul><li><div>a<li>b</ul>', '<ul><li><div>a</div></li><li>b</li></ul>'],
    ['<dl><dt>a<dd>b</dl>', '<dl><dt>a</dt><dd>b</dd></dl>'],
    ['<h1>a<h2>b</h3>c', '<h1>a</h1><h2>b</h2>c'],
    ['<h2><a><h2>a</a><h1>b', '<h2><a><h2>a</h2></a></h2><h1>b</h1>'],
    ['<a href="#a">a<a href="#b">b', '<a href="#a">a</a><a href="#b">b</a>'],
    [
      '<table><td>a<td>b<tr><td>c</table>',
      '<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>',
    ],
    [
      '<table><col><tr><td>a</table>',
      '<table><colgroup><col></colgroup><tbody><tr><td>a</td></tr></tbody></table>',
    ],
    [
      '<table><colgroup>\n<col>\n<tbody></table>',
      '<table><colgroup>\n<col>\n</colgroup><tbody></tbody></table>',
    ],
    [
      '<table><table><tr><td><table></table>',
      '<table></table><table><tbody><tr><td><table></table></td></tr></tbody></table>',
    ],
    [
      '<table><caption><p>a<tr><td>b',
      '<table><caption><p>a</p></caption><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    ['<table><tr><td><div>a</table>b</div>', '<table><tbody><tr><td><div>a</div></td></tr></tbody></table>b'],
    ['<table><col><p>a</table>', '<table><colgroup><col></colgroup><p>a</p></table>'],
    ['<table><col>a</table>', '<table><colgroup><col></colgroup>a</table>'],
    ['<body><span>a</body>b</span>c', '<span>ab</span>c'],
    ['<table><tr><td>a</td>b</table>c', '<table><tbody><tr><td>a</td>b</tr></tbody></table>c'],
    ['<table><tr><td>a</tr>b</table>c', '<table><tbody><tr><td>a</td></tr>b</tbody></table>c'],
    ['<table><tbody><tr><td>a</tbody>b</table>', '<table><tbody><tr><td>a</td></tr></tbody>b</table>'],
    ['<table><caption>a</caption>b</table>', '<table><caption>a</caption>b</table>'],
    [
      '<table><tr><td><table></td>a</table>b</table>',
      '<table><tbody><tr><td><table>a</table>b</td></tr></tbody></table>',
    ],
    [
      '<table><tr><td><span>a</table>b</span>c',
      '<table><tbody><tr><td><span>a</span></td></tr></tbody></table>bc',
    ],
    ['<h1><table><tr><td>a</h1>b</table>c', '<h1><table><tbody><tr><td>ab</td></tr></tbody></table>c</h1>'],
    ['<span><span>a</span>b</span>c', '<span><span>a</span>b</span>c'],
    ['<span>a<p>b</span>c</p>d', '<span>a<p>bc</p>d</span>'],
    ['<span><b>a</span>b</b>c', '<span><b>a</b></span><b>b</b>c'],
    ['<b>a<p>b</b>c</p>d', '<b>a<p>bc</p></b>d'],
    ['<p>a</table></td>b</p>', '<p>ab</p>'],
    ['<tr><td>a</td></tr>', 'a'],
    ['a</div></td></table></b></li>', 'a'],
    ['<div><table><tr><td>a</div>b', '<div><table><tbody><tr><td>ab</td></tr></tbody></table></div>'],
    ['</p>a</br>', '<p></p>a<br>'],
    ['<span><p>a</span>b', '<span><p>ab</p></span>'],
  ])('%s', (html, clean) => {
    expect(sanitize(html)).toBe(clean)
  })

  test.each([
    ['<b><i>a</b>b</i>c', '<b><i>a</i></b><i>b</i>c'],
    [
      '<p><font color="red">a</p> <p>b</p></font>c',
      '<p><font color="red">a</font></p><font color="red"> <p>b</p></font>c',
    ],
    ['<b><div>a</b>b</div>c', '<b><div>ab</div></b>c'],
    ['<p><b>a</p></b>c', '<p><b>a</b></p>c'],
    [
      '<table><tr><td><b>a</td><td>b</table>c',
      '<table><tbody><tr><td><b>a</b></td><td>b</td></tr></tbody></table>c',
    ],
    [
      '<p><b>a</p><table><tr><td>b</table>c',
      '<p><b>a</b></p><table><tbody><tr><td>b</td></tr></tbody></table><b>c</b>',
    ],
    ['<p><b>a</p><style>a{color:red}</style>c', '<p><b>a</b></p><style>.signet a{color:red}</style><b>c</b>'],
    ['<div><b><p>a</b></div>c', '<div><b><p>a</p></b></div>c'],
    ['<b><b><div>a</b></b>c</div>d', '<b><b><div>ac</div></b></b>d'],
    ['<p><b>a</p><div></b>c</div>d', '<p><b>a</b></p><div>c</div>d'],
    ['<table><b>a<tr><td>b</table>c', '<table><b>a</b><tbody><tr><td>b</td></tr></tbody></table><b>c</b>'],
  ])('formatting goes on behind its block, and not out of a cell: %s', (html, clean) => {
    expect(sanitize(html)).toBe(clean)
  })

  test('what is deeper than a hundred loses its tags', () => {
    const nested = (depth: number) => `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`
    expect(sanitize(nested(100))).toBe(nested(100))
    expect(sanitize(nested(400))).toBe(nested(100))
  })

  test('formatting in too many blocks ends, and the text stays', () => {
    const clean = sanitize(`<p><font class="${'x'.repeat(1_000)}">` + 'y<p>'.repeat(5_000))
    expect(clean.match(/<font/g)?.length).toBe(30)
    expect(clean.match(/y/g)?.length).toBe(5_000)
  })
})

/** What one character can become at most: a quote, or the tags that a table implies. */
const MAX_GROWTH = 8
/** What is written in any case, or again. */
const MAX_REPEATED = MAX_SIGNATURE_CHARACTERS + 2_000

const begun = fc.constantFrom(
  ...'a b big blockquote code em font h1 i li nobr p s small span strike strong table td tr tt u'.split(' '),
)
const value = fc.constantFrom('&', '"', "'", '<', 'x', '&amp;', 'color:red;', 'https://a.example/?a&b')
const repeated = fc
  .tuple(
    fc.array(fc.tuple(begun, fc.constantFrom('title', 'style', 'href', 'class'), value, fc.nat(300)), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.array(
      fc.oneof(
        begun.map((name) => `<${name}>`),
        begun.map((name) => `</${name}>`),
        value,
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    fc.nat(600),
  )
  .map(([outer, unit, times]) => {
    const open = outer.map(
      ([name, attribute, each, count]) =>
        `<${name} ${attribute}=${each === '"' ? "'" : '"'}${each.replace(/^'$/, '').repeat(count)}${each === '"' ? "'" : '"'}>`,
    )
    return `<p>${open.join('')}</p>${unit.join('').repeat(times)}`
  })

test('what is written is bounded by what is read, whatever the parser would begin again', () => {
  fc.assert(
    fc.property(fc.oneof(repeated, nastyMarkup), (html) => {
      expect(sanitize(html).length).toBeLessThanOrEqual(MAX_GROWTH * html.length + MAX_REPEATED)
    }),
    cases(200, 5_000),
  )
})

test('a style sheet grows by its selectors alone', () => {
  const many = `<style>${'a,'.repeat(9_000)}a{color:red}</style>`
  expect(sanitize(many).length).toBeLessThanOrEqual(MAX_GROWTH * many.length)
  // Longer than a sheet may be.
  expect(sanitize(`<style>${'a,'.repeat(11_000)}a{color:red}</style>`)).toBe('<style></style>')
})

describe('what is written is what is allowed:', () => {
  test.each([
    ['<P CLASS=a Onclick=x>a</P>', '<p class="a">a</p>'],
    ['<p class=a class=b>a</p>', '<p class="a">a</p>'],
    [`<p title='"a"'>a</p>`, '<p title="&quot;a&quot;">a</p>'],
    ['<img alt=" caf&eacute; " src=x>', '<img alt="caf&eacute;">'],
    [
      '<script><p>a</script><svg><p>b</svg><math/><object><object></object>c</object><iframe>d</iframe>e',
      'e',
    ],
    ['a<template>b', 'a'],
    ['<embed src="x">a', 'a'],
    ['<x-y>a</x-y><o:p></o:p>', 'a'],
    ['a < b <3 <', 'a &lt; b &lt;3 &lt;'],
    ['a\0b', 'ab'],
    [
      '&#1044;&#x430; &#233;&#160;&#146;&#60;&#x1F600; &eacute; &#9; &#;',
      'Да é\u00a0&#146;&#60;😀 &eacute; &#9; &#;',
    ],
    [
      '<html><head><style>a{color:red}</style></head><body><p>a</p></body></html>',
      '<style>.signet a{color:red}</style><p>a</p>',
    ],
    ['<style>@import "a"; a{color:red}', '<style> .signet a{color:red}</style>'],
    ['</style>a', 'a'],
    ['<pre>\n\n a</pre>', '<pre> a</pre>'],
    ['<p a="', ''],
  ])('%s', (html, clean) => {
    expect(sanitize(html)).toBe(clean)
  })

  test.each([
    'href="javascript:a()"',
    'href="&#106;avascript:a()"',
    'href="java&Tab;script:a()"',
    'href="https://a.example/?q=caf&eacute;"',
    'href="https://a.example/--&gt;"',
    'style="color:red&semi;position:fixed"',
    'style="background:url(&#106;avascript:a())"',
    'title="--&gt;"',
    'title="--&gt"',
    'title="&rsqb;>"',
    'title="&lt;/style"',
    'title="a/>"',
    'role="dialog"',
    'id="a-1"',
    'target="_blank"',
  ])('an attribute is left out: %s', (attribute) => {
    expect(sanitize(`<a ${attribute} lang="en">a</a>`)).toBe('<a lang="en">a</a>')
  })

  test.each([
    ["href='https://a.example/?a=1&b=2&amp;c'", 'href="https://a.example/?a=1&amp;b=2&amp;c"'],
    ['style="font-family:&quot;A B&quot;"', 'style="font-family:&quot;A B&quot;"'],
    ['title="R&amp;D &lt; &copy;"', 'title="R&amp;D &lt; &copy;"'],
  ])('an attribute is kept: %s', (attribute, written) => {
    const clean = sanitize(`<a ${attribute}>a</a>`)
    expect(clean).toBe(written.includes('&copy;') ? '<a>a</a>' : `<a ${written}>a</a>`)
  })

  test('an id stays where a link leads to it, also a link behind it, unless a property may have its name', () => {
    const html = '<p id="a-1">a</p><a name="b2">b</a><a href="#a-1">a</a><a href="#b2">b</a>'
    expect(sanitize(html)).toBe(html)
    expect(sanitize('<p id="title">a</p><p id="x_1">b</p><a href="#title">a</a><a href="#x_1">b</a>')).toBe(
      '<p>a</p><p>b</p><a href="#title">a</a><a href="#x_1">b</a>',
    )
    expect(sanitize('<p name="a-1">a</p><a href="#a-1">a</a>')).toBe('<p>a</p><a href="#a-1">a</a>')
    expect(sanitize('<svg><a href="#a-1">a</a></svg><p id="a-1">a</p>')).toBe('<p>a</p>')
  })

  test('comments stay where Word reads them, and only so many', () => {
    const comment = '<!--[if mso]><br><![endif]-->'
    expect(sanitize(`a<!-- b -->${comment}<![if !mso]><?c?>`)).toBe(`a${comment}`)
    expect(sanitize(comment.repeat(MAX_COMMENTS + 1))).toBe(comment.repeat(MAX_COMMENTS))
    for (const unclosed of ['<!ab<![endif]', '<a b<![endif]']) expect(sanitize(unclosed)).toBe('')
    expect(sanitizeMarkup(comment, 'preview')).toBe('')
    expect(sanitize(`<p>&lt;b ${comment}</p><p>&lt; b ${comment}</p><p>&lt;b<br>${comment}</p>`)).toBe(
      `<p>&lt;b </p><p>&lt; b ${comment}</p><p>&lt;b<br>${comment}</p>`,
    )
    expect(sanitize(`&lt;b ${comment}`)).toBe('&lt;b ')
    expect(sanitize(`&lt;b ${comment}<br>`)).toBe(`&lt;b ${comment}<br>`)
  })
})

test('sanitising the result changes nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(brokenMarkup, nastyMarkup),
      fc.constantFrom('insert' as const, 'preview' as const),
      (html, profile) => {
        const clean = sanitizeMarkup(html, profile)
        expect(sanitizeMarkup(clean, profile)).toBe(clean)
      },
    ),
    cases(200, 10_000),
  )
})

test('sanitising for a message first does not change a preview', () => {
  fc.assert(
    fc.property(fc.oneof(brokenMarkup, nastyMarkup), (html) => {
      expect(sanitizeMarkup(html, 'preview')).toBe(sanitizeMarkup(sanitizeMarkup(html, 'insert'), 'preview'))
    }),
    cases(200, 10_000),
  )
})
