import { act } from 'react'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { adoptedTemplateOf } from '../../../streams/administration/plan/adopting.ts'
import { Adoption, Planning } from '../../../streams/administration/plan/events.ts'
import { handleValue, createHandle } from '../../../streams/kernel/handle.ts'
import { adopted, adoptedFor, sample, unusedFiles } from '../../support/administration/adoptions.ts'
import { found } from '../../support/administration/people.ts'
import { alex, draftOf } from '../../support/administration/plans.ts'
import { at } from '../../support/administration/story.ts'
import {
  all,
  body,
  button,
  field,
  fill,
  press,
  problemOf,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'
import { part } from '../said.ts'
import { outline } from '../outline.ts'

const { recorded, draw, go } = useAdministrationDrawing()

const begun: readonly AdministrationEvent[] = [
  ...at('/signatures/adopt'),
  Planning.draftRestored({ draft: null }),
  Planning.draftBegun({ draft: draftOf(), findings: [] }),
  Planning.personRead({ person: alex }),
]
const chosen = [...begun, Adoption.read({ samples: [sample()] })]
const made = [...chosen, Adoption.requested(), Adoption.loaded({ value: adoptedFor() })]

/** Pastes into a field; returns whether the browser may go on and put the text in. */
function paste(element: HTMLElement, types: Readonly<Record<string, string>>): boolean {
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
    clipboardData: { getData: (type: string) => types[type] ?? '' },
  })
  let goesOn = true
  act(() => {
    goesOn = element.dispatchEvent(event)
  })
  return goesOn
}

/** What the live region of the choice says. */
const said = () => part('Choose the signature').querySelector('[role=status]')?.textContent

describe('an existing signature', () => {
  test('[ADOPT-1] [ADOPT-2] is pasted as a file, and none of its html goes into the page', async () => {
    await draw(...begun)
    const place = field<HTMLTextAreaElement>('Or paste it here')
    expect(paste(place, { 'text/plain': 'Maria' })).toBe(false)
    expect(said()).toContain('has no format')
    expect(recorded).toEqual([])
    const html = '<b onclick="x()">Maria</b><script>window.ran = true</script>'
    expect(paste(place, { 'text/html': html, 'text/plain': 'Maria' })).toBe(false)
    expect(said()).toBe('')
    expect([place.value, body().includes('Maria'), all('main script, main [onclick]')]).toEqual([
      '',
      false,
      [],
    ])
    const [event] = recorded
    if (event?.type !== 'adopting/chosen') throw new Error('Nothing was chosen')
    const { kind, files } = handleValue(event.data.files) as Readonly<{
      kind: string
      files: readonly File[]
    }>
    expect([kind, files.map(({ name }) => name), await files[0]?.text()]).toEqual([
      'files',
      ['paste.html'],
      html,
    ])
  })

  test('is counted among the chosen ones as soon as it is read', async () => {
    await draw(...begun)
    expect(said()).toBe('')
    await go(...begun, Adoption.chosen({ files: createHandle(null) }))
    expect(said()).toBe('Reading the files…')
    await go(...chosen)
    expect(said()).toBe('1 signature is chosen.')
    await go(...chosen, Adoption.read({ samples: [sample(), sample()] }))
    expect(said()).toBe('3 signatures are chosen.')
  })

  test('does not take what is typed', async () => {
    await draw(...begun)
    const place = field<HTMLTextAreaElement>('Or paste it here')
    fill(place, 'Maria')
    expect(place.value).toBe('')
  })

  test('is of a person who is searched for, or is looked for in it', async () => {
    await draw(...chosen, Planning.peopleFound({ people: [] }))
    press('Choose the person of Corporate.htm')
    await go(
      ...chosen,
      Planning.personSearched({ text: 'ana' }),
      Planning.peopleFound({ people: [found('p-ana')] }),
    )
    press(all('dialog li button')[0]?.textContent ?? '')
    press('Choose the person of Corporate.htm')
    press('Let Signet find the person')
    press('Remove Corporate.htm')
    expect(recorded).toEqual([
      Adoption.personGiven({ sample: 0, person: found('p-ana').address }),
      Adoption.personGiven({ sample: 0, person: null }),
      Adoption.sampleRemoved({ sample: 0 }),
    ])
    expect(all('dialog')).toEqual([])
    await go(...chosen, Adoption.personGiven({ sample: 0, person: 'ana@in.example' }))
    expect(body()).toContain('It is the signature of ana@in.example.')
  })

  test('has a beginning to type when it is in a mail', async () => {
    await draw(...chosen)
    expect(body()).not.toContain('First words of the signature')
    await go(...chosen, Adoption.read({ samples: [sample({ name: 'week.eml' })] }))
    fill(field('First words of the signature'), 'Regards')
    expect(recorded).toEqual([Adoption.beginningTyped({ from: 'Regards' })])
  })

  test('becomes a template at a button, which waits while it is made', async () => {
    await draw(...begun)
    expect(body()).not.toContain('Make a template')
    await go(...chosen)
    press('Make a template')
    expect(recorded).toEqual([Adoption.requested()])
    await go(...chosen, Adoption.requested())
    press('Make a template')
    expect(recorded).toHaveLength(1)
    expect(button('Make a template').getAttribute('aria-disabled')).toBe('true')
  })
})

describe('signatures of which no template is made', () => {
  const paste = sample({ name: 'paste.html' })
  const mail = sample({ name: 'plain.eml' })
  const refused = (code: string, data: unknown) => [
    ...begun,
    Adoption.read({ samples: [sample(), mail, paste, paste] }),
    Adoption.requested(),
    Adoption.loadFailed({ failure: { kind: 'http', status: 422, code, data } }),
  ]

  test('name the one that is the reason', async () => {
    await draw(...refused('sample_without_html', { sample: 1 }))
    expect(body()).toContain('plain.eml has plain text only.')
    await go(...refused('signature_empty', { sample: 3 }))
    expect(body()).toContain('Nothing of Pasted signature (2) is left that can be seen.')
  })

  test('name all of them when none alone is the reason', async () => {
    await draw(...refused('sample_too_costly', { sample: 4 }))
    const said = 'Reading Corporate.htm, plain.eml, Pasted signature, and Pasted signature (2) took too long.'
    expect(body()).toContain(said)
    await go(...refused('sample_too_costly', null))
    expect(body()).toContain(said)
  })

  test('have buttons with different names when two were pasted', async () => {
    await draw(...begun, Adoption.read({ samples: [paste, paste] }))
    press('Choose the person of Pasted signature (2)')
    press('Remove Pasted signature (2)')
    expect(recorded).toEqual([Adoption.sampleRemoved({ sample: 1 })])
  })
})

describe('the template of an existing signature', () => {
  test('[ADOPT-3] lists each placeholder with what it replaced, and how sure that is', async () => {
    await draw(...made)
    expect(outline(part('Placeholders'))).toEqual([
      '## Placeholders',
      '{{display_name}} instead of “Alex Kim”',
      'Sure: it is the value of the directory.',
      '{{phone}} instead of “+49 30 55 50”',
      'Almost sure: the directory writes it “+49 30 5550”.',
      'It could also be mobile_phone. Check it in the template.',
      '{{tel phone}} instead of “+49305550”',
      'It is the address of a link whose text is a placeholder.',
    ])
    expect(outline(part('To decide'))).toEqual([
      '## To decide',
      'The signatures differ here, and the text is not a detail of their people. The first text stays in the template:',
      'Team North',
      'Team South',
      '<It is right for everyone as it is>',
    ])
  })

  test('says what was taken out: closed, what only the program that wrote it reads, with how often', async () => {
    await draw(...made)
    const taken = part('What was taken out')
    expect(outline(taken)).toEqual(
      expect.arrayContaining(['### It could run or load something', 'Element script (1×)']),
    )
    const details = taken.querySelector('details')
    expect(details?.open).toBe(false)
    expect(details?.querySelector('summary')?.textContent).toBe(
      'Only the program that wrote it reads it (43×)',
    )
    expect(Array.from(details?.querySelectorAll('li') ?? [], (line) => line.textContent)).toEqual([
      'Element o:p (12×)',
      'Style mso-fareast-font-family (31×)',
    ])
  })

  test('[ADOPT-6] lies over the original from a line on, which the slider moves', async () => {
    await draw(...made)
    const slider = field('How much of the original is shown')
    expect([slider.type, slider.getAttribute('aria-valuetext')]).toEqual(['range', '50% of the original'])
    const sheets = all('.sheets')[0]
    expect(sheets?.style.getPropertyValue('--split')).toBe('50%')
    fill(slider, '20')
    expect(sheets?.style.getPropertyValue('--split')).toBe('20%')
    expect(slider.getAttribute('aria-valuetext')).toBe('20% of the original')
  })

  test('[ADOPT-7] is used under a name, which is that of its file unless it is typed', async () => {
    await draw(...made)
    press('Use it')
    fill(field('Name'), ' ')
    press('Use it')
    expect(problemOf(field('Name'))).toContain('Fill this in.')
    expect(document.activeElement).toBe(field('Name'))
    fill(field('Name'), ' Board ')
    press('Use it')
    expect(recorded).toEqual(
      ['Corporate', 'Board'].map((name) =>
        Planning.templateTaken({
          signature: name.toLowerCase(),
          taken: adoptedTemplateOf(adopted(), name, false),
        }),
      ),
    )
  })

  test('is for its people only until each text that looks personal is answered', async () => {
    const questions = [{ kind: 'personal' as const, texts: ['+49 30 77', 'Team North'] }]
    const value = adoptedFor({ adopted: adopted({ questions }) })
    await draw(...chosen, Adoption.requested(), Adoption.loaded({ value }))
    const peopleTaken = () => {
      press('Use it')
      const last = recorded.at(-1)
      return last?.type === 'plan/templateTaken' ? last.data.taken.people : undefined
    }
    expect(body()).toContain('the signature is only for the people whose signatures you chose')
    expect(peopleTaken()).toEqual(['alex.kim@northwind.example'])
    const boxes = all('main input[type=checkbox]')
    expect(boxes).toHaveLength(2)
    act(() => boxes[0]?.click())
    expect(peopleTaken()).toEqual(['alex.kim@northwind.example'])
    act(() => boxes[1]?.click())
    expect(peopleTaken()).toBeNull()
    expect(body()).not.toContain('the signature is only for the people')
  })

  test('is taken for nobody when no person is known and a question is open', async () => {
    const questions = [{ kind: 'personal' as const, texts: ['+49 30 77'] }]
    const value = adoptedFor({ adopted: adopted({ questions, people: [null] }), person: null })
    await draw(...chosen, Adoption.requested(), Adoption.loaded({ value }))
    expect(body()).toContain('Signet does not know yet whom the signature is for.')
    press('Use it')
    expect(recorded).toEqual([])
    act(() => all('main input[type=checkbox]')[0]?.click())
    press('Use it')
    expect(recorded).toHaveLength(1)
  })

  test.each([
    ['paste.html', 'Pasted signature'],
    ['week.eml', 'Corporate'],
    ['Corporate.HTM', 'Corporate'],
  ])('of %s is named %s', async (name, named) => {
    const of = [...begun, Adoption.read({ samples: [sample({ name })] }), Adoption.requested()]
    await draw(...of, Adoption.loaded({ value: adoptedFor() }))
    expect(field('Name').value).toBe(named)
  })
})

describe('the pictures that a signature links to', () => {
  const TITLE = 'Linked pictures'
  const given = Adoption.picturesGiven({ files: createHandle(null) })
  const filesOf = (index: number) => {
    const event = recorded[index]
    if (event?.type !== 'adopting/picturesGiven') throw new Error('Nothing was given')
    return handleValue(event.data.files)
  }

  test('can be dropped or chosen, and are counted', async () => {
    await draw(...made)
    expect(part(TITLE).textContent).toContain('shows 1 picture from the web.')
    const file = new File(['x'], 'logo.png')
    const dataTransfer = { types: ['Files'], items: [], files: [file] }
    const drop = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer })
    act(() => void part(TITLE).querySelector('[data-over]')?.dispatchEvent(drop))
    const choice = field('Choose the files of the pictures')
    Object.defineProperty(choice, 'files', { value: [file] })
    act(() => void choice.dispatchEvent(new Event('change', { bubbles: true })))
    expect([filesOf(0), filesOf(1), recorded.length]).toEqual([
      ...[{ kind: 'files', files: [file] }, { kind: 'files', files: [file] }, 2],
    ])
  })

  test('are read and made again in their place, and the answers stay', async () => {
    await draw(...made)
    const status = () => part(TITLE).querySelector('[data-given]')?.textContent
    act(() => all('main input[type=checkbox]')[0]?.click())
    field('Choose the files of the pictures').focus()
    await go(...made, given)
    expect([status(), said()]).toEqual(['Reading the files…', '1 signature is chosen.'])
    const pictures = Adoption.read({ samples: [sample({ name: null })] })
    await go(...made, given, pictures)
    expect(status()).toBe('The template is being made…')
    await go(
      ...made,
      given,
      pictures,
      Adoption.loaded({ value: adoptedFor({ adopted: adopted({ linked: [] }) }) }),
    )
    expect(part(TITLE).textContent).toContain('All pictures of the signature are now part of it.')
    // The field stays, and so does the focus in it.
    expect(document.activeElement).toBe(field('Choose the files of the pictures'))
    expect(all('main input[type=checkbox]').map((box) => box.matches(':checked'))).toEqual([true])
  })

  test('say where they were given that no file is a picture', async () => {
    await draw(...made, given, Adoption.refused({ refusal: { reason: 'noSignature' } }))
    expect(part(TITLE).textContent).toContain('None of these files is a picture of the signature.')
    expect(all('[role=alert]')).toHaveLength(1)
  })

  test('name each file that replaces none of them, with what to do', async () => {
    const value = adoptedFor({ adopted: adopted({ unusedFiles }) })
    await draw(...chosen, Adoption.requested(), Adoption.loaded({ value }))
    const lines = outline(part(TITLE))
      .filter((line) => /^###|\.(?:png|svg|jpg)$/.test(line))
      .slice(1)
    expect(lines.map((line) => line.split('. ')[0])).toEqual([
      '### Several pictures or files have this name',
      'logo.png',
      '### No picture of the signature has this name',
      'holiday.png',
      '### Mail apps cannot show this picture',
      'drawing.svg',
      '### Too large',
      'photo.jpg',
    ])
  })

  test('have no part where there are none', async () => {
    const value = adoptedFor({ adopted: adopted({ linked: [] }) })
    await draw(...chosen, Adoption.requested(), Adoption.loaded({ value }))
    expect(body()).not.toContain(TITLE)
  })
})
