import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderAddedTemplate } from '../../../streams/administration/plan/preview.ts'
import { withAddedTemplate, type AddedTemplate } from '../../../streams/administration/plan/taken.ts'
import { orNull } from '../../../streams/kernel/schema.ts'
import { firstRelease } from '../../../streams/organisation/release/firstRelease.ts'
import { GALLERY_NAMES, galleryTemplate } from '../../../streams/organisation/release/gallery.ts'
import { LOGO } from '../../../streams/organisation/release/galleryPictures.ts'
import { placeholderProblems, vocabularyOf } from '../../../streams/organisation/release/placeholders.ts'
import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { NOON } from '../../support/administration/answers.ts'
import { alex, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { northwind } from '../../support/northwind.ts'
import { variableOf } from '../../support/variables.ts'

const documents = [releaseDocument, northwind.document, firstRelease('Northwind', 'northwind.example')]
const document = fc.constantFrom(...documents)
const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('Corporate', 'Sales', 'Standard'))
const adopted = (over: Partial<AddedTemplate> = {}): AddedTemplate => ({
  name: 'Adopted',
  template: '<p>{{phone}} <img src="{{picture logo.png}}" alt="L"></p>',
  variables: [],
  pictures: { 'logo.png': { hash: 'f'.repeat(32), mediaType: 'image/png', base64: 'AAAA' } },
  ...over,
})

describe('a template that is taken into a draft', () => {
  test('[ADOPT-7] is a last signature for everyone, and replaces nothing that the draft has', () => {
    fc.assert(
      fc.property(document, name, fc.constantFrom(...GALLERY_NAMES), (before, called, offered) => {
        const parts = draftOf({ document: before })
        const taken = { ...galleryTemplate(offered, before), name: called }
        const { document: after, pictures, id } = withAddedTemplate(parts, taken)
        expect(after.signatures.slice(0, -1)).toEqual(before.signatures)
        expect(after.signatures.at(-1)).toMatchObject({ id, selection: { for: 'everyone', not: [] } })
        expect(after.templates).toMatchObject(before.templates)
        expect(after.pictures).toMatchObject(before.pictures)
        expect(after.variables.slice(0, before.variables.length)).toEqual(before.variables)
        expect(pictures).toMatchObject(parts.pictures)
        const names = after.signatures.map((each) => each.name)
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  test('of the gallery has no placeholder that the draft does not know, and can be in a release', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(...GALLERY_NAMES), (before, offered) => {
        const taken = { ...galleryTemplate(offered, before), name: 'New' }
        const { document: after } = withAddedTemplate(draftOf({ document: before }), taken)
        const path = after.signatures.at(-1)?.template ?? ''
        expect(placeholderProblems(path, after.templates[path] ?? '', vocabularyOf(after))).toEqual([])
        if (orNull(documentSchema).read(before, '') !== null)
          expect(orNull(documentSchema).read(after, '')).not.toBeNull()
      }),
    )
  })

  test('[ADOPT-7] gives another path to a picture whose path has another content, in the template, too', () => {
    const { document: after, pictures } = withAddedTemplate(draftOf(), adopted())
    expect(after.pictures).toEqual({ 'logo.png': 'c0ffee', 'logo-2.png': 'f'.repeat(32) })
    expect(after.templates['templates/adopted.html']).toContain('{{picture logo-2.png}}')
    expect(pictures['f'.repeat(32)]).toEqual({ mediaType: 'image/png', base64: 'AAAA' })
    const again = withAddedTemplate({ document: after, pictures }, adopted())
    expect(again.document.pictures).toEqual(after.pictures)
    expect(again.document.templates['templates/adopted-2.html']).toBe(
      after.templates['templates/adopted.html'],
    )
  })

  test('adds the variables that the draft does not have, and keeps its own', () => {
    const variables = [variableOf('phone', { from: 'mobilePhone' }), variableOf('office', { from: 'office' })]
    const { document: after } = withAddedTemplate(draftOf(), adopted({ variables }))
    expect(after.variables).toEqual([...releaseDocument.variables, variables[1]])
  })

  test('of the gallery shows the organisation’s own variable of the same field', () => {
    const own = { ...releaseDocument, variables: [variableOf('tel_no', { from: 'businessPhones.0' })] }
    const { template, variables } = galleryTemplate('plain', own)
    expect(template).toContain('{{tel tel_no}}')
    expect(template).toContain('{{#if tel_no}}')
    expect(template).not.toMatch(/[ {]phone}}/)
    expect(variables.map(({ path }) => path)).toEqual([
      ...['first_name', 'last_name', 'job_title', 'organisation_name', 'mobile_phone'],
    ])
    const named = {
      ...own,
      variables: [...own.variables, variableOf('display_name', { from: 'displayName' })],
    }
    expect(galleryTemplate('plain', named).variables.map(({ path }) => path)).toEqual([
      ...['job_title', 'organisation_name', 'mobile_phone'],
    ])
  })

  test('is shown for a person before it is taken', () => {
    const taken = { ...galleryTemplate('classic', releaseDocument), name: 'Classic' }
    const { html, images } = renderAddedTemplate(
      withAddedTemplate(draftOf(), taken),
      { person: alex, at: NOON },
      'https://x.example/images',
    )
    expect(html).toContain('+49 30 5550')
    expect(images.map(({ url }) => url)).toContain(`https://x.example/images/${LOGO.hash}/logo.png`)
  })
})
