/** A plan, and why a person has a signature, in sentences for the terminal. */
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import type { Counted, DefaultChange, PlanSummary, SignatureGroup } from '../../streams/organisation/plan.ts'
import type { Period } from '../../streams/organisation/release.ts'
import { type Explained, type Reason, reasonsOf } from '../../streams/organisation/why.ts'

const NUMBER = new Intl.NumberFormat('en')
const SHORT_ID_LENGTH = 8
const COUNT_WIDTH = 6

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(number)} ${number === 1 ? one : many}`

/** `2026-10-01 12:00 UTC` */
export const momentText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const shortId = (release: string): string => release.slice(0, SHORT_ID_LENGTH)

/** `Release 7f3a91c0 (now) → 91c04b2e (signatures)` */
export const releasesText = ({ base, release }: Plan, folder: string): string =>
  `${base === null ? 'Nothing published yet' : `Release ${shortId(base)} (now)`} → ${shortId(release)} (${folder})`

/** `department is Sales and country is DE or AT` */
export function inWords(because: DefaultChange['because']): string {
  if (because === null) return 'nothing fits'
  if (because === 'user') return 'it is their own choice'
  if (because === 'everyone') return 'it is for everyone'
  return because
    .map((condition) => {
      const values = listed(condition.values)
      switch (condition.by) {
        case 'group':
          return `of group ${values}`
        case 'person':
          return `an address is ${values}`
        case 'address':
          return `an address is like ${values}`
        case 'field':
          return `${condition.field} is ${values}`
      }
    })
    .join(' and ')
}

const listed = (words: readonly string[], last = 'or'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`

/** What differs in a group of signatures, after the signature's name. */
export function differenceOf({ kind, aspects }: Pick<SignatureGroup, 'kind' | 'aspects'>): string {
  switch (kind) {
    case 'added':
      return 'is new'
    case 'removed':
      return 'goes away'
    case 'changed':
      return `changes in ${listed(
        aspects.map((aspect) => ASPECTS[aspect]),
        'and',
      )}`
  }
}

const ASPECTS: Readonly<Record<SignatureGroup['aspects'][number], string>> = {
  signature: 'new messages',
  reply: 'replies',
  mobile: 'mobile mail',
  name: 'its name',
  recipients: 'its recipients',
  collection: 'its collection',
}

/** Joins lines, each with its end. */
export function planText(plan: Plan, folder: string): string {
  const { summary } = plan
  const lines = [
    `${releasesText(plan, folder)}   ${count(summary.people, 'person', 'people')}`,
    ...summary.defaults.map((line) => row(line, defaultText(line))),
    ...summary.losing.map((line) => row(line, losingText(line), `  ! for example ${line.sample.address}`)),
    ...summary.signatures.map((line) => row(line, `${line.name} ${differenceOf(line)}`)),
    ...summary.reordered.map((line) => row(line, orderText(line))),
    ...summary.choosing.map((line) =>
      row(line, line.mayChoose ? 'may choose the default from now on' : 'may no longer choose the default'),
    ),
    ...summary.mailboxes.map((line) =>
      row(line, `${line.kind === 'added' ? 'may write' : 'may no longer write'} for ${line.address}`),
    ),
    `${NUMBER.format(summary.unchanged).padStart(COUNT_WIDTH)} unchanged`,
    ...plan.variables.map(({ path, kind }) => `Variable ${path}: ${kind}`),
    ...plan.closed.map(
      ({ name, during }) =>
        `Not open at that time: ${name}, from ${during.from} to ${during.to} (${during.timeZone}); see --on`,
    ),
    ...problemLines(summary),
    `Plan ${plan.id}, kept until ${momentText(plan.until)}`,
  ]
  return `${lines.join('\n')}\n`
}

/** `get another default: Corporate → Autumn fair, because department is Sales` */
export function defaultText(line: PlanSummary['defaults'][number]): string {
  const { from, to } = line
  if (to === null)
    return `${line.people === 1 ? 'has' : 'have'} no default any more; it was ${from ?? 'none'}`
  const because = `because ${inWords(line.because)}`
  return from === null
    ? `${gets(line)} a default: ${to}, ${because}`
    : `${gets(line)} another default: ${from} → ${to}, ${because}`
}

export const losingText = ({ people }: Counted): string =>
  `${people === 1 ? 'loses' : 'lose'} every signature`

const gets = ({ people }: Counted) => (people === 1 ? 'gets' : 'get')

const row = ({ people }: Counted, text: string, after = ''): string =>
  `${NUMBER.format(people).padStart(COUNT_WIDTH)} ${text}${after}`

const problemLines = ({ missing }: PlanSummary): readonly string[] =>
  missing.length === 0
    ? []
    : [
        'Problems:',
        ...missing.map((line) => row(line, missingText(line), `, for example ${line.sample.address}`)),
      ]

export const orderText = (line: Counted): string => `${gets(line)} another order of signatures`

/** `have no phone for Corporate` */
export const missingText = (line: PlanSummary['missing'][number]): string =>
  `${line.people === 1 ? 'has' : 'have'} no ${listed(line.variables)} for ${line.name}`

/** Why a person has these signatures: one sentence for each. */
export function whyText(explained: Explained): string {
  const { person, name, release, signatures, mailboxes } = explained
  const lines = [
    `${name === '' ? person.id : name} (${person.addresses.join(', ')})${person.active ? '' : ', who left'}, release ${shortId(release)}:`,
    ...reasonsOf(signatures, explained.default?.by ?? null).map(
      (reason, index) => `  ${reasonText(signatures[index]?.name ?? '', reason)}.`,
    ),
    ...(explained.default?.by === 'user' && !signatures.some(({ isDefault }) => isDefault)
      ? ['  chose a signature of a mailbox as the default.']
      : []),
    ...mailboxes.map((address) => `  may write for ${address}.`),
  ]
  return `${lines.join('\n')}\n`
}

/** `has Autumn fair, because department is Sales, from 2026-09-01 to 2026-09-30 (UTC)` */
function reasonText(name: string, reason: Reason): string {
  switch (reason.kind) {
    case 'default':
      return `has ${name} as the default, because ${[
        ...(reason.by === 'user' ? ['it is their own choice'] : []),
        inWords(reason.because),
        ...(reason.by === 'organisation'
          ? [reason.isFirst ? 'it stands first' : 'no signature above it applies']
          : []),
      ].join(' and ')}${periodText(reason.during)}`
    case 'has':
      return `has ${name}, because ${inWords(reason.because)}${periodText(reason.during)}`
    case 'notOpen':
      return `does not have ${name}: it is not open${periodText(reason.during)}`
    case 'leftOut':
      return `does not have ${name}: it is not for people of whom this is true: ${inWords(reason.by)}`
    case 'nothingFits':
      return `does not have ${name}: nothing that it is for fits`
  }
}

const periodText = (during: Period | null): string =>
  during ? `, from ${during.from} to ${during.to} (${during.timeZone})` : ''
