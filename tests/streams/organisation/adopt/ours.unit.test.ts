import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFolder, personOf as rowToPerson } from '../../../../src/folder/checkFolder.ts'
import { readFolder } from '../../../../src/folder/readFolder.ts'
import { deriveTemplate } from '../../../../streams/organisation/adopt/template.ts'
import { compileRelease } from '../../../../streams/organisation/release/release.ts'
import { renderingAddresses, renderContextOf } from '../../../../streams/organisation/rendering/render.ts'
import { templateValues } from '../../../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import {
  parseTemplate,
  type Placeholder,
  renderTemplate,
} from '../../../../streams/organisation/template/template.ts'
import { cases } from '../../../support/cases.ts'
import { asDrawn, maria, renderFor, VARIABLES } from './adopting.ts'

const folder = await readFolder(join(import.meta.dirname, '../../../../src/service/demonstration/signatures'))
const { document } = folder
const release = compileRelease('r', { ...document, mailboxes: [] })
const people = (folder.people ?? []).map(rowToPerson)

/** The placeholders of a template and of its parts. */
function placeholdersIn(path: string): readonly Placeholder[] {
  const { placeholders } = parseTemplate(document.templates[path] ?? '', new Map()).template
  return placeholders.flatMap((each) =>
    each.kind === 'part' ? placeholdersIn(`templates/${each.names[0] ?? ''}.part.html`) : [each],
  )
}

const MARK = 'shown here'

describe('[ADOPT-5] adopting a rendered template of the demonstration', () => {
  const paths = [
    ...new Set(document.signatures.flatMap(({ template, reply }) => [template, reply ?? template])),
  ]
  const rendered = (
    path: string,
    person: PersonState,
    values: Readonly<Record<string, string>> = {},
  ): string => {
    const template = release.templateOf(path)
    const context = renderContextOf(release, person, renderingAddresses('https://a.example', person))
    return template === null
      ? ''
      : renderTemplate(template, { ...context, values: { ...context.values, ...values } })
  }

  test.each(paths)('%s finds every placeholder whose value is unique', (path) => {
    const used = placeholdersIn(path).flatMap(({ kind, names }) => (kind === 'text' ? names : []))
    expect(people.length).toBeGreaterThan(0)
    for (const person of people) {
      const html = rendered(path, person)
      const { template, placeholders, variables } = deriveTemplate([{ html, person }], document.variables)
      const names = placeholders.map(({ placeholder }) => placeholder)
      const values = templateValues(release, person, { pictureUrl: '' })
      for (const name of used) {
        const isUnique = Object.values(values).filter((value) => value === values[name]).length === 1
        // Beside a value that is empty, a condition may leave it out.
        const isShown = rendered(path, person, { [name]: MARK }).includes(MARK)
        if (isUnique && values[name] !== '' && isShown) expect(names, html).toContain(`{{${name}}}`)
      }
      expect(asDrawn(renderFor(template, person, variables, document.variables))).toBe(asDrawn(html))
    }
  })

  test('gives a template whose placeholders the check takes', () => {
    const [person = maria] = people
    const templates = Object.fromEntries(
      paths.map((path) => {
        const html = rendered(path, person)
        return [path, deriveTemplate([{ html, person }], document.variables).template]
      }),
    )
    const adopted = {
      ...folder,
      document: { ...document, templates: { ...document.templates, ...templates } },
    }
    const errors = checkFolder(adopted, 0).filter(({ level }) => level === 'error')
    expect(errors.filter(({ file }) => file in templates)).toEqual([])
  })
})

test('[ADOPT-5] adopting what a template renders finds every placeholder whose value is unique', () => {
  const shown = ['display_name', 'job_title', 'phone', 'email', 'website', 'first_name', 'last_name']
  const placeholder = fc.constantFrom(...shown)
  const written = fc
    .tuple(
      placeholder,
      fc.constantFrom(
        (name: string) => `<p>{{${name}}}</p>`,
        (name: string) => `{{#if ${name}}}<tr><td>X:</td><td><b>{{${name}}}</b></td></tr>{{/if}}`,
        (name: string) => `<p>Yours, {{${name}}}.</p>`,
        (name: string) => `<i>a ({{${name}}})</i> | `,
        (name: string) => `<img alt="{{${name}}}">, `,
      ),
    )
    .map(([name, write]) => ({ name, html: write(name) }))
  fc.assert(
    fc.property(fc.array(written, { maxLength: 6 }), (lines) => {
      const html = renderFor(lines.map((each) => each.html).join(''), maria)
      const names = deriveTemplate([{ html, person: maria }], VARIABLES).placeholders.map(
        (each) => each.placeholder,
      )
      expect(names).toEqual(lines.map(({ name }) => `{{${name}}}`))
    }),
    cases(200),
  )
})
