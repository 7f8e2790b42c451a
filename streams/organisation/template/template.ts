/**
 * Signature templates: HTML with placeholders for a user's variables.
 *
 *     {{job_title}}                   the value, escaped for text and quoted attributes
 *     {{tel mobile_phone}}            the first phone number, for `tel:`
 *     {{web website}}                 an http(s) address, otherwise `#`
 *     {{phone mobile_phone}}          a phone number in the international format of its country
 *     {{first mobile_phone phone}}    the first value that is not empty
 *     {{#if a}} … {{else}} … {{/if}}  depends on whether the value has text; can be nested
 *     {{#if a b}} … {{/if}}           depends on whether any of these values has text
 *     {{> legal}}                     the part `templates/legal.part.html`; parts cannot include parts
 *     {{picture banners/autumn.png}}  the address of a picture in the release
 *     {{picture logo.png linked}}     the same for a picture that is never attached to a message
 *     {{block banner}}                the block in the slot `banner`
 *     {{#block banner}} … {{block}} … {{/block}}   the same, with html around it that disappears without a block
 *     {{counted https://…}}           the address, or a redirect to it that counts clicks
 *     {{qr https://…}}                the address of a picture with the QR code of this address
 *     {{qr vcard}}                    the same for a card with the values that the template shows
 *     {{address}}                     the postal address on separate lines, unless a variable has this name
 *     {{card}}                        the card's address, or empty, unless a variable has this name
 *     {{manager.job_title}}           the manager's value
 */
import {
  STRICTEST_CIRCUMSTANCES,
  type Candidate,
  type Slot,
  type SlottedHtml,
  blockAppearsIn,
} from '../../html/slots.ts'

/** The size limit of a template with its parts. A part counts once for each include. */
const TEMPLATE_LIMIT_CHARACTERS = 1_000_000

export type ProblemCode =
  /** `{{#if}}` without `{{/if}}`. */
  | 'unclosed'
  /** `{{#block banner}}` without `{{/block}}`. */
  | 'unclosedSlot'
  | 'unexpectedElse'
  | 'unexpectedClose'
  | 'unknownPart'
  | 'partInPart'
  /** A slot in a slot. */
  | 'slotInSlot'
  /** `{{#block banner}}` without `{{block}}` inside. */
  | 'slotWithoutBlock'
  /** `{{` without a valid placeholder. */
  | 'unknownPlaceholder'
  /** The template with its parts is too long. The rest is left out. */
  | 'tooLong'

/** `at` is an offset in the template's text; `name` is the text between the braces, or the part's name. */
export type TemplateProblem = Readonly<{ at: number; code: ProblemCode; name: string }>

/**
 * `slot` is a whole slot. `slotStart` and `slotEnd` enclose a slot with html around its block, and `block` marks the
 * place of the block.
 */
export type PlaceholderKind =
  | 'text'
  | 'tel'
  | 'web'
  | 'first'
  | 'if'
  | 'else'
  | 'end'
  | 'picture'
  | 'part'
  | 'slot'
  | 'slotStart'
  | 'slotEnd'
  | 'block'
  | 'counted'
  | 'phone'
  | 'qr'

/**
 * One placeholder from `at` to `end` in the text. Depending on `kind`, `names` contains variables, or one picture path,
 * part, slot, address, or `vcard`. `isLinked` is present on a picture that is never attached.
 */
export type Placeholder = Readonly<{
  kind: PlaceholderKind
  names: readonly string[]
  isLinked?: true
  at: number
  end: number
}>

/** A rendering step. Jumps only go forward, so nesting needs no stack. */
type Step =
  | Readonly<{ kind: 'html'; html: string }>
  | Readonly<{ kind: 'tel' | 'web' | 'phone'; name: string }>
  /** `isInTag`: the value is inside a tag, where line breaks are impossible. */
  | Readonly<{ kind: 'text'; name: string; isInTag: boolean }>
  | Readonly<{ kind: 'first'; names: readonly string[] }>
  | Readonly<{ kind: 'picture'; path: string; isLinked: boolean }>
  | Readonly<{ kind: 'part'; template: Template }>
  /** The slot's steps follow, up to `to`. */
  | Readonly<{ kind: 'slot'; name: string; to: number }>
  | Readonly<{ kind: 'block' }>
  | Readonly<{ kind: 'counted'; address: string }>
  | Readonly<{ kind: 'qr'; of: string }>
  | Readonly<{ kind: 'jump'; to: number }>
  /** Jumps if all of these values are empty. */
  | Readonly<{ kind: 'jumpIfEmpty'; names: readonly string[]; to: number }>

/** `placeholders` are in the order of the text, without placeholders inside parts. */
export type Template = Readonly<{ steps: readonly Step[]; placeholders: readonly Placeholder[] }>

export type ParsedTemplate = Readonly<{ template: Template; problems: readonly TemplateProblem[] }>

export type RenderContext = Readonly<{
  /** A missing value counts as empty. */
  values: Readonly<Record<string, string>>
  /** The address of a picture, by path in the release. `isLinked`: the template says that it is never attached. */
  pictureUrl: (path: string, isLinked: boolean) => string
  /** The redirect address that counts clicks on an address. If absent, the address itself is written. */
  countedUrl?: (address: string) => string
  /** A variable's readable phone number; null for any other text. If absent, values are written unchanged. */
  phone?: (value: string, name: string) => string | null
  /** The first phone number in a variable, for `tel:`; null without one. If absent, the digits are written. */
  tel?: (value: string, name: string) => string | null
  /** The lines for the value of `address`. If absent, it is written like any other value. */
  addressLines?: readonly string[]
  /** The address of the picture with a text's QR code. If absent, empty. */
  qrUrl?: (text: string) => string
  /** The card with the values that a template shows. If absent, empty. */
  cardOf?: (shown: readonly ShownValue[]) => string
  /** The blocks that may appear in a slot, each with its own html, which may be empty. If absent, slots are empty. */
  blocksIn?: (slot: string) => Iterable<Candidate>
}>

/** A value that a template shows: its kind, its variable's name, and its readable text. */
export type ShownValue = Readonly<{ kind: 'text' | 'tel' | 'web' | 'phone'; name: string; text: string }>

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/**
 * Matches a placeholder, valid or not; the group is its content. The content has a length limit, so unclosed braces cost
 * little time.
 */
export const PLACEHOLDER = /\{\{([^{}]{1,500})\}\}/g

/** Splits a text at all that looks like a placeholder. These are the pieces with an odd index. */
export const splitAtPlaceholders = (text: string): readonly string[] => text.split(/(\{\{[^{}]*\}\})/)
/** The name of a variable, with or without the prefix of the manager or the writer. */
const NAME = /^(?:manager\.|writer\.)?\w{1,100}$/
const SLOT_NAME = /^\w{1,100}$/

/** The web address in a placeholder; null for any other text. */
function webAddress(text: string): string | null {
  // An address copied from markup has `&amp;` in place of `&`.
  const address = text.replaceAll('&amp;', '&')
  return /^https?:\/\/[^\s"'<>]+$/i.test(address) ? address : null
}

/** The name in `{{qr vcard}}`, which requests a card. */
export const VCARD_NAME = 'vcard'

/** The last word in the placeholder of a linked picture. */
const LINKED = 'linked'

/** The placeholder for a picture's address. */
export const picturePlaceholder = (path: string, isLinked: boolean): string =>
  `{{picture ${path}${isLinked ? ` ${LINKED}` : ''}}}`

/** Parses the text between the braces; null if it is not a placeholder. */
function readPlaceholder(content: string): Omit<Placeholder, 'at' | 'end'> | null {
  const [word = '', ...rest] = content.trim().split(/\s+/)
  const areNames = rest.every((name) => NAME.test(name))
  const path = rest.join(' ')
  if (word === '#if') return areNames && rest.length > 0 ? { kind: 'if', names: rest } : null
  if (word === '/if') return path === '' ? { kind: 'end', names: [] } : null
  if (word === '/block') return path === '' ? { kind: 'slotEnd', names: [] } : null
  if (word === '#block' || (word === 'block' && rest.length > 0))
    return SLOT_NAME.test(path) ? { kind: word === 'block' ? 'slot' : 'slotStart', names: rest } : null
  if (word === '>') return path === '' ? null : { kind: 'part', names: [path] }
  if (rest.length === 0) {
    if (word === 'else') return { kind: 'else', names: [] }
    if (word.startsWith('>')) return { kind: 'part', names: [word.slice(1)] }
    return NAME.test(word) ? { kind: 'text', names: [word] } : null
  }
  if (word === 'picture')
    return rest.length > 1 && rest.at(-1) === LINKED
      ? { kind: 'picture', names: [rest.slice(0, -1).join(' ')], isLinked: true }
      : { kind: 'picture', names: [path] }
  if (word === 'counted') {
    const address = webAddress(path)
    return address === null ? null : { kind: word, names: [address] }
  }
  if (word === 'qr') {
    const of = path === VCARD_NAME ? VCARD_NAME : webAddress(path)
    return of === null ? null : { kind: word, names: [of] }
  }
  if (word === 'first') return areNames ? { kind: 'first', names: rest } : null
  if (word === 'tel' || word === 'web' || word === 'phone')
    return areNames && rest.length === 1 ? { kind: word, names: rest } : null
  return null
}

const OF_VARIABLES: readonly PlaceholderKind[] = ['text', 'tel', 'web', 'phone', 'first', 'if']

/** The variables in a placeholder. */
export const variablesIn = ({ kind, names }: Pick<Placeholder, 'kind' | 'names'>): readonly string[] =>
  OF_VARIABLES.includes(kind) ? names : []

/** The placeholders of a template and its parts. A part that is included twice counts twice. */
export const placeholdersIn = ({ placeholders, steps }: Template): readonly Placeholder[] => [
  ...placeholders,
  ...steps.flatMap((step) => (step.kind === 'part' ? step.template.placeholders : [])),
]

const SILENT: readonly PlaceholderKind[] = [
  ...(['if', 'else', 'end', 'part'] as const),
  ...(['slot', 'slotStart', 'slotEnd', 'block'] as const),
]

/** Whether a placeholder shows something itself. Conditions, slots and parts only show their content. */
export const showsByItself = ({ kind }: Pick<Placeholder, 'kind'>): boolean => !SILENT.includes(kind)

/** A position in markup: in the text, in a tag or comment, or in an attribute with these quotes. */
type MarkupPlace = 'text' | 'tag' | 'comment' | '"' | "'"

/** Returns the position after some html. `before` is the position at its start. */
function placeAfter(html: string, before: MarkupPlace): MarkupPlace {
  let place = before
  for (let at = 0; at < html.length; at++) {
    const char = html[at]
    if (place === 'text') {
      const follows = char === '<' ? (html[at + 1] ?? '') : ''
      if (/[a-z/]/i.test(follows)) place = 'tag'
      else if (follows === '!') place = 'comment'
    } else if (place === 'comment') {
      // The opening of a comment for Outlook (`<!--[if mso]>`) ends here, and markup follows.
      if (char === '>') place = 'text'
    } else if (place === 'tag') {
      if (char === '>') place = 'text'
      else if (char === '"' || char === "'") place = char
    } else if (char === place) place = 'tag'
  }
  return place
}

type Condition = {
  kind: 'if'
  readonly at: number
  readonly names: readonly string[]
  step: number
  hasElse: boolean
}
type OpenSlot = { kind: 'slot'; readonly at: number; readonly name: string; step: number; hasBlock: boolean }

/** Collects the steps of a template. Conditions and slots jump over their content. */
function createStepWriter(partOf: (name: string) => Template | ProblemCode, problems: TemplateProblem[]) {
  const steps: Step[] = []
  const open: (Condition | OpenSlot)[] = []
  let place: MarkupPlace = 'text'
  /** The outermost open slot. */
  let slotAround = null as OpenSlot | null

  /** Sets the target of a condition's jump, or the end of a slot, to the next step. */
  const land = (opened: Condition | OpenSlot) => {
    const { step } = opened
    const to = steps.length
    if (opened.kind === 'slot') {
      const { name } = opened
      steps[step] = { kind: 'slot', name, to }
      if (!opened.hasBlock) problems.push({ at: opened.at, code: 'slotWithoutBlock', name })
    } else
      steps[step] = opened.hasElse ? { kind: 'jump', to } : { kind: 'jumpIfEmpty', names: opened.names, to }
  }
  const openSlot = (name: string, at: number): OpenSlot => {
    const slot: OpenSlot = { kind: 'slot', at, name, step: steps.length, hasBlock: false }
    if (slotAround) problems.push({ at, code: 'slotInSlot', name })
    steps.push({ kind: 'slot', name, to: slot.step })
    return slot
  }
  const add = ({ kind, names, isLinked }: Omit<Placeholder, 'at' | 'end'>, at: number) => {
    const last = open.at(-1)
    const [name = ''] = names
    switch (kind) {
      case 'if':
        open.push({ kind, at, names, step: steps.length, hasElse: false })
        steps.push({ kind: 'jumpIfEmpty', names, to: steps.length })
        return
      case 'else': {
        const condition = last?.kind === 'if' ? last : null
        if (!condition || condition.hasElse) {
          problems.push({ at, code: 'unexpectedElse', name: 'else' })
          return
        }
        const jump = steps.length
        steps.push({ kind: 'jump', to: jump })
        land(condition)
        condition.step = jump
        condition.hasElse = true
        return
      }
      case 'end':
      case 'slotEnd': {
        const isOfIf = kind === 'end'
        if (last?.kind !== (isOfIf ? 'if' : 'slot')) {
          problems.push({ at, code: 'unexpectedClose', name: isOfIf ? '/if' : '/block' })
          return
        }
        land(last)
        open.pop()
        if (last === slotAround) slotAround = null
        return
      }
      case 'slotStart': {
        const slot = openSlot(name, at)
        slotAround ??= slot
        open.push(slot)
        return
      }
      case 'slot': {
        const slot = openSlot(name, at)
        steps.push({ kind: 'block' })
        land({ ...slot, hasBlock: true })
        return
      }
      case 'block':
        if (slotAround) slotAround.hasBlock = true
        steps.push({ kind })
        return
      case 'counted':
        steps.push({ kind, address: name })
        return
      case 'part': {
        const part = partOf(name)
        if (typeof part === 'string') problems.push({ at, code: part, name })
        else steps.push({ kind, template: part })
        return
      }
      case 'picture':
        steps.push({ kind, path: name, isLinked: isLinked === true })
        return
      case 'first':
        steps.push({ kind, names })
        return
      case 'qr':
        steps.push({ kind, of: name })
        return
      case 'text':
        steps.push({ kind, name, isInTag: place !== 'text' })
        return
      case 'tel':
      case 'web':
      case 'phone':
        steps.push({ kind, name })
    }
  }

  return {
    steps,
    add,
    addHtml(html: string): void {
      steps.push({ kind: 'html', html })
      place = placeAfter(html, place)
    },
    isInSlot: () => slotAround !== null,

    /** Closes unclosed conditions and slots. */
    end(): void {
      for (const opened of open.reverse()) {
        land(opened)
        const code = opened.kind === 'slot' ? 'unclosedSlot' : 'unclosed'
        const name = opened.kind === 'slot' ? opened.name : opened.names.join(' ')
        problems.push({ at: opened.at, code, name })
      }
    },
  }
}

function parse(whole: string, partOf: (name: string) => Template | ProblemCode): ParsedTemplate {
  const text = whole.slice(0, TEMPLATE_LIMIT_CHARACTERS)
  const placeholders: Placeholder[] = []
  const problems: TemplateProblem[] = []
  const writer = createStepWriter(partOf, problems)
  let end = 0

  const addHtml = (until: number) => {
    if (until === end) return
    const html = text.slice(end, until)
    writer.addHtml(html)
    const stray = html.indexOf('{{')
    if (stray >= 0) {
      const name = html.slice(stray + 2, stray + 42)
      problems.push({ at: end + stray, code: 'unknownPlaceholder', name })
    }
  }
  for (const found of text.matchAll(PLACEHOLDER)) {
    const [whole, content = ''] = found
    const at = found.index
    let placeholder = readPlaceholder(content)
    addHtml(at)
    end = at + whole.length
    if (placeholder) {
      // Outside a slot, `{{block}}` is a variable with this name.
      if (placeholder.names[0] === 'block' && placeholder.kind === 'text' && writer.isInSlot())
        placeholder = { kind: 'block', names: [] }
      placeholders.push({ ...placeholder, at, end })
      writer.add(placeholder, at)
    } else problems.push({ at, code: 'unknownPlaceholder', name: content.trim() })
  }
  addHtml(text.length)
  writer.end()
  if (text.length < whole.length) problems.push({ at: text.length, code: 'tooLong', name: '' })
  return { template: { steps: writer.steps, placeholders }, problems }
}

/** Parses a part, which cannot include other parts. */
export const parsePart = (text: string): ParsedTemplate => parse(text, () => 'partInPart')

/**
 * Parses a template in linear time. Faulty placeholders are not rendered. `parsePart` reports the problems in a part.
 *
 * @param parts the texts of the parts, by the name in `{{> name}}`
 * @param read the parts parsed so far, because many templates may include the same part
 */
export function parseTemplate(
  text: string,
  parts: ReadonlyMap<string, string>,
  read = new Map<string, Template>(),
): ParsedTemplate {
  let room = TEMPLATE_LIMIT_CHARACTERS - text.length
  return parse(text, (name) => {
    const part = parts.get(name)
    if (part === undefined) return 'unknownPart'
    if (part.length > room) return 'tooLong'
    room -= part.length
    const template = read.get(name) ?? parsePart(part).template
    read.set(name, template)
    return template
  })
}

/** A text in one or more braces on each side. */
const BRACED = /\{([^{}]{1,500})\}/g

/** A placeholder with wrong braces: `{phone}`, `{{{phone}}}`, `{{phone}`. `at` and `end` include the braces. */
export type MisbracedPlaceholder = Placeholder & Readonly<{ content: string }>

/** Placeholders with wrong braces, in the order of the text. */
export function misbracedPlaceholders(text: string): readonly MisbracedPlaceholder[] {
  const found: MisbracedPlaceholder[] = []
  for (const { 0: whole, 1: content = '', index } of text.matchAll(BRACED)) {
    let [at, end] = [index, index + whole.length]
    while (text[at - 1] === '{') at--
    while (text[end] === '}') end++
    if (index - at === 1 && end - index - whole.length === 1) continue
    const placeholder = readPlaceholder(content)
    if (placeholder) found.push({ ...placeholder, at, end, content: content.trim() })
  }
  return found
}

/** Returns a function that looks up the value for a name; empty without one. */
export const createValueReader =
  (values: RenderContext['values']) =>
  (name: string): string =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : ''

/** Keeps the digits and a leading plus, for a value that is not a phone number, such as an extension. */
export const digitsOf = (number: string): string =>
  (number.startsWith('+') ? '+' : '') + number.replace(/\D/g, '')

/** Writers for values, by placeholder kind. */
const WRITTEN = {
  text: escapeHtml,
  tel: (value: string, { tel }: RenderContext, name: string) =>
    escapeHtml(tel?.(value, name) ?? digitsOf(value)),
  web: (value: string) => (/^https?:\/\//i.test(value) ? escapeHtml(value) : '#'),
  phone: (value: string, { phone }: RenderContext, name: string) => escapeHtml(phone?.(value, name) ?? value),
}

/**
 * Lists the values that a template shows, in order, without the content of slots. Omits values that are only tested, or
 * that are in an omitted branch.
 */
export function shownValues(
  { steps }: Template,
  { values, phone }: Pick<RenderContext, 'values' | 'phone'>,
): readonly ShownValue[] {
  const shown: ShownValue[] = []
  const valueOf = createValueReader(values)
  const add = (kind: ShownValue['kind'], name: string) => {
    const value = valueOf(name)
    const text = kind === 'phone' || kind === 'tel' ? (phone?.(value, name) ?? value) : value
    if (kind === 'tel' || kind === 'web' ? isUsableValue(kind, value) : value !== '')
      shown.push({ kind, name, text })
  }
  for (let next = 0; next < steps.length;) {
    const step = steps[next]
    next += 1
    if (step === undefined) break
    if (step.kind === 'jump' || step.kind === 'slot') next = step.to
    else if (step.kind === 'jumpIfEmpty')
      next = step.names.every((name) => valueOf(name) === '') ? step.to : next
    else if (step.kind === 'first') {
      const name = step.names.find((each) => valueOf(each) !== '')
      if (name !== undefined) add('text', name)
    } else if (step.kind === 'part')
      shown.push(...shownValues(step.template, { values, ...(phone && { phone }) }))
    else if (step.kind === 'text' || step.kind === 'tel' || step.kind === 'web' || step.kind === 'phone')
      add(step.kind, step.name)
  }
  return shown
}

/**
 * Whether a value is usable for this kind of placeholder: as a link address for `web` and `tel`, as any text for
 * others.
 */
export function isUsableValue(kind: PlaceholderKind, value: string): boolean {
  if (kind === 'web') return WRITTEN.web(value) !== '#'
  return kind === 'tel' ? /\d/.test(value) : value !== ''
}

/**
 * The size limit of the html, because a short template may repeat a long value very often. Mail clients accept less.
 */
const RENDERED_LIMIT_CHARACTERS = 1_000_000

/**
 * Renders a template with its slots. Values are escaped for text and quoted attributes; `signet check` rejects
 * placeholders anywhere else. The html ends at the limit. The blocks of all slots share another limit: the block that
 * exceeds it is empty, and later ones are left out.
 */
export function renderSlotted(template: Template, context: RenderContext): SlottedHtml {
  const { steps } = template
  const { values, pictureUrl, countedUrl = (address) => address, blocksIn = () => [] } = context
  const { addressLines, qrUrl = () => '', cardOf = () => '' } = context
  const valueOf = createValueReader(values)
  const slots: Slot[] = []
  let card: string | null = null
  /** The address of the QR code for an address, or for this template's card; empty for an empty card. */
  const codeOf = (of: string): string => {
    const text = of === VCARD_NAME ? (card ??= cardOf(shownValues(template, context))) : of
    return text === '' ? '' : qrUrl(text)
  }
  let room = RENDERED_LIMIT_CHARACTERS

  /**
   * Renders the steps from `from` to `to`. `before` is the length of the html so far; `block` is the slot's block, or
   * null outside a slot.
   */
  function render(
    of: readonly Step[],
    from: number,
    to: number,
    before: number,
    block: string | null,
  ): string {
    let html = ''
    let next = from
    while (next < to) {
      const step = of[next]
      if (step === undefined || before + html.length > RENDERED_LIMIT_CHARACTERS) return html
      next += 1
      switch (step.kind) {
        case 'html':
          html += step.html
          break
        case 'first':
          html += escapeHtml(step.names.map(valueOf).find((value) => value !== '') ?? '')
          break
        case 'picture':
          html += escapeHtml(pictureUrl(step.path, step.isLinked))
          break
        case 'counted':
          html += escapeHtml(countedUrl(step.address))
          break
        case 'part':
          html += render(step.template.steps, 0, step.template.steps.length, before + html.length, block)
          break
        case 'block':
          html += block ?? ''
          break
        case 'slot': {
          const { name, to: after } = step
          const isInSlot = block !== null
          const start = before + html.length
          const candidates: Candidate[] = []
          for (const candidate of isInSlot ? [] : blocksIn(name)) {
            // An empty block leaves its slot empty, without the html around it.
            const whole = candidate.html === '' ? '' : render(of, next, after, 0, candidate.html)
            room -= whole.length
            candidates.push({ ...candidate, html: room < 0 ? '' : whole })
            if (room < 0) break
          }
          html += candidates.find((each) => blockAppearsIn(each, STRICTEST_CIRCUMSTANCES))?.html ?? ''
          if (candidates.length > 0) slots.push({ name, start, end: before + html.length, candidates })
          next = after
          break
        }
        case 'jump':
          next = step.to
          break
        case 'jumpIfEmpty':
          if (step.names.every((each) => valueOf(each) === '')) next = step.to
          break
        case 'qr':
          html += escapeHtml(codeOf(step.of))
          break
        case 'text':
          html +=
            step.name === 'address' && addressLines && !step.isInTag
              ? addressLines.map(escapeHtml).join('<br>')
              : WRITTEN.text(valueOf(step.name))
          break
        case 'tel':
        case 'web':
        case 'phone':
          html += WRITTEN[step.kind](valueOf(step.name), context, step.name)
      }
    }
    return html
  }
  const html = render(steps, 0, steps.length, 0, null)
  return slots.length === 0 ? { html } : { html, slots }
}

/** Renders a template with the blocks that fit all messages. */
export const renderTemplate = (template: Template, context: RenderContext): string =>
  renderSlotted(template, context).html
