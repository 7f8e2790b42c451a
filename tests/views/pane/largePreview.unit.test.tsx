import fc from 'fast-check'
import { BehaviorSubject } from 'rxjs'
import { expect, test } from 'vitest'
import type { PaneGesture } from '../../../streams/pane/events.ts'
import type { AppState } from '../../../streams/pane/state.ts'
import { changeBetween } from '../../../streams/html/change.ts'
import type { ReadabilityIssue } from '../../../streams/html/readability.ts'
import { Preview } from '../../../streams/pane/preview/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { AppProvider } from '../../../views/pane/app.tsx'
import { Findings } from '../../../views/pane/preview/Findings.tsx'
import { changeText } from '../../../views/pane/text/change.ts'
import type { TextValues } from '../../../views/shared/translation.ts'
import { createClock } from '../../support/clock.ts'
import { signedInWriting, stateAfter } from '../../support/state.ts'
import { all, announced, click, englishTexts, said, useDrawing } from '../drawing.tsx'

const { render } = useDrawing()

const writing = signedInWriting('item-1')
const recorded: PaneGesture[] = []

const draw = (issues: readonly ReadabilityIssue[] | null, state: AppState = stateAfter(...writing)) => {
  recorded.length = 0
  render(
    <AppProvider
      value={{
        state$: new BehaviorSubject(state),
        record: (event) => void recorded.push(event),
        loadSanitizer: () => new Promise(() => undefined),
        imageOrigins: [],
        time: createClock(),
        viewOf: () => null,
        version: '0.0.0',
        supportUrl: null,
      }}
    >
      <Findings name="Fair & square" issues={issues} isChecked={issues !== null} place="Dark, Phone" />
    </AppProvider>,
  )
}
const line = () => all('summary')[0]?.textContent ?? all('p')[0]?.textContent

const small = { kind: 'small', text: 'Fine print', size: 7.96 } as const
const issues: readonly ReadabilityIssue[] = [
  { kind: 'wide', width: 700 },
  { kind: 'contrast', text: 'Pale', ratio: 4.49, needed: 4.5 },
  small,
  { kind: 'noAlternative', image: 'logo.png' },
  { kind: 'noAlternative', image: '' },
  { kind: 'notLoaded', image: 'Gone' },
  { kind: 'foreign', image: 'Elsewhere' },
]

test('[CHOOSE-5] what is hard to read is one line, closed, that counts the details below it', () => {
  draw(null)
  expect(line()).toBe('Checking how easy it is to read')
  draw([])
  expect(line()).toBe('Easy to read')
  expect(all('details')).toEqual([])
  draw([small])
  expect(line()).toBe('1 thing is hard to read')
  draw(issues)
  expect(line()).toBe('7 things are hard to read')
  expect(all('details')[0]?.hasAttribute('open')).toBe(false)
  expect(all('li').map(({ textContent }) => textContent)).toEqual([
    'At 700 pixels, the signature is wider than this screen. Readers see it smaller or have to scroll sideways.',
    // Rounded down: neither a contrast nor a size reads as enough.
    '“Pale” is hard to read. Its contrast is 4.4:1 and should be at least 4.5:1.',
    '“Fine print” is only 7.9 pixels high. Text under 9 pixels is hard to read.',
    'The picture “logo.png” has no alt text. People who can’t see it won’t know what it shows.',
    'A picture has no alt text. People who can’t see it won’t know what it shows.',
    'Couldn’t load the picture “Gone”. Readers will see an empty space.',
    'The picture “Elsewhere” is stored on another website and isn’t loaded here. Many mail apps ask before they show it.',
  ])
})

test('[CHOOSE-5] what is hard to read goes to the administrator by a prepared mail', () => {
  draw([small, { kind: 'wide', width: 700 }])
  const mail = new URL(all('a')[0]?.getAttribute('href') ?? '')
  expect(mail.protocol + mail.pathname).toBe('mailto:')
  expect(mail.searchParams.get('subject')).toBe('Signature “Fair & square”: hard to read')
  expect(mail.searchParams.get('body')?.split('\r\n\r\n')).toEqual([
    'Some of the signature “Fair & square” is hard to read (view: Dark, Phone).',
    '– “Fine print” is only 7.9 pixels high. Text under 9 pixels is hard to read.',
    '– At 700 pixels, the signature is wider than this screen. Readers see it smaller or have to scroll sideways.',
  ])
})

test('what is hard to read can be copied, and the outcome of this copy is told', () => {
  draw([small])
  click('Copy')
  const [asked] = recorded
  const text = asked?.type === 'preview/copyRequested' ? asked.data.text : ''
  expect(text).toMatch(/^Signature “Fair & square”: hard to read\n\nSome of .*\n\n– “Fine print”/)
  const copying = Preview.copyRequested({ text })
  draw([small], stateAfter(...writing, copying))
  expect(announced()).toEqual([])
  draw([small], stateAfter(...writing, copying, Preview.copied()))
  expect(announced()).toEqual(['Copied'])
  draw([small], stateAfter(...writing, copying, Preview.copyFailed({ failure: { kind: 'clipboard' } })))
  expect(announced()).toHaveLength(1)
  expect(said()).not.toContain('Copied')
  // Not that of other findings, nor that of another page.
  draw([{ kind: 'wide', width: 700 }], stateAfter(...writing, copying, Preview.copied()))
  expect(announced()).toEqual([])
  draw([small], stateAfter(...writing, copying, Preview.copied(), Router.navigated({ path: '/about' })))
  expect(announced()).toEqual([])
})

/** A signature of these lines and of these pictures; a picture's content is a letter repeated. */
const signature = fc
  .tuple(
    fc.array(fc.constantFrom('Alex', 'Sales', 'Phone'), { maxLength: 3 }),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    fc.constantFrom('A', 'B'),
    fc.constantFrom(4, 400, 4_000),
    fc.constantFrom('p', 'div'),
  )
  .map(([lines, pictures, letter, length, element]) => ({
    lines,
    pictures: new Map(pictures.map((name) => [name, letter.repeat(length)])),
    html:
      lines.map((line) => `<${element}>${line}</${element}>`).join('') +
      pictures.map((name) => `<img src="https://cdn.example/${name}.png">`).join(''),
    images: pictures.map((name) => ({
      url: `https://cdn.example/${name}.png`,
      name,
      content: letter.repeat(length),
      status: 200,
    })),
  }))

test('[CHOOSE-6] the sentence about a change says every part of it, and nothing else', () => {
  const texts = englishTexts()
  const t = (key: string, values?: TextValues) => texts.t(key, { ...values })
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [count === 1 ? `one picture ${one}` : `${String(count)} pictures ${many}`]
  fc.assert(
    fc.property(signature, signature, (before, after) => {
      const change = changeBetween(before, after)
      const [head = '', size] = changeText(change, t).split('; ')
      const kept = [...after.pictures].filter(([name]) => before.pictures.has(name))
      const differing = kept.filter(([name, content]) => before.pictures.get(name) !== content).length
      if (before.html === after.html && differing === 0) {
        expect(head).toBe('Nothing changes. Your message already has this signature.')
        return
      }
      const pictures = [
        ...counted(after.pictures.size - kept.length, 'is added', 'are added'),
        ...counted(before.pictures.size - kept.length, 'is removed', 'are removed'),
        ...counted(differing, 'changes', 'change'),
      ]
      const isSubsequence = (short: readonly string[], long: readonly string[]) => {
        let found = 0
        for (const line of long) if (line === short[found]) found++
        return found === short.length
      }
      const [grows, shrinks] = [
        isSubsequence(before.lines, after.lines),
        isSubsequence(after.lines, before.lines),
      ]
      const text =
        grows && shrinks ? [] : [grows ? 'text is added' : shrinks ? 'text is removed' : 'the text changes']
      const parts = [...text, ...pictures]
      const sentence = new Intl.ListFormat('en').format(
        parts.length === 0 ? ['only formatting or links change'] : parts,
      )
      expect(head).toBe(sentence.charAt(0).toUpperCase() + sentence.slice(1))
      const kilobytes = Math.round((change.bytesAfter - change.bytesBefore) / 100) / 10
      expect(size).toBe(
        kilobytes === 0
          ? 'about the same size.'
          : `${String(Math.abs(kilobytes))} KB ${kilobytes > 0 ? 'more' : 'less'}.`,
      )
    }),
    { numRuns: 500 },
  )
})
