/** What an organisation begins with: one signature for everyone, over one short template. */
import { firstVariables, galleryTemplate, type GalleryName } from './gallery.ts'
import type { ReleaseDocument, Signature } from './release.ts'
import { variableNames } from './selectors.ts'

/** A short template: the name, and a line for each of a job, a phone and the organisation that are variables. */
export function shortTemplate(variables: ReadonlySet<string>): string {
  const line = (name: string, text: string) => (variables.has(name) ? text : '')
  return `<table cellpadding="0" cellspacing="0" border="0" role="presentation">
  <tr><td style="font-family:Arial,sans-serif;font-size:14px;color:#222222;">
    <strong>{{display_name}}</strong>${line('job_title', '{{#if job_title}}<br>{{job_title}}{{/if}}')}
${line(
  'phone',
  `    {{#if phone}}<br>T <a href="tel:{{tel phone}}" style="color:#0f3d5e;">{{phone}}</a>{{/if}}
`,
)}    <br>E <a href="mailto:{{email}}" style="color:#0f3d5e;">{{email}}</a>
${line(
  'organisation_name',
  `    <br>{{organisation_name}}
`,
)}  </td></tr>
</table>
`
}

/** A signature for everyone, always, that has no version but this template. */
export const plainSignature = (id: string, name: string, template: string): Signature => ({
  ...{ id, name, template, reply: null, mobile: null, selection: { for: 'everyone', not: [] } },
  ...{ during: null, recipients: 'everyone', collection: null },
})

/**
 * @param domain the domain of the organisation's own addresses
 * @param from the template of the gallery that the signature has; null for a short one
 */
export function firstRelease(
  organisation: string,
  domain: string,
  from: GalleryName | null = null,
): ReleaseDocument {
  const document: ReleaseDocument = {
    version: 1,
    organisation,
    internal: [domain.toLowerCase()],
    chooseDefault: { for: 'everyone', not: [] },
    plan: { from: null, value: 'full' },
    variables: firstVariables(organisation, domain),
    signatures: [plainSignature('standard', 'Standard', 'templates/standard.html')],
    mailboxes: [],
    templates: {},
    pictures: {},
  }
  const { template, pictures } =
    from === null
      ? { template: shortTemplate(variableNames(document)), pictures: {} }
      : galleryTemplate(from, document)
  return {
    ...document,
    templates: { 'templates/standard.html': template },
    pictures: Object.fromEntries(Object.entries(pictures).map(([path, { hash }]) => [path, hash])),
  }
}
