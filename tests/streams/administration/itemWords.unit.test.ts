import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createItemNamer, MAX_NAME_CHARACTERS } from '../../../streams/administration/design/itemWords.ts'
import { allItems, outlineOf } from '../../../streams/administration/design/outline.ts'
import { designTemplate } from '../../support/administration/design.ts'

const PARTS = new Map([
  ['legal', '<p>Northwind Ltd</p>'],
  ['loop', '{{> loop}}<p>Loop</p>'],
])
const nameItem = createItemNamer({
  partText: (name) => PARTS.get(name) ?? null,
  valueOf: (variable) => ({ phone: '+49 30 5550', name: 'Alex Kim' })[variable] ?? '',
  decode: (reference) => ({ '&amp;': '&', '&nbsp;': '\u00a0', '&middot;': '·' })[reference] ?? reference,
  nameOf: (variable) => (variable === 'fax' ? 'Fax number' : variable),
})
/** The name of the first item of a text. */
const nameOf = (text: string) => nameItem(text, outlineOf(text)[0] ?? expect.fail('There is no item'))

describe('the name of an item', () => {
  test.each([
    ['<p>Kind&nbsp;regards &amp; co &middot; x</p>', 'Kind regards & co · x'],
    ['<p>T {{phone}}<br>{{name}}</p>', 'T +49 30 5550 Alex Kim'],
    ['<p>{{first fax phone}}</p>', '+49 30 5550'],
    ['<p>{{#if fax}}F {{fax}}{{/if}}<b>{{name}}</b></p>', 'Alex Kim'],
    ['<p>{{#if fax}}<i>F</i> {{fax}}{{else}}{{name}} <i>N</i>{{/if}}</p>', 'Alex Kim N'],
    ['<p>{{#if phone}}<i>T</i> {{phone}}{{else}}{{name}} <i>N</i>{{/if}}</p>', 'T +49 30 5550'],
    ['<img src="{{picture a/logo.png}}" alt="Our logo">', 'Our logo'],
    ['<img src="{{picture a/logo.png}}" alt="">', 'logo.png'],
    ['<img src="{{picture a/logo.png linked}}" alt="">', 'logo.png'],
    ['<img src="{{picture a/logo.png}}" alt="{{name}}">', 'logo.png'],
    ['<img src="https://x.example/logo.png">', ''],
    ['<div><p>A</p>{{> legal}}{{> gone}}</div>', 'A Northwind Ltd'],
    ['<div>{{> loop}}</div>', 'Loop Loop Loop'],
    ['<p>{{fax}}</p>', 'Fax number'],
    ['{{#if fax}}<p>F {{fax}}</p>{{/if}}', 'F Fax number'],
    ['<p>One two three four five six seven</p>', 'One two three four five…'],
    ['<p>Donaudampfschifffahrtsgesellschaft</p>', 'Donaudampfschifffahrtsge…'],
    ['<p>E alex.kim@northwind.example</p>', 'E alex.kim@northwind.exa…'],
    ['<hr>', ''],
  ])('of %s is %j', (text, name) => {
    expect(nameOf(text)).toBe(name)
  })

  test('is short and in one line, in any template', () => {
    fc.assert(
      fc.property(designTemplate, (text) => {
        for (const item of allItems(outlineOf(text))) {
          const name = nameItem(text, item)
          expect(Array.from(name).length).toBeLessThanOrEqual(MAX_NAME_CHARACTERS + 1)
          expect(name).toBe(name.trim())
          expect(name).not.toMatch(/[\t\n\f\r]/)
        }
      }),
    )
  })
})
