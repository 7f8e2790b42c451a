/** What `signet adopt` says. */
import type {
  Adopted,
  FoundPlaceholder,
  Question,
  TakenOut,
} from '../../streams/organisation/adopt/adopted.ts'
import { quote } from '../service/folder/finding.ts'

const REASONS: Readonly<Record<TakenOut['reason'], string>> = {
  active: 'it may run or load something',
  noise: 'only the program that wrote it reads it',
  notMail: 'no mail client takes it',
  unreadable: 'its content is no picture that mail clients show',
  limit: 'it is larger than the limit',
  missing: 'its file was not given',
}

const KINDS: Readonly<Record<TakenOut['kind'], string>> = {
  ...{ element: 'element', attribute: 'attribute', style: 'style', comment: 'comment' },
  ...{ address: 'address', picture: 'picture', empty: 'element without content or effect' },
}

const BECAUSE: Readonly<Record<FoundPlaceholder['because'], string>> = {
  same: 'the text is the value',
  written: 'the value, written in another way',
  follows: 'the address follows its text',
  differs: 'the samples differ here',
  named: 'the name of a field in another product',
}

const QUESTIONS: Readonly<Record<Question['kind'], string>> = {
  differs: 'The samples differ here, and no field of their people has these texts',
  unknownName: 'A field of another product that has no counterpart here',
  differentMarkup: 'The samples have different markup, so that only the first one was taken',
  noPerson: 'No person is known for this sample, so that its texts stay texts',
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

const takenOutLine = ({ kind, name, count, reason }: TakenOut): string =>
  `${count} × ${KINDS[kind]} ${quote(name)}: ${REASONS[reason]}`

function placeholderLine({ placeholder, replaced, value, because, others }: FoundPlaceholder): string {
  const also = others.length === 0 ? '' : `; ${others.join(' and ')} would fit, too`
  const of = value === null || value === replaced ? '' : `, of the value ${quote(value)}`
  return `${placeholder} for ${quote(replaced)}${of}: ${BECAUSE[because]}${also}`
}

/** The report of an adopted signature, in lines. */
export function adoptedText({
  name,
  takenOut,
  placeholders,
  questions,
  variables,
  linked,
  people,
}: Adopted): string {
  return [
    `${name}: the signature of ${people.map((address) => address ?? 'a stranger').join(', ')}.`,
    ...section('Taken out:', takenOut.map(takenOutLine)),
    ...section('Placeholders:', placeholders.map(placeholderLine)),
    ...section(
      'New variables:',
      variables.map(({ path, from }) => `${path}, from the field ${from}`),
    ),
    ...section('Pictures that stay linked (--fetch brings them into the folder):', linked),
    ...section(
      'To decide:',
      questions.map(({ kind, texts }) => `${QUESTIONS[kind]}: ${texts.map(quote).join(', ')}`),
    ),
    '',
  ].join('\n')
}
