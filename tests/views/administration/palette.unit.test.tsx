import { EditorView } from '@codemirror/view'
import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { alex, blocksDocument, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { at } from '../../support/administration/story.ts'
import { useEditorSelection } from '../root.ts'
import { all, field, fill, press, textOf, useAdministrationDrawing } from './drawingAdministration.tsx'

const { recorded, draw, go } = useAdministrationDrawing()
useEditorSelection()
const path = 'templates/a.html'
const brand = { colours: { navy: '#1f3a5f' }, fonts: ['Georgia'], logos: ['logo.png'] }

const begun = (document: ReleaseDocument) => [
  ...at('/signatures/files'),
  Planning.draftRestored({ draft: null }),
  Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
  Planning.personRead({ person: alex }),
]
/** What the editor has. */
const source = (): string => {
  const host = all('main div').find(({ shadowRoot }) => shadowRoot !== null)
  const content = host?.shadowRoot?.querySelector<HTMLElement>('.cm-content')
  const view = content && EditorView.findFromDOM(content)
  return view?.state.doc.toString() ?? ''
}
const tools = () => all('[role=toolbar] button')
const key = (name: string) => {
  act(() => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
    )
  })
}
const pick = (path: string) => {
  act(() => {
    all('dialog label')
      .find(({ textContent }) => textContent.startsWith(path))
      ?.querySelector('input')
      ?.click()
  })
  press('Use this picture')
}
const choose = (text: string) => {
  act(() => {
    all('dialog li button')
      .find(({ textContent }) => textContent.startsWith(text))
      ?.click()
  })
}
const selected = (from: number, to: number) => Planning.selected({ path, from, to })

describe('the palette', () => {
  test('has the tools of the brand only when the organisation names one', async () => {
    await draw(...begun(releaseDocument))
    expect(tools().map(({ textContent }) => textContent)).toEqual([
      'Variable',
      'If not empty',
      'Picture',
      'Block',
      'Social networks',
    ])
    await draw(...begun({ ...releaseDocument, brand }))
    expect(
      tools()
        .map(({ textContent }) => textContent)
        .slice(5),
    ).toEqual(['Colour', 'Font', 'Logo'])
    await draw(...begun({ ...releaseDocument, brand: { ...brand, colours: {}, logos: [] } }))
    expect(
      tools()
        .map(({ textContent }) => textContent)
        .slice(5),
    ).toEqual(['Font'])
  })

  test('is one stop of the Tab key, with the arrow keys within', async () => {
    await draw(...begun(releaseDocument))
    const reachable = () => tools().flatMap((tool, index) => (tool.tabIndex === 0 ? [index] : []))
    expect(reachable()).toEqual([0])
    act(() => tools()[0]?.focus())
    for (const [name, index] of [
      ['ArrowRight', 1],
      ['End', 4],
      ['ArrowRight', 0],
      ['ArrowLeft', 4],
      ['Home', 0],
    ] as const) {
      key(name)
      expect([name, reachable(), document.activeElement]).toEqual([name, [index], tools()[index]])
    }
    key('a')
    expect(reachable()).toEqual([0])
  })

  test('takes the first variable that is found with Enter, and none with Escape', async () => {
    await draw(...begun(releaseDocument), selected(3, 3))
    press('Variable')
    const search = field('Search by name or value')
    fill(search, '5550')
    act(() => {
      search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    })
    expect([all('dialog'), source()]).toEqual([[], '<p>{{phone}}</p>'])
    press('Variable')
    fill(field('Search by name or value'), '5550')
    act(() => field('Search by name or value').closest('form')?.requestSubmit())
    expect([all('dialog'), source()]).toEqual([[], '<p>{{phone}}{{phone}}</p>'])
  })

  test('inserts a variable that is found by its value for the person', async () => {
    await draw(...begun(releaseDocument), selected(3, 3))
    press('Variable')
    expect(textOf('dialog li')).toContain('phone+49 30 5550')
    expect(textOf('dialog li')).toContain('picture_urlEmpty for this person')
    expect(document.activeElement).toBe(field('Search by name or value'))
    fill(field('Search by name or value'), '5550')
    expect(textOf('dialog li')).toEqual(['phone+49 30 5550'])
    expect(textOf('dialog [role=status]')).toEqual(['1 variable found'])
    choose('phone')
    expect(all('dialog')).toEqual([])
    expect(source()).toBe('<p>{{phone}}{{phone}}</p>')
    expect(recorded).toContainEqual(
      Planning.edited({ path, edits: [{ from: 3, to: 3, insert: '{{phone}}' }] }),
    )
  })

  test('asks for no variable where the selection shows exactly one', async () => {
    await draw(...begun(releaseDocument), selected(0, 16))
    press('If not empty')
    expect(all('dialog')).toEqual([])
    expect(source()).toBe('{{#if phone}}<p>{{phone}}</p>{{/if}}')
  })

  test('asks for the variable of a condition around other words', async () => {
    await draw(...begun(releaseDocument), selected(0, 0))
    press('If not empty')
    choose('legal_line')
    expect(source()).toBe('{{#if legal_line}}{{legal_line}}{{/if}}<p>{{phone}}</p>')
  })

  test('puts a condition around the variable before the cursor, as after inserting it', async () => {
    await draw(...begun(releaseDocument), selected(12, 12))
    press('If not empty')
    expect(all('dialog')).toEqual([])
    expect(source()).toBe('<p>{{#if phone}}{{phone}}{{/if}}</p>')
  })

  test('inserts a picture with its text and its width', async () => {
    await draw(...begun(releaseDocument))
    press('Picture')
    fill(field('What the picture says'), 'Our logo ')
    pick('logo.png')
    expect(source()).toMatch(/^<img src="\{\{picture logo\.png\}\}" alt="Our logo" width="1"><p>/)
  })

  test('says that there are no blocks', async () => {
    await draw(...begun(releaseDocument))
    press('Block')
    expect(textOf('dialog p')).toEqual(['There are no blocks yet. Add one first.'])
  })

  test('says that the template has all slots, also in a part that it includes', async () => {
    await draw(...begun(blocksDocument))
    press('Block')
    const allSlots = ['This template already has a place for every block.']
    expect(textOf('dialog p')).toEqual(allSlots)
    press('Close')
    const part = { 'templates/legal.part.html': '{{block banner}}{{block notice}}' }
    const templates = { ...blocksDocument.templates, ...part, [path]: '{{> legal}}' }
    await draw(...begun({ ...blocksDocument, templates }))
    press('Block')
    expect(textOf('dialog p')).toEqual(allSlots)
  })

  test('offers the slots that the template does not have', async () => {
    const templates = { ...blocksDocument.templates, [path]: '{{block banner}}' }
    await draw(...begun({ ...blocksDocument, templates }))
    press('Block')
    expect(textOf('dialog li')).toEqual(['notice'])
    choose('notice')
    expect(source()).toBe('{{block notice}}{{block banner}}')
  })

  test('inserts links of the networks that have an address, with their icons', async () => {
    await draw(...begun({ ...releaseDocument, pictures: { 'social/xing.png': 'c0ffee' } }))
    press('Social networks')
    press('Insert')
    expect(textOf('dialog [role=status]')).toEqual(['Type at least one address.'])
    // The answer is where the button is, below all fields.
    expect(all('dialog [role=status]')[0]?.nextElementSibling?.textContent).toBe('Insert')
    fill(field('XING'), 'https://xing.example/n')
    fill(field('LinkedIn'), 'linkedin example')
    press('Insert')
    expect(document.activeElement).toBe(field('LinkedIn'))
    expect(textOf('dialog [id$=-problem]')).toEqual([
      'This is not a web address with https, such as www.example.com, or it is too long.',
    ])
    fill(field('LinkedIn'), 'linkedin.example/n')
    fill(field('XING'), ' https://xing.example/n ')
    press('Insert')
    expect(all('dialog')).toEqual([])
    expect(source()).toContain('<a href="https://linkedin.example/n">LinkedIn</a>')
    expect(source()).toContain(
      '<a href="https://xing.example/n"><img src="{{picture social/xing.png}}" alt="XING"',
    )
  })

  test('gives colours and fonts of the brand, and inserts its logo', async () => {
    await draw(...begun({ ...releaseDocument, brand }), selected(3, 12))
    press('Colour')
    choose('navy')
    expect(source()).toBe('<p style="color:#1f3a5f">{{phone}}</p>')
    press('Font')
    choose('Georgia')
    expect(recorded.at(-2)).toEqual(
      Planning.edited({ path, edits: [{ from: 2, to: 2, insert: ' style="font-family:Georgia,serif"' }] }),
    )
    press('Logo')
    expect(source()).toContain('<img src="{{picture logo.png}}" alt="Northwind Trading"')
  })

  test('says in the dialog that there are no words for a colour or a font', async () => {
    await draw(...begun({ ...releaseDocument, brand }), selected(14, 14))
    for (const [tool, choice] of [
      ['Colour', 'navy'],
      ['Font', 'Georgia'],
    ] as const) {
      press(tool)
      expect(textOf('dialog [role=status]')).toEqual([''])
      choose(choice)
      expect(textOf('dialog [role=status]').join()).toMatch(/^There are no words at the cursor\./)
      press('Close')
    }
    expect(source()).toBe('<p>{{phone}}</p>')
  })

  test('asks which of several logos', async () => {
    const pictures = { 'a.png': 'c0ffee', 'logo.png': 'c0ffee', 'mark.png': 'unknown' }
    await draw(
      ...begun({ ...releaseDocument, pictures, brand: { ...brand, logos: ['logo.png', 'mark.png'] } }),
    )
    press('Logo')
    expect(textOf('dialog [role=radiogroup] label')).toEqual([
      'logo.png 1 × 1 pixels · 1 kB',
      'mark.png Size not known',
      'a.png 1 × 1 pixels · 1 kB',
    ])
    pick('mark.png')
    expect(source()).toMatch(/^<img src="\{\{picture mark\.png\}\}" alt="Northwind Trading"><p>/)
  })

  test('selects what a word of the preview is made of', async () => {
    await draw(...begun(releaseDocument))
    await go(...begun(releaseDocument), Planning.wordChosen({ path, from: 3, to: 12 }))
    expect(recorded.at(-1)).toEqual(selected(3, 12))
    await go(
      ...begun(releaseDocument),
      Planning.wordChosen({ path: 'templates/legal.part.html', from: 3, to: 17 }),
    )
    expect(source()).toBe('<i>{{legal_line}}</i>')
    expect(recorded.at(-1)).toEqual(Planning.selected({ path: 'templates/legal.part.html', from: 3, to: 17 }))
  })
})
