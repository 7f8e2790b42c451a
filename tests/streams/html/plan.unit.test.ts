import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentHash } from '../../../streams/html/hash.ts'
import { MAX_SIGNATURE_CHARACTERS, MAX_HTML_CHARACTERS, MAX_TAGS } from '../../../streams/html/limits.ts'
import { IMAGE_PREFIX, MAX_MARK_CHARACTERS, planInsertion } from '../../../streams/html/plan.ts'
import { htmlToText } from '../../../streams/html/text.ts'
import { tooLargeError } from '../../../streams/html/parts.ts'
import type { ChosenContent } from '../../../streams/message/insertion/rules.ts'
import { showsImages, type SignatureImage } from '../../../streams/html/content.ts'
import { asIs } from '../../support/sanitize.ts'
import { image, PNG } from '../../support/state.ts'

const CDN = 'https://cdn.example/img'
const chosen = (html: string, images: readonly SignatureImage[] = []): ChosenContent => ({
  name: 'Standard',
  combinedIds: 'c-1',
  html,
  images,
  reason: { origin: 'manual', composeType: 'newMail', reply: false },
})

const MARK = 'm'.repeat(MAX_MARK_CHARACTERS)
function planned(html: string, images: readonly SignatureImage[] = [], taken: readonly string[] = []) {
  const plan = planInsertion(chosen(html, images), 'html', taken, asIs)
  if (plan.kind !== 'ready') throw new Error('too large')
  return plan
}
const img = (url: string) => `<img src="${url}">`
const names = (html: string, images: readonly SignatureImage[], taken: readonly string[] = []) =>
  planned(html, images, taken).images.map(({ name }) => name)
/** The content of the wrapper. */
const inside = (content: string) => /^<div [^>]*>(.*)<\/div>$/s.exec(content)?.[1]

describe('the images of a planned insertion', () => {
  test('[INS-2] are named lsi-attach plus the last segment of the path, without query and fragment', () => {
    const url = `${CDN}/deep/logo.png?v=2&s=a/b.gif#top/x.jpg`
    const { images, content } = planned(img(url), [image(url)])
    expect(images).toEqual([{ name: 'lsi-attachlogo.png', url, content: PNG }])
    expect(inside(content)).toBe('<img src="cid:lsi-attachlogo.png">')
  })

  test.each([
    [`${CDN}/`, 'lsi-attachimage'],
    [`${CDN}/?x=1`, 'lsi-attachimage'],
    [`${CDN}/a%20b(1).png`, 'lsi-attacha-20b-1-.png'],
    [`${CDN}/ünïcode.png`, 'lsi-attach-n-code.png'],
  ])('[INS-2] %s becomes %s, fit for a content id', (url, name) => {
    expect(names(img(url), [image(url)])).toEqual([name])
  })

  test('[INS-2] are those with status 200 in the html, each once', () => {
    const [used, failed, unused, empty] = ['used', 'failed', 'unused', 'empty'].map(
      (name) => `${CDN}/${name}.png`,
    )
    const html = [used, failed, empty, used].map((url) => img(url ?? '')).join('')
    const images = [
      image(used ?? ''),
      image(failed ?? '', { status: 404 }),
      image(unused ?? ''),
      image(empty ?? '', { content: '' }),
      image(used ?? ''),
    ]
    const plan = planned(html, images)
    expect(plan.images.map(({ url }) => url)).toEqual([used])
    expect(inside(plan.content)).toBe(
      `<img src="cid:lsi-attachused.png">${img(failed ?? '')}${img(empty ?? '')}<img src="cid:lsi-attachused.png">`,
    )
  })

  test('[SAFE-3] have a mark in every name when the names in the message cannot all be read', () => {
    const urls = [`${CDN}/a/logo.png`, `${CDN}/b/logo.png`, `${CDN}/`]
    const html = urls.map(img).join('')
    const images = urls.map((url) => image(url))
    const plan = planInsertion(chosen(html, images), 'html', [], asIs, 'm1')
    expect(plan.kind === 'ready' && plan.images.map(({ name }) => name)).toEqual([
      'lsi-attachlogo-m1.png',
      'lsi-attachlogo-m1-2.png',
      'lsi-attachimage-m1',
    ])
  })

  test('[INS-2] do not include an image that the sanitiser removed', () => {
    const url = `${CDN}/a.png`
    const plan = planInsertion(chosen(`<p>x</p>${img(url)}`, [image(url)]), 'html', [], () => '<p>x</p>')
    expect(plan).toMatchObject({ kind: 'ready', images: [] })
  })

  test('[INS-2] are found with either spelling of an ampersand in the URL', () => {
    const url = `${CDN}/a.png?x=1&y=2`
    for (const html of [img(url), img(url.replace('&', '&amp;'))]) {
      expect(inside(planned(html, [image(url)]).content)).toBe('<img src="cid:lsi-attacha.png">')
    }
  })

  test('[INS-2] are found in styles and in either kind of quotes', () => {
    const url = `${CDN}/a.png`
    const html = `<td style="background:url(${url})"><td style='background:url("${url}")'><img src='${url}'>`
    expect(inside(planned(html, [image(url)]).content)).toBe(html.replaceAll(url, 'cid:lsi-attacha.png'))
  })

  test('[INS-2] leave links to the picture and its address in the text as they are', () => {
    const url = `${CDN}/a.png`
    const beside = `<a href="${url}">large</a><p>see ${url} there</p><p title="${url}"></p>`
    expect(inside(planned(beside + img(url), [image(url)]).content)).toBe(beside + img('cid:lsi-attacha.png'))
    expect(planned(beside, [image(url)])).toMatchObject({ images: [] })
  })

  test('[INS-2] leave a longer URL with the same beginning whole', () => {
    const short = `${CDN}/a.png`
    const long = `${CDN}/a.png?size=2`
    const longest = `${CDN}/a.png?size=22`
    const urls = [short, long, longest]
    for (const order of [urls, urls.toReversed()]) {
      const plan = planned(
        urls.map(img).join(''),
        order.map((url) => image(url)),
      )
      const cidOf = (url: string) => `cid:${plan.images.find((each) => each.url === url)?.name ?? ''}`
      expect(inside(plan.content)).toBe(urls.map((url) => img(cidOf(url))).join(''))
    }
    expect(planned(img(long), [image(short)]).images).toEqual([])
  })

  test('[INS-2] have unique names, also among the attachments of the item', () => {
    const urls = ['one/logo.png', 'two/logo.png', 'three/logo.png'].map((path) => `${CDN}/${path}`)
    const images = urls.map((url) => image(url))
    expect(names(urls.map(img).join(''), images)).toEqual([
      'lsi-attachlogo.png',
      'lsi-attachlogo-2.png',
      'lsi-attachlogo-3.png',
    ])
    expect(names(img(urls[0] ?? ''), images, ['lsi-attachlogo.png', 'lsi-attachlogo-2.png'])).toEqual([
      'lsi-attachlogo-3.png',
    ])
  })

  test('[INS-2] for any URLs: unique prefixed names, every reference a content id, no other change', () => {
    const segment = fc.constantFrom('a', 'a.png', 'b.png', 'a-2.png', 'ä.png', '')
    const query = fc.constantFrom('', '?x=1', '?x=1&y=2', '#f')
    const url = fc
      .tuple(fc.constantFrom('x', 'x/y'), segment, query)
      .map((parts) => `${CDN}/${parts[0]}/${parts[1]}${parts[2]}`)
    const taken = fc.array(
      segment.map((name) => IMAGE_PREFIX + name),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(fc.uniqueArray(url, { minLength: 1, maxLength: 6 }), taken, (urls, takenNames) => {
        const html = urls.map((each) => `<p>${img(each.replaceAll('&', '&amp;'))}</p>`).join('')
        const { images, content } = planned(
          html,
          urls.map((each) => image(each)),
          takenNames,
        )
        const all = images.map(({ name }) => name)
        expect(images.map((each) => each.url)).toEqual(urls)
        expect(new Set([...all, ...takenNames]).size).toBe(all.length + new Set(takenNames).size)
        for (const name of all) expect(name).toMatch(/^lsi-attach[\w.-]+$/)
        expect(inside(content)).toBe(all.map((name) => `<p><img src="cid:${name}"></p>`).join(''))
      }),
    )
  })

  test('[INS-2] are none whose URL could end something: it neither breaks out nor is used', () => {
    const delimiter = fc.constantFrom(
      '"',
      "'",
      '`',
      '<',
      '>',
      ' ',
      '\t',
      '\n',
      '\0',
      '\\',
      '{',
      '[',
      '\u00a0',
    )
    const part = fc.constantFrom('', 'a.png', 'onerror=alert(1)', 'x')
    fc.assert(
      fc.property(part, delimiter, part, fc.boolean(), (before, between, after, isWhole) => {
        const url = isWhole ? between : `${CDN}/${before}${between}${after}`
        const html = `${img(`${CDN}/logo.png`)}<p title="x" onclick='y'>a 'b' "c"</p>`
        const { images, content } = planned(html, [image(url)])
        expect(images).toEqual([])
        expect(inside(content)).toBe(html)
      }),
    )
  })

  test('[INS-2] are asked for by the sanitiser alone: a text that looks like one stays', () => {
    const url = `${CDN}/a.png`
    const plan = planInsertion(
      chosen(img(url), [image(url)]),
      'html',
      [],
      (_html, profile, replacePicture) => {
        expect(profile).toBe('insert')
        return `<p>src="${url}" ${replacePicture?.(`${CDN}/b.png`) ?? 'unknown'}</p>`
      },
    )
    expect(plan).toMatchObject({ images: [] })
    expect(plan.kind === 'ready' && inside(plan.content)).toBe(`<p>src="${url}" unknown</p>`)
  })

  test('[PERSON-9] are not the linked ones, also of the same picture', () => {
    const [attached, linked] = ['', 'linked/'].map((of) => `${CDN}/${of}${'a'.repeat(32)}/logo.png`)
    const html = img(attached ?? '') + img(linked ?? '')
    const plan = planned(html, [image(attached ?? '')])
    expect(plan.images.map(({ url }) => url)).toEqual([attached])
    expect(inside(plan.content)).toBe(`${img('cid:lsi-attachlogo.png')}${img(linked ?? '')}`)
  })

  test('have names of at most 200 characters after the prefix, with the extension', () => {
    const url = `${CDN}/${'n'.repeat(500)}.png`
    const [name = ''] = names(img(url), [image(url)])
    expect(name.length).toBe(IMAGE_PREFIX.length + 200)
    expect(name.endsWith('.png')).toBe(true)
  })
})

describe('the content of a planned insertion', () => {
  test('[INS-3] is a non-editable wrapper with the marker of the signature', () => {
    const html = '<p>Alex</p>'
    expect(planned(html)).toEqual({
      kind: 'ready',
      type: 'html',
      content: `<div class="signet" contenteditable="false" data-signet-id="c-1" data-signet-hash="${contentHash(html)}" data-signet-mark="${MARK}" id="signet_${MARK}_${contentHash(html)}_c-1"><p>Alex</p></div>`,
      images: [],
      hash: contentHash(html),
      combinedIds: 'c-1',
    })
  })

  test('[CLIENT-1] has its id on the table that has all of it, else on the wrapper, which clients rewrite', () => {
    const id = (html: string) => `id="signet_${MARK}_${contentHash(html)}_c-1"`
    for (const html of [
      '<table width="1"><tr><td>Alex</td></tr></table>',
      ' <table><tr><td><table><tr><td>Alex</td></tr></table></td></tr></table>\n',
    ])
      expect(planned(html).content).toContain(
        `data-signet-mark="${MARK}">${html.replace(/<table[^>]*/, (tag) => `${tag} ${id(html)}`)}</div>`,
      )
    for (const html of [
      '<table id="logo"><tr><td>Alex</td></tr></table>',
      '<table><tr><td>Alex</td></tr></table><p>Kim</p>',
      '<p>Alex</p><table><tr><td>Kim</td></tr></table>',
      '<table><tr><td>Alex</td></tr></table>Kim',
      '<div><table><tr><td>Alex</td></tr></table></div>',
      '<!--[if mso]>x<![endif]--><table><tr><td>Alex</td></tr></table>',
      '<table><tr><td>Alex</td></tr></table><table><tr><td>Kim</td></tr></table>',
    ])
      expect(planned(html).content).toContain(`data-signet-mark="${MARK}" ${id(html)}>${html}</div>`)
  })

  test('[INS-3] is an empty string without a wrapper for an empty signature', () => {
    for (const html of ['', ' ', '\n\t']) {
      expect(planned(html)).toMatchObject({ content: '', images: [] })
      expect(planInsertion(chosen(html), 'text', [], asIs)).toMatchObject({ content: '', type: 'text' })
    }
    expect(planInsertion(chosen('<script>1</script>'), 'html', [], () => '')).toMatchObject({ content: '' })
  })

  test('has a marker that cannot break out of its attribute', () => {
    const plan = planInsertion({ ...chosen('<p>x</p>'), combinedIds: '"><img src=x>&' }, 'html', [], asIs)
    expect(plan).toMatchObject({ kind: 'ready' })
    if (plan.kind === 'ready')
      expect(plan.content).toContain('data-signet-id="&quot;&gt;&lt;img src=x&gt;&amp;" data-signet-hash=')
  })

  test('is the output of the sanitiser for the mail client', () => {
    const asked: string[] = []
    const plan = planInsertion(chosen('<p onclick="x">y</p>'), 'html', [], (html, profile) => {
      asked.push(profile)
      return html.replace(' onclick="x"', '')
    })
    expect(asked).toEqual(['insert'])
    expect(plan.kind === 'ready' && inside(plan.content)).toBe('<p>y</p>')
  })

  test('is checked again after it was shortened', () => {
    const html = `<p class="">${'a  '.repeat(12_000)}</p>`
    const asked: string[] = []
    const plan = planInsertion(chosen(html), 'html', [], (given) => {
      asked.push(given)
      return given
    })
    expect(asked).toEqual([html, `<p>${'a '.repeat(12_000)}</p>`])
    expect(plan.kind === 'ready' && inside(plan.content)).toBe(asked[1])
  })

  test('is not read when it is longer, or has more tags, than any signature that fits', () => {
    const fail = () => {
      throw new Error('was read')
    }
    for (const html of [
      'x'.repeat(MAX_HTML_CHARACTERS + 1),
      '<i>'.repeat(MAX_TAGS + 1),
      '</p>'.repeat(MAX_TAGS + 1),
    ])
      for (const bodyType of ['html', 'text'] as const)
        expect(planInsertion(chosen(html), bodyType, [], fail)).toEqual({ kind: 'tooLarge', content: html })
    // What is refused for its tags would not fit either.
    expect('<i>'.repeat(MAX_TAGS).length).toBeGreaterThanOrEqual(MAX_SIGNATURE_CHARACTERS)
    for (const html of ['x'.repeat(MAX_HTML_CHARACTERS), '<i>'.repeat(MAX_TAGS), '< '.repeat(MAX_TAGS + 1)])
      expect(planInsertion(chosen(html), 'html', [], () => 'x')).toMatchObject({ kind: 'ready' })
  })

  test('fits with 30,000 characters; one more is refused with its size', () => {
    const around = planned('x').content.length - 1
    // The hash of another content may be of another length.
    const html = (length: number) =>
      Array.from('xyzabcdefgh', (letter) => letter.repeat(length - around)).find(
        (each) => contentHash(each).length === contentHash('x').length,
      ) ?? ''
    const lengthOf = (length: number) => {
      const plan = planInsertion(chosen(html(length)), 'html', [], asIs)
      return plan.content.length
    }
    const offset = lengthOf(MAX_SIGNATURE_CHARACTERS) - MAX_SIGNATURE_CHARACTERS
    expect(MAX_SIGNATURE_CHARACTERS).toBe(30_000)
    const plans = [0, 1].map((more) =>
      planInsertion(chosen(html(MAX_SIGNATURE_CHARACTERS - offset + more)), 'html', [], asIs),
    )
    expect(plans[0]).toMatchObject({ kind: 'ready' })
    expect(plans[0]?.kind === 'ready' && plans[0].content.length).toBe(30_000)
    expect(plans[1]?.kind).toBe('tooLarge')
    expect(plans[1]?.kind === 'tooLarge' && tooLargeError(plans[1].content)).toMatchObject({
      characters: 30_001,
      limit: 30_000,
    })
  })

  test('fits, is shortened, or is refused alike for every mark', () => {
    const around = planned('x').content.length
    fc.assert(
      fc.property(
        fc.integer({ min: -80, max: 30 }),
        fc.string({ unit: fc.constantFrom('a', '-', '7'), minLength: 1, maxLength: MAX_MARK_CHARACTERS }),
        fc.constantFrom('', '<p class="">x</p>'),
        (more, mark, shortened) => {
          const html = shortened + 'x'.repeat(MAX_SIGNATURE_CHARACTERS - around - shortened.length + more)
          const plan = (by?: string) => planInsertion(chosen(html), 'html', [], asIs, null, by)
          const [one, other] = [plan(), plan(mark)]
          if (one.kind === 'ready' && other.kind === 'ready') {
            expect(inside(other.content)).toBe(inside(one.content))
            expect(other.content.length).toBeLessThanOrEqual(MAX_SIGNATURE_CHARACTERS)
          } else expect(other).toEqual(one)
        },
      ),
    )
  })

  test('is text in a plain-text message, with the same limit and without images', () => {
    const url = `${CDN}/a.png`
    const html = `<p>Alex &amp; Co</p>${img(url)}`
    const plan = planInsertion(chosen(html, [image(url)]), 'text', [], asIs)
    expect(plan).toEqual({
      kind: 'ready',
      type: 'text',
      content: 'Alex & Co',
      images: [],
      hash: contentHash(html),
      combinedIds: 'c-1',
    })
    expect(planInsertion(chosen('x'.repeat(30_000)), 'text', [], asIs)).toMatchObject({ kind: 'ready' })
    expect(planInsertion(chosen('x'.repeat(30_001)), 'text', [], asIs)).toMatchObject({ kind: 'tooLarge' })
  })
})

describe('html shows images to attach', () => {
  const hash = '0123456789abcdef'.repeat(2)
  const linked = `https://s.example/of/a.b/images/linked/${hash}/logo.png`
  const attached = `https://s.example/images/${hash}/logo.png`

  test.each([
    [`<p>x</p>`, false],
    [img(attached), true],
    [img(linked), false],
    [`<IMG alt="a" src='${linked}' width="1">`, false],
    [JSON.stringify([{ html: img(linked) }]), false],
    [JSON.stringify([{ html: `<td background="${linked}">` }]), false],
    [`${img(linked)}${img(attached)}`, true],
    [`${img(attached)}${img(linked)}`, true],
    [`<td background="${linked}">`, false],
    [`<td background="${attached}">`, true],
    [`<td style="background-image:url('${linked}')">`, false],
    [`<td style="background-image:url(&quot;${linked}&quot;)">`, false],
    [`<td style="background-image:url('${attached}')">`, true],
    [`<img src="https://cdn.example/linked/logo.png">`, true],
    [`<img src="https://cdn.example/linked/${hash}.png">`, true],
    [`<td style="background:url(${attached})" title="https:/linked/${hash}/x">`, true],
  ])('%s: %s', (html, isShown) => {
    expect(showsImages(html)).toBe(isShown)
  })
})

describe('the links of a planned insertion', () => {
  const link = '<a href="https://northwind.example/">site</a>'

  test('keep their addresses, also as text', () => {
    expect(planned(link).content).toContain(link)
    const text = planInsertion(chosen(link), 'text', [], asIs)
    expect(text).toMatchObject({ content: 'site <https://northwind.example/>' })
  })

  test('keep their addresses in a signature that only fits when it is shortened', () => {
    const html = link + '<p style="margin: 0px">  </p>\n'.repeat(1_100)
    expect(html.length).toBeGreaterThan(MAX_SIGNATURE_CHARACTERS)
    expect(planned(html).content).toContain(link)
  })
})

describe('the text of a signature', () => {
  test.each([
    ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['One<br>Two<br/>Three', 'One\nTwo\nThree'],
    ['<table><tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr></table>', 'A B\nC D'],
    ['<div>One</div><div>Two</div>after', 'One\nTwo\nafter'],
    ['<ul><li>One</li><li>Two</li></ul>', 'One\nTwo'],
    ['<table><tr><td><p>A</p></td></tr><tr><td><p>B</p></td></tr></table>', 'A\n\nB'],
    [
      'One\uE000 \vTwo\uE003 <a href="https://a.example">Three</a>',
      'One\uE000 Two\uE003 Three <https://a.example>',
    ],
    ['<a href="https://a.example/x">Site</a>', 'Site <https://a.example/x>'],
    ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
    ['<a href="mailto:a@b.example">a@b.example</a>', 'a@b.example'],
    ['<a href="tel:+49301234">+49 30 1234</a>', '+49 30 1234'],
    ['<a href="tel:+49301234"><b>Call</b></a> now', 'Call <+49301234> now'],
    ['<a href="https://a.example?x=1&amp;y=2">Go</a>', 'Go <https://a.example?x=1&y=2>'],
    ['<img src="x" alt="Northwind">', 'Northwind'],
    ['<img src="x">', ''],
    ['a &lt;b&gt; &amp;amp; c&nbsp;d &#65;&#x42;', 'a <b> &amp; c d AB'],
    ['<style>p { color: red }</style><title>t</title><!-- no --><p>Yes</p>', 'Yes'],
    ['  much \n\t space  ', 'much space'],
    ['<p></p><p></p><p></p><p>far</p><div><div><p>apart</p></div></div>', 'far\n\napart'],
    ['&#1114112; &unknown;', '&#1114112; &unknown;'],
  ])('%s reads %j', (html, expected) => {
    expect(htmlToText(html)).toBe(expected)
  })

  test('has no markup, at most one empty line in a row, and no white space at its ends', () => {
    const part = fc.constantFrom(
      '<p>',
      '</p>',
      '<br>',
      '<a href="https://a.example">',
      '</a>',
      'word',
      ' ',
      '<td>',
      '</td>',
      '<hr>',
      '&amp;',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = htmlToText(parts.join(''))
        expect(text.replaceAll('<https://a.example>', '')).not.toMatch(/[<>]/)
        expect(text).not.toContain('\n\n\n')
        expect(text).toBe(text.trim())
        expect(text.split('word').length).toBe(parts.filter((each) => each === 'word').length + 1)
      }),
    )
  })
})
