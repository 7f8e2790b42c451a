/**
 * The colleagues of the five people in `people.csv`: 235 people made by rules from the lists below, the same at each
 * start. Their ids follow those of the five in the order of people. No rule of the five people's signatures selects a
 * colleague by name.
 */
import { type DirectoryRecord, Person, type PersonFact } from '../../../streams/organisation/facts/events.ts'
import { DAY_MS, dayOf } from '../../../streams/organisation/release/names.ts'
import type { InOf } from '../../../streams/kernel/schema.ts'
import type { telemetryBody } from '../../../streams/wire/addinRequests.ts'
import type { Language } from '../../../streams/wire/languages.ts'

/** The tenant of the people in `people.csv`. */
const TENANT = '0f5e0d3c-7a41-4b0e-9c55-6b0f5a3d0001'

type Country = 'DE' | 'GB' | 'PT'
type Spoken = Extract<Language, 'de' | 'en' | 'es' | 'fr' | 'it' | 'pt'>

const words = (text: string): readonly string[] => text.split(' ')

/** First and last names by the person's language. */
const NAMES: Readonly<Record<Spoken, Readonly<{ first: readonly string[]; last: readonly string[] }>>> = {
  en: {
    first: words(
      'Amelia Oscar Freya Callum Imogen Rhys Nadia Declan Priya Hugo Bethan Kofi Esme Rowan Tamsin Idris Maeve Jonah Zara Angus',
    ),
    last: words(
      'Ashworth Birchall Calloway Dunmore Eastwick Fairburn Garside Hollins Inglewood Kettering Larkham Merriden Northcott Oakshott Penhallow Quarrell Redfearn Stanbury Thackray Whitcombe',
    ),
  },
  de: {
    first: words(
      'Anke Bastian Carla Detlef Elif Florian Greta Henrik Imke Jannis Karoline Lennart Meike Nils Okan Petra Rieke Sönke Tjark Ute',
    ),
    last: words(
      'Ahlers Brodersen Claußen Detmers Eggers Friedrichsen Grotjahn Harms Ingwersen Jürgens Köster Lüders Möhlmann Nissen Oltmanns Petersen Rickmers Stührk Thode Wübben',
    ),
  },
  pt: {
    first: words(
      'Afonso Beatriz Catarina Duarte Eva Filipe Gonçalo Helena Inês Joaquim Leonor Matilde Nuno Olívia Patrícia Rui Sofia Tomás Vasco Xavier',
    ),
    last: words(
      'Abrantes Baldaia Carvalhal Damasceno Esteves Falcato Guedes Henriques Lavrador Meireles Nogueira Outeiro Pestana Quintela Ramalho Salgueiro Teles Valadares Vilarinho Zambujal',
    ),
  },
  es: {
    first: words('Alba Borja Candela Diego Elena Gorka Irene Javier'),
    last: words('Aranda Bermejo Cifuentes Doncel Escudero Galindo Larrea Montalvo'),
  },
  fr: {
    first: words('Amandine Bastien Clémence Damien Élodie Fabrice Gaëlle Jérôme'),
    last: words('Aubertin Bonnefoy Chatelain Delorme Estève Fauvel Guérin Lambret'),
  },
  it: {
    first: words('Alessia Bruno Chiara Davide Elisa Fabio Giada Luca'),
    last: words('Amorosi Bellandi Corsini Damiani Ferrante Galvani Lombardi Marchetti'),
  },
}

/** The people of a department in a country. The first of them has the first title. */
type Team = Readonly<{ department: string; people: number; titles: readonly string[] }>

type Site = Readonly<{
  /** Each person has the next of these languages, and after the last one the first. */
  languages: readonly Spoken[]
  offices: readonly string[]
  /** The code of the site, which the directory has in its first extension attribute. */
  code: string
  company: string
  /** Numbers for fiction where the country reserves some. `place` is below 200. */
  phone: (place: number) => string
  mobile: (place: number) => string
  teams: readonly Team[]
}>

/** The domain of the organisation's second brand, from which its head of sales also writes. */
export const FERRIES_DOMAIN = 'northwind-ferries.example'
const FERRIES_TITLE = 'Head of Sales'

/** Some organisations have data of their own in the extension attributes. */
export const SITE_CODE_FIELD = 'onPremisesExtensionAttributes.extensionAttribute1'

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

const SITES: Readonly<Record<Country, Site>> = {
  GB: {
    languages: ['en', 'en', 'en', 'fr', 'en', 'en', 'en', 'it', 'en', 'en'],
    offices: ['Harbour House, 1st floor', 'Harbour House, 2nd floor', 'Harbour House, 3rd floor'],
    code: 'LON',
    company: 'Northwind Trading',
    phone: (place) => `+44 20 7946 0${digits(200 + place, 3)}`,
    mobile: (place) => `+44 7700 900${digits(200 + place, 3)}`,
    teams: [
      {
        department: 'Operations',
        people: 26,
        titles: ['Head of Operations', 'Voyage Planner', 'Berth Coordinator', 'Port Agent', 'Duty Manager'],
      },
      {
        department: 'Sales',
        people: 24,
        titles: ['Head of Sales', 'Account Manager', 'Key Account Manager', 'Sales Assistant'],
      },
      {
        department: 'Customs',
        people: 14,
        titles: ['Head of Customs', 'Customs Declarant', 'Compliance Officer'],
      },
      {
        department: 'Finance',
        people: 14,
        titles: ['Chief Financial Officer', 'Accountant', 'Payroll Officer', 'Controller'],
      },
      { department: 'IT', people: 12, titles: ['Head of IT', 'Systems Engineer', 'Service Desk Analyst'] },
      {
        department: 'Marketing',
        people: 10,
        titles: ['Head of Marketing', 'Events Manager', 'Content Editor'],
      },
      {
        department: 'Human Resources',
        people: 8,
        titles: ['Head of Human Resources', 'Recruiter', 'Training Coordinator'],
      },
      // Two people who have just joined: the directory knows little of them, and no rule selects them.
      { department: '', people: 2, titles: [] },
    ],
  },
  DE: {
    languages: ['de'],
    offices: ['Speicherstadt, Hamburg', 'Am Sandtorkai, Hamburg'],
    code: 'HAM',
    company: 'Northwind Trading',
    phone: (place) => `+49 40 66969 ${digits(200 + place, 3)}`,
    mobile: (place) => `+49 171 39200${digits(place, 2)}`,
    teams: [
      {
        department: 'Operations',
        people: 18,
        titles: ['Leitung Umschlag', 'Schichtleitung', 'Disposition', 'Schiffsmeldung'],
      },
      {
        department: 'Sales',
        people: 12,
        titles: ['Leitung Vertrieb', 'Kundenbetreuung', 'Vertriebsinnendienst'],
      },
      {
        department: 'R&D',
        people: 12,
        titles: ['Leitung Entwicklung', 'Ingenieurin', 'Ingenieur', 'Datenanalyse'],
      },
      {
        department: 'Customs',
        people: 10,
        titles: ['Leitung Zoll', 'Zolldeklaration', 'Exportkontrolle'],
      },
      { department: 'IT', people: 8, titles: ['Leitung IT', 'Systemadministration', 'Anwendungsbetreuung'] },
      { department: 'Finance', people: 6, titles: ['Leitung Finanzen', 'Buchhaltung', 'Controlling'] },
      { department: 'Human Resources', people: 4, titles: ['Leitung Personal', 'Personalreferat'] },
    ],
  },
  PT: {
    languages: ['pt', 'pt', 'es', 'pt', 'pt'],
    offices: ['Cais da Ribeira, Porto', 'Doca de Alcântara, Lisboa'],
    code: 'OPO',
    company: 'Northwind Trading (Portugal), Lda.',
    phone: (place) => `+351 21 555 0${digits(200 + place, 3)}`,
    mobile: (place) => `+351 91 555 0${digits(200 + place, 3)}`,
    teams: [
      {
        department: 'Operações Ibéricas',
        people: 25,
        titles: ['Chefe de Turno', 'Planeamento de Escalas', 'Agente de Navegação', 'Gestão de Cais'],
      },
      {
        department: 'Sales',
        people: 12,
        titles: ['Direção Comercial', 'Gestão de Clientes', 'Apoio Comercial'],
      },
      {
        department: 'Customs',
        people: 8,
        titles: ['Chefe de Alfândega', 'Declarante Aduaneiro', 'Conformidade'],
      },
      { department: 'Finance', people: 5, titles: ['Direção Financeira', 'Contabilidade', 'Tesouraria'] },
      { department: 'Marketing', people: 5, titles: ['Direção de Marketing', 'Eventos', 'Conteúdos'] },
    ],
  },
}

export type Colleague = Readonly<{ id: string; record: DirectoryRecord; hasLeft: boolean }>

/** Whether one of `every` people has a feature, by the person's number. */
const isEvery = (every: number, number: number): boolean => number % every === every - 1

/** The letters of a name in an address. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z]/g, '')

/** The name of the person with this number among those who speak the language. */
function nameOf(language: Spoken, number: number): readonly [first: string, last: string] {
  const { first, last } = NAMES[language]
  const round = Math.floor(number / first.length)
  return [first[number % first.length] ?? '', last[(number * 3 + round) % last.length] ?? '']
}

function* makeColleagues(): Generator<Colleague> {
  const spoken = new Map<Spoken, number>()
  let number = 0
  for (const [country, site] of Object.entries(SITES)) {
    let place = 0
    for (const { department, people, titles } of site.teams)
      for (let member = 0; member < people; member += 1) {
        const language = site.languages[place % site.languages.length] ?? 'en'
        const speaker = spoken.get(language) ?? 0
        const [givenName, surname] = nameOf(language, speaker)
        const title = member === 0 ? titles[0] : titles[1 + ((member - 1) % (titles.length - 1))]
        const fields = {
          givenName,
          surname,
          jobTitle: isEvery(19, number) ? '' : (title ?? ''),
          department,
          telephoneNumber: isEvery(11, number) ? '' : site.phone(place),
          mobile: isEvery(3, number) ? site.mobile(place) : '',
          officeLocation: site.offices[place % site.offices.length] ?? '',
          companyName: site.company,
          employeeId: `NW-${String(5_000 + number)}`,
          country,
          [SITE_CODE_FIELD]: site.code,
          plan: 'full',
        }
        const local = `${plain(givenName)}.${plain(surname)}`
        yield {
          id: `v-${digits(number + 1, 3)}`,
          record: {
            addresses: [
              `${local}@northwind.example`,
              ...(fields.jobTitle === FERRIES_TITLE ? [`${local}@${FERRIES_DOMAIN}`] : []),
            ],
            account: { tenant: TENANT, oid: `8d20b7e4-c${digits(number + 1, 3)}` },
            language,
            fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
            groups: country === 'GB' && department === 'Operations' ? ['voyage-planning'] : [],
            picture: null,
          },
          hasLeft: isEvery(29, number),
        }
        spoken.set(language, speaker + 1)
        place += 1
        number += 1
      }
  }
}

export const COLLEAGUES: readonly Colleague[] = [...makeColleagues()]

/** A correction until the directory says something else, and a signature that an administrator gave. */
const SET_BY_HAND: ReadonlyMap<string, readonly PersonFact[]> = new Map([
  ['v-003', [Person.corrected({ fields: { jobTitle: { value: 'Fleet Manager', until: 'changed' } } })]],
  ['v-004', [Person.pinned({ signature: 'office', until: 'removed' })]],
])

/** The first and the last day of an absence, counted from the start of the demonstration, and who stands in. */
type Absence = Readonly<{ from: number; to: number; deputy: string }>

/** A salesperson who is away, and a customs declarant who is away soon. */
const ABSENCES: ReadonlyMap<string, Absence> = new Map([
  ['v-030', { from: -2, to: 5, deputy: 'v-031' }],
  ['v-053', { from: 6, to: 20, deputy: 'v-054' }],
])

function enteredAbsence({ from, to, deputy }: Absence, now: number): PersonFact {
  const day = (days: number) => dayOf(now + days * DAY_MS)
  const [absence_deputy = ''] = COLLEAGUES.find(({ id }) => id === deputy)?.record.addresses ?? []
  return Person.valuesSaved({
    values: { absence_from: day(from), absence_to: day(to), absence_deputy },
    reset: [],
  })
}

/** The facts about a colleague when the demonstration begins, at a moment in milliseconds since 1970. */
export function factsOfColleague({ id, record, hasLeft }: Colleague, now: number): readonly PersonFact[] {
  const absence = ABSENCES.get(id)
  return [
    Person.imported({ record }),
    ...(SET_BY_HAND.get(id) ?? []),
    ...(absence ? [enteredAbsence(absence, now)] : []),
    ...(hasLeft ? [Person.departed()] : []),
  ]
}

/** The report of a person's add-in, and when it arrived, in milliseconds since 1970. */
export type ColleagueReport = Readonly<{ person: string; reported: InOf<typeof telemetryBody>; at: number }>

const CLIENTS = ['PC', 'OfficeOnline', 'PC', 'Mac', 'OfficeOnline', 'PC', 'iOS'] as const
/** Most of them lately, some a few weeks ago. */
const REPORTED_DAYS = 26
const HOUR_MS = 3_600_000

/**
 * The reports of the colleagues who use the add-in, in the last four weeks before `now`. Some have not updated it yet,
 * some have two mail clients, and in some the signature was not inserted automatically.
 */
export const colleagueReports = (now: number): readonly ColleagueReport[] =>
  COLLEAGUES.flatMap(({ id, record: { language }, hasLeft }, number) => {
    if (hasLeft || isEvery(3, number)) return []
    const first = CLIENTS[number % CLIENTS.length] ?? 'PC'
    const clients = isEvery(5, number) && first !== 'iOS' ? [first, 'iOS'] : [first]
    return {
      person: id,
      reported: {
        package: { name: 'signet', version: isEvery(4, number) ? '1.0.0' : '1.1.0' },
        context: clients.map((platform) => ({
          platform,
          language: language ?? 'en',
          ...(platform !== 'iOS' && { launch: isEvery(17, number) ? 'failed' : 'went' }),
        })),
        settings: {},
        beta: false,
        navigator: { language: language ?? 'en' },
      },
      at: now - ((number * 7) % REPORTED_DAYS) ** 2 * HOUR_MS,
    }
  })
