import { describe, expect, test } from 'vitest'
import { htmlToText } from '../../../streams/html/text.ts'

describe('the text of html', () => {
  test.each<readonly [string, string]>([
    ['', ''],
    ['a<br>b', 'a\nb'],
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['a<br><br><br><br>b', 'a\n\nb'],
    ['  a  <br>  b  ', 'a\nb'],
    ['<div>a</div><div>b</div>', 'a\nb'],
    ['<div><div>a</div></div>b', 'a\nb'],
    ['<div>a<br></div><div>b</div>', 'a\nb'],
    ['<div>a</div><br><div>b</div>', 'a\n\nb'],
    ['a<hr>b', 'a\nb'],
    ['<blockquote>a</blockquote>b', 'a\nb'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [`<${name}>a</${name}>b`, 'a\nb'] as const),
    ...['ul', 'ol', 'li', 'tr', 'table', 'div'].map((name) => [`a<${name}>b`, 'a\nb'] as const),
    ['<table><tr><td>a</td><td>b</td></tr><tr><th>c</th><th>d</th></tr></table>e', 'a b\nc d\ne'],
    ['<td>a</td><td></td><td>b</td>', 'a b'],
    ['<span>a</span><b>b</b>', 'ab'],
    ['a<!-- b -->c', 'ac'],
    ['<style>a</style>b<script>c</script>', 'b'],
    ['<textarea>a</textarea><xmp>b</xmp>', 'ab'],
    ['a &lt;b&gt;  c\n\td\v&nbsp;e', 'a <b> c d e'],
    ['<img alt="Logo  of&amp; us"><img>', 'Logo of& us'],
  ])('of %j is %j', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })

  test.each([
    ['<a href="https://x.example/">x</a> y', 'x <https://x.example/> y'],
    ['<a href="https://x.example/">see https:// x.example/ there</a>', 'see https:// x.example/ there'],
    ['<a href="mailto:a@x.example">a@x.example</a>', 'a@x.example'],
    ['<a href="MAILTO:a@x.example">a</a>', 'a <a@x.example>'],
    ['<a href="TEL:+1 2">+12</a>', '+12'],
    ['<a href="tel:+1 2">call</a>', 'call <+1 2>'],
    ['<a href="/mailto:a">a</a>', 'a </mailto:a>'],
    ['<a>x</a><a href="">y</a><a href=" ">z</a>', 'xyz'],
    ['<a href="https://x.example/">a', 'a <https://x.example/>'],
    ['x<a href="/a">a<a href="/b">b</a>c', 'xa </a>b </b>c'],
  ])('has the address of a link that its text does not show: %j is %j', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })

  test.each([
    [2_000, 1],
    [2_001, 2],
  ])('has an address of %i characters %i times', (length, times) => {
    const address = `https://x.example/`.padEnd(length, 'a')
    expect(htmlToText(`<a href="${address}">${address}</a>`).split(address)).toHaveLength(times + 1)
  })
})
