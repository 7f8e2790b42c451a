/** An organisation's first release: one signature for everyone, with one short template. */
import type { ReleaseDocument, Signature, Variable } from './release.ts'
import { variableNames } from './selectors.ts'

/**
 * Writes a short template: the name and the mail address, and a line each for the job, phone and organisation, if these
 * variables exist.
 */
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

/** A signature for everyone, without a period, with this template as its only version. */
export const plainSignature = (id: string, name: string, template: string): Signature => ({
  id,
  name,
  template,
  reply: null,
  mobile: null,
  selection: { for: 'everyone', not: [] },
  during: null,
  recipients: 'everyone',
  collection: null,
})

/** A picture's content and its `hash`: the first 32 hex digits of the content's SHA-256. */
export type OfferedPicture = Readonly<{ hash: string; mediaType: string; base64: string }>

/**
 * A template to add to a document, with its pictures by path below `pictures/`, and the variables that the document
 * lacks.
 */
export type OfferedTemplate = Readonly<{
  template: string
  pictures: Readonly<Record<string, OfferedPicture>>
  variables: readonly Variable[]
}>

/** A template for the variables of a new organisation. */
export type FirstTemplate = Pick<OfferedTemplate, 'template' | 'pictures'>

/**
 * The variables of a new organisation.
 *
 * @param domain the domain of the organisation's own addresses; null while it is unknown
 */
export function firstVariables(organisation: string, domain: string | null): readonly Variable[] {
  const from = (field: string) => ({ from: field, value: null, resync: false, hidden: false, label: null })
  const always = (value: string | null) => ({ ...from(''), from: null, value, edit: false, group: 'rest' })
  return [
    { path: 'first_name', ...from('givenName'), edit: false, group: null },
    { path: 'last_name', ...from('surname'), edit: false, group: null },
    { path: 'job_title', ...from('jobTitle'), edit: false, group: 'mapped' },
    { path: 'phone', ...from('businessPhones.0'), edit: true, group: 'mapped' },
    { path: 'mobile_phone', ...from('mobilePhone'), edit: true, group: 'mapped' },
    { path: 'organisation_name', ...always(organisation) },
    { path: 'website', ...always(domain === null ? null : `https://www.${domain.toLowerCase()}`) },
  ]
}

/**
 * Builds an organisation's first release.
 *
 * @param domain the domain of the organisation's own addresses
 * @param offered the template for its signature; null for a short one
 */
export function firstRelease(
  organisation: string,
  domain: string,
  offered: FirstTemplate | null = null,
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
  const { template, pictures } = offered ?? {
    template: shortTemplate(variableNames(document)),
    pictures: {},
  }
  return {
    ...document,
    templates: { 'templates/standard.html': template },
    pictures: Object.fromEntries(Object.entries(pictures).map(([path, { hash }]) => [path, hash])),
  }
}
