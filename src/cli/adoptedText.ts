/** Formats the report of `signet adopt`. */
import type {
  AdoptedTemplate,
  FoundPlaceholder,
  AdoptQuestion,
  RemovedMarkup,
  UnusedFile,
} from '../../streams/organisation/adopt/adopted.ts'
import { quoteUntrusted } from '../folder/finding.ts'

const REASONS: Readonly<Record<Exclude<RemovedMarkup['reason'], 'noise'>, string>> = {
  active: 'it may run or load something',
  notMail: 'no mail client takes it',
  unreadable: 'its content is no picture that mail clients show',
  limit: 'it is larger than the limit',
  missing: 'its file was not given',
}

const UNUSED: Readonly<Record<UnusedFile['reason'], string>> = {
  unused: 'no picture has this name',
  unclear: 'several pictures have this name; write the paths of their files into the html',
  unreadable: REASONS.unreadable,
  limit: REASONS.limit,
}

const KINDS: Readonly<Record<RemovedMarkup['kind'], string>> = {
  element: 'element',
  attribute: 'attribute',
  style: 'style',
  comment: 'comment',
  address: 'address',
  picture: 'picture',
  empty: 'element without content or effect',
}

const BECAUSE: Readonly<Record<FoundPlaceholder['because'], string>> = {
  same: 'the text is the value',
  written: 'the value, written in another way',
  follows: 'the address follows its text',
  differs: 'the samples differ here',
  named: 'the name of a field in another product',
}

const QUESTIONS: Readonly<Record<AdoptQuestion['kind'], string>> = {
  differs: 'The samples differ here, and no field of their people has these texts',
  unknownName: 'A field of another product that has no counterpart here',
  differentMarkup: 'The samples have different markup, so that only the first one was taken',
  personal:
    'These texts look personal and stay texts: make a placeholder of each, or leave what is the same for everyone',
  encoding:
    'The encoding of the file is not clear, so that letters may be wrong: name it with --encoding (.htm and .msg), or save the file in UTF-8, and adopt it again',
  noPerson: 'No person is known for this sample, so that its texts stay texts: give --person and --people',
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

/** Names beyond this number are only counted. */
const MAX_NAMES = 20

/**
 * Lists the removed markup, one line per name. Markup that only the authoring program reads shares one line, because
 * Word writes so much of it.
 */
function takenOutLines(takenOut: readonly RemovedMarkup[]): readonly string[] {
  const noise = new Map<string, number>()
  const lines: string[] = []
  for (const { kind, name, count, reason } of takenOut)
    if (reason === 'noise') {
      const of = name.startsWith('mso-') ? 'mso-…' : name
      noise.set(of, (noise.get(of) ?? 0) + count)
    } else lines.push(`${count} × ${KINDS[kind]} ${quoteUntrusted(name)}: ${REASONS[reason]}`)
  if (noise.size === 0) return lines
  const names = [...noise].toSorted(([, one], [, other]) => other - one)
  const others = names.splice(MAX_NAMES).reduce((sum, [, count]) => sum + count, 0)
  const named = names.map(([name, count]) => `${name} (${count})`).join(', ')
  const more = others === 0 ? '' : `, and ${others} others`
  return [...lines, `Only the program that wrote it reads it: ${named}${more}`]
}

const questionLine = ({ kind, texts }: AdoptQuestion): string =>
  texts.length === 0 ? `${QUESTIONS[kind]}.` : `${QUESTIONS[kind]}: ${texts.map(quoteUntrusted).join(', ')}`

function placeholderLine({ placeholder, replaced, value, because, others }: FoundPlaceholder): string {
  const also = others.length === 0 ? '' : `; ${others.join(' and ')} would fit, too`
  const of = value === null || value === replaced ? '' : `, of the value ${quoteUntrusted(value)}`
  return `${placeholder} for ${quoteUntrusted(replaced)}${of}: ${BECAUSE[because]}${also}`
}

/** Reports an adopted signature, in lines. */
export function adoptedText({
  name,
  takenOut,
  placeholders,
  questions,
  variables,
  linked,
  unusedFiles,
  people,
}: AdoptedTemplate): string {
  return [
    `${name}: the signature of ${people.map((address) => address ?? 'a person who is not known').join(', ')}.`,
    ...section('Taken out:', takenOutLines(takenOut)),
    ...section('Placeholders:', placeholders.map(placeholderLine)),
    ...section(
      'New variables:',
      variables.map(({ path, from }) => `${path}, from the field ${from}`),
    ),
    ...section(
      'Pictures that stay linked (put their files beside the signature, or give --fetch, to bring them into the folder):',
      linked,
    ),
    ...section(
      'Files that were not taken:',
      unusedFiles.map(({ path, reason }) => `${quoteUntrusted(path)}: ${UNUSED[reason]}`),
    ),
    ...section('To decide:', questions.map(questionLine)),
    '',
  ].join('\n')
}
