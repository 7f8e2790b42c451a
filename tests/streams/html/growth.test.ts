import { describe, test } from 'vitest'
import { changeBetween } from '../../../streams/html/change.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import {
  contentIds,
  findSignatures,
  hasWords,
  preservesText,
  visibleTextOf,
} from '../../../streams/html/message.ts'
import { readabilityIssues, WHITE } from '../../../streams/html/readability.ts'
import { partsOf, shrink } from '../../../streams/html/shrink.ts'
import { toText } from '../../../streams/html/text.ts'
import { withEdits } from '../../../streams/variables/preview.ts'
import { htmlToText, textToHtml } from '../../../src/playground/mailbox/text.ts'
import { imageAddresses } from '../../../src/service/signatures.ts'
import { growsLinearly } from '../../support/growth.ts'
import { image } from '../../support/state.ts'

const readers: Readonly<Record<string, (html: string) => unknown>> = {
  toText,
  findSignatures,
  visibleTextOf,
  preservesText: (html) => preservesText(html, html),
  hasWords: (html) => hasWords(html, `${html.slice(html.length / 2)}y`),
  contentIds,
  shrink,
  partsOf,
  contentHash,
  'changeBetween, from nothing': (html) => changeBetween(null, { html, images: [] }),
  'changeBetween, to something else': (html) =>
    changeBetween({ html: html.replaceAll('x', 'y'), images: [] }, { html, images: [image('x')] }),
  withEdits: (html) => withEdits(html, { name: 'xx' }, { name: { value: 'Alex', resync: false } }),
  htmlToText,
  textToHtml,
  imageAddresses: (html) => imageAddresses(html, 'x'),
}

/** Each made to begin something again and again that never ends, or that ends in another way than it should. */
const UNITS = [
  ...['<', '<!--', '<div ', '<a href="x', '<div id="Signature">', '&nbsp;', '"', '{{#if x}}'],
  ...(process.env['LONG'] === undefined
    ? []
    : [
        ...['<!-- x -->', '<!-->', '<div>x', '</div>', '<div></div>\n', '<a href="x">', '<a>x</a>', '<hr>\n'],
        ...[
          '<img src="',
          '<img src="x">',
          '<td></td>',
          '<br> ',
          '<p>x</p> ',
          '<style>',
          '<style ',
          '&',
          '&#',
        ],
        ...[
          '<span style="_MailAutoSig">',
          '<div data-signet-hash="x">',
          '<p type=x class="x ',
          "'",
          ';',
          'x',
        ],
        ...[
          '<p style="x:0px ; ',
          '<p style=";;',
          ' ',
          '\t\n',
          'cid:',
          'data:',
          'url(',
          '{{',
          '{{x}}',
          '{{/if}}',
        ],
      ]),
]

describe('reading markup takes time in proportion to its length', () => {
  test.each(Object.keys(readers))(
    '%s',
    (name) => {
      for (const unit of UNITS)
        growsLinearly(
          (length) => unit.repeat(length / unit.length),
          (html) => readers[name]?.(html),
        )
    },
    120_000,
  )

  test('readabilityIssues', () => {
    growsLinearly(
      (length) => Array.from({ length: length / 10 }, (_, index) => ` ${String(index)} ${' '.repeat(10)}`),
      (texts) =>
        readabilityIssues(
          {
            texts: texts.map((text) => ({ text, colour: WHITE, background: WHITE, size: 3, bold: false })),
            images: texts.map((name) => ({ name, alternative: null, isAllOfLink: false, loading: 'failed' })),
            width: 9,
            room: 1,
          },
          'light',
        ),
    )
  })

  test('an address of one link that its text almost contains', () => {
    for (const [address, words] of [
      [1, 1],
      [9, 1],
      [1, 9],
    ] as const)
      growsLinearly(
        (length) =>
          `<a href="y${'x'.repeat((length * address) / 10)}">${'x'.repeat((length * words) / 10)}</a>`,
        toText,
      )
  })
})
