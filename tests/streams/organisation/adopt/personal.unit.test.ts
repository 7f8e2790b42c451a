import { describe, expect, test } from 'vitest'
import { deriveTemplate } from '../../../../streams/organisation/adopt/template.ts'
import { personOf } from './adopting.ts'

// What looks personal and stayed text is asked about.

const maria = personOf(
  {
    displayName: 'Maria Silva',
    givenName: 'Maria',
    surname: 'Silva',
    jobTitle: 'Head of Sales',
    'businessPhones.0': '+49 30 1234',
  },
  'maria@northwind.example',
)
const askedOf = (html: string, person: typeof maria | null = maria) =>
  deriveTemplate([{ html, person }], []).questions.flatMap(({ kind, texts }) =>
    kind === 'personal' ? texts : [],
  )

describe('asked about is what looks personal and stayed text', () => {
  test.each([
    ['a number of nobody', '<p>Maria Silva<br>M +49 171 555 66 77</p>', ['+49 171 555 66 77']],
    ['a number with its 0', '<p>Maria Silva<br>T +49 (0)30 901820</p>', ['+49 (0)30 901820']],
    ['an address of nobody', '<p>Maria Silva<br>tom@northwind.example</p>', ['tom@northwind.example']],
    [
      'a title of nobody',
      '<p>Maria Silva<br>Director of Exports<br>+49 30 1234</p>',
      ['Director of Exports'],
    ],
    ['a name of nobody', '<p>Tom Weber<br>+49 30 1234</p>', ['Tom Weber']],
    ['a name behind a label', '<p>Maria Silva<br>T +49 30 1234<br>Assistant: Tom Weber</p>', ['Tom Weber']],
    [
      'the name in other words',
      '<p>+49 30 1234<br>Book a talk with Marias team or maria</p>',
      ['Book a talk with Marias team or maria'],
    ],
    ['a number of a link', '<p>Maria Silva <a href="tel:+4930901820">call</a></p>', ['+4930901820']],
    [
      'an address of a link',
      '<p>Maria Silva <a href="mailto:tom@x.example?subject=x">mail</a></p>',
      ['tom@x.example'],
    ],
    [
      'a page of the person',
      '<p>Maria Silva <a href="https://www.linkedin.com/in/ms77">in</a></p>',
      ['https://www.linkedin.com/in/ms77'],
    ],
    [
      'a picture of the person',
      '<p>Maria Silva <img src="https://x.example/maria-silva.png"></p>',
      ['https://x.example/maria-silva.png'],
    ],
    ['a text of a picture', '<p>Maria Silva <img alt="Call +49 171 5556677"></p>', ['+49 171 5556677']],
    [
      'a text for Word',
      '<p>Maria Silva</p><!--[if mso]><b>Silva, +49 171 5556677</b><![endif]-->',
      ['+49 171 5556677', 'Silva, +49 171 5556677'],
    ],
  ])('%s', (_what, html, texts) => {
    expect(askedOf(html)).toEqual(texts)
  })

  test.each([
    ['values of the person', '<p>Maria Silva<br>Head of Sales<br>T +49 30 1234</p>'],
    ['a label', '<p>Maria Silva<br>Phone: +49 30 1234</p>'],
    ['a sentence', '<p>Maria Silva<br>We never ask for passwords.</p>'],
    [
      'a page of the organisation',
      '<p>Maria Silva<br><a href="https://northwind.example/">www.northwind.example</a></p>',
    ],
    ['a comment that Word does not read', '<p>Maria Silva</p><!-- +49 171 5556677 -->'],
  ])('not %s', (_what, html) => {
    expect(askedOf(html)).toEqual([])
  })

  test('of a person who is not known, a name, a title and a number', () => {
    expect(askedOf('<p>Maria Silva<br>Head of Sales<br>+49 30 901820</p>', null)).toEqual([
      'Maria Silva',
      'Head of Sales',
      '+49 30 901820',
    ])
  })

  test('nothing that the samples of several people have alike', () => {
    const tom = personOf(
      { displayName: 'Tom Weber', givenName: 'Tom', surname: 'Weber' },
      'tom@northwind.example',
    )
    const of = (name: string) => `<p>${name}<br>Trading Floor<br>+49 30 901820</p>`
    const { questions } = deriveTemplate(
      [
        { html: of('Maria Silva'), person: maria },
        { html: of('Tom Weber'), person: tom },
      ],
      [],
    )
    expect(questions).toEqual([])
  })
})
