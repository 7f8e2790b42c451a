/** Explains a signature in a sent mail, in sentences for the terminal. */
import { compareSent, type SentComparison, type SentDifference } from '../../streams/html/sent.ts'
import { SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import type { ExplainedSent } from '../../streams/wire/administration/explaining.ts'
import { countText, orList, momentText, namesLeftTexts, numberText, shortId } from './planText.ts'

const USES: Readonly<Record<ExplainedSent['use'], string>> = {
  signature: 'new messages',
  reply: 'replies',
  mobile: 'mobile mail',
  meeting: 'meetings',
}

const SURE: Readonly<Record<ExplainedSent['by'], string>> = {
  hash: 'this is certain: it gives exactly the html that was inserted',
  words: 'this is likely: it gives the same words, but other html',
  time: 'this is a guess by the time of the mail: no release of that time gives this html or these words',
}

/**
 * Explains how a sent signature was made, whether it was changed, and what its owner gets today.
 *
 * @param sent the html of the signature in the mail
 */
export function sentText(explained: ExplainedSent, sent: string): string {
  const { owner, writer, signature, release, number, published, by, use, template, blocks, places } =
    explained
  const placed = (item: string, name: string) => {
    const { line } = places[item] ?? {}
    return line === undefined ? name : `${name} (${SIGNET_FILE}:${line})`
  }
  const lines = [
    `${signature.name}, the version for ${USES[use]}, of ${owner.name === '' ? owner.address : `${owner.name} (${owner.address})`}${owner.isActive ? '' : ', who left'}:`,
    ...(writer
      ? [`  Written by ${writer.name === '' ? writer.address : `${writer.name} (${writer.address})`}.`]
      : []),
    `  Release ${shortId(release)}, number ${number}, published ${momentText(published)}; ${SURE[by]}.`,
    `  The rule: ${placed(`signatures.${signature.id}`, signature.id)}; the template: ${template}.`,
    `  ${
      blocks.length === 0
        ? 'Without a block'
        : `Blocks: ${orList(
            blocks.map(({ block, name }) => placed(`blocks.${block}`, name)),
            'and',
          )}`
    }.`,
    `  ${changedText(by, compareSent(sent, explained.html))}`,
    ...todayTexts(explained).map((text) => `  ${text}`),
    ...namesLeftTexts(explained.namesLeft).map((text) => `  ${text}`),
    `  Lines are those of the ${SIGNET_FILE} that this writes: signet export <folder> --release ${number}`,
  ]
  return `${lines.join('\n')}\n`
}

/** Explains whether the signature was changed after it was inserted. */
function changedText(by: ExplainedSent['by'], { difference, rewritten, attached }: SentComparison): string {
  const more = [...rewrittenTexts(rewritten), ...attachedTexts(attached)].map((text) => ` ${text}`).join('')
  if (difference !== null)
    return by === 'hash'
      ? `It was changed afterwards: ${differenceText(difference)}${more}`
      : `Whether it was changed afterwards cannot be told. What this release gives differs: ${differenceText(difference)}${more}`
  const compared = orList(
    ['words', ...(attached === 0 ? ['pictures'] : []), ...(rewritten.length === 0 ? ['links'] : [])],
    'and',
  )
  if (by !== 'hash')
    return `Its ${compared} are as the release gives them, so nothing in them speaks for a change.${more}`
  return more === ''
    ? `It was not changed afterwards: its ${compared} are as inserted.`
    : `No change is seen, but not all can be compared: its ${compared} are as inserted.${more}`
}

/**
 * Names the hosts that rewritten links lead to. Link checkers and click trackers rewrite addresses in the same way, so
 * only the host tells them apart.
 */
const rewrittenTexts = (hosts: readonly string[]): readonly string[] =>
  hosts.length === 0
    ? []
    : [
        `${countText(hosts.length, 'link leads', 'links lead')} to ${orList(Array.from(new Set(hosts)), 'and')} first, with the own address inside. Servers that check links do that; whether this is one of yours, Signet does not know.`,
      ]

const attachedTexts = (attached: number): readonly string[] =>
  attached === 0
    ? []
    : [
        `${countText(attached, 'picture is attached to the mail, and its', 'pictures are attached to the mail, and their')} content is not compared.`,
      ]

function differenceText(difference: SentDifference): string {
  const { sent, written } = difference
  switch (difference.kind) {
    case 'words':
      return `first, the mail says ${textOf(difference.sent)}, and the release ${textOf(difference.written)}.`
    case 'pictures':
      return `the mail has ${countText(difference.sent, 'picture')}, and the release ${countText(difference.written, 'picture')}.`
    case 'links':
      return `the mail has ${countText(difference.sent, 'link')}, and the release ${countText(difference.written, 'link')}.`
    case 'picture':
      return `the mail has the picture ${sent} in the place of ${written}.`
    case 'link':
      return `a link leads to ${sent}, and by the release to ${written}.`
  }
}

const textOf = (text: string): string => (text === '' ? 'nothing more' : `“${text}”`)

/**
 * Describes what the owner would get in such a message today: the same signature, and the default if that is another
 * one.
 */
function todayTexts({ today, signature, html, owner }: ExplainedSent): readonly string[] {
  if (!owner.isActive) return ['Today they get no signature.']
  if (today.length === 0) return [`Today they do not have ${signature.name}, and no default.`]
  const same = today.find((each) => each.signature === signature.id)
  return [
    ...(same ? [] : [`Today they do not have ${signature.name}.`]),
    ...today.map(({ signature: id, name, isDefault, html: now, blocks }) => {
      const named = `${name}${isDefault ? ', the default' : ''}${blocks.length === 0 ? '' : `, with ${orList(blocks, 'and')}`}`
      if (id !== signature.id || now === null) return `Today they get ${named}.`
      const { difference, rewritten } = compareSent(now, html)
      if (difference !== null) return `Today they get ${named}, which differs: ${todayText(difference)}`
      const [host] = rewritten
      return host === undefined
        ? `Today they get ${named}, the same.`
        : `Today they get ${named}, which differs: a link leads to ${host} first.`
    }),
  ]
}

/** Describes how today's signature (`sent`) differs from the signature of the release (`written`). */
function todayText(difference: SentDifference): string {
  switch (difference.kind) {
    case 'words':
      return `first, it says ${textOf(difference.sent)} in the place of ${textOf(difference.written)}.`
    case 'pictures':
      return `it has ${countText(difference.sent, 'picture')} in the place of ${countText(difference.written, 'picture')}.`
    case 'links':
      return `it has ${countText(difference.sent, 'link')} in the place of ${countText(difference.written, 'link')}.`
    case 'picture':
    case 'link':
      return `it has ${difference.sent} in the place of ${difference.written}.`
  }
}

/** The maximum number of further signatures in a thread that are listed by id. */
const OTHERS_NAMED = 20

/** Lists the ids of the signatures further down in the thread; empty if there are none. */
export function othersText(ids: readonly string[]): string {
  if (ids.length === 0) return ''
  const more = ids.length - OTHERS_NAMED
  const named = [...ids.slice(0, OTHERS_NAMED), ...(more > 0 ? [`${numberText(more)} more`] : [])]
  return `Below it: ${orList(named, 'and')}.\n`
}
