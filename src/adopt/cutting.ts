/** Cuts a fragment out of html, with the styles that its elements inherit. */
import {
  DOCUMENT_ELEMENTS,
  nameSet,
  type OpenTag,
  tokensOf,
  VOID_ELEMENTS,
} from '../../streams/html/tokens.ts'

/** Elements around a fragment that change how its text looks. Surrounding tables and lists are left out. */
const LOOKS = nameSet('b big center code div em font i s small span strike strong tt u')
const LOOKS_BY = nameSet('align class color dir face size style')

const changesLooks = ({ name, attributes }: OpenTag): boolean =>
  LOOKS.has(name) &&
  (name !== 'div' && name !== 'span' ? true : attributes.some((each) => LOOKS_BY.has(each.name)))

/** The html from `from` to `to`, with the style sheets before it and the tags of elements still open at `from`. */
export function cutFragment(html: string, from: number, to: number): string {
  const sheets: string[] = []
  const open: OpenTag[] = []
  const openOf = new Map<string, number>()
  let body = ''
  for (const token of tokensOf(html)) {
    if (token.kind === 'raw' && token.name === 'style' && (token.end <= from || token.start >= to))
      sheets.push(`<style>${html.slice(token.start, token.end)}</style>`)
    if (token.start >= from) continue
    if (token.kind === 'open' && token.name === 'body') body = html.slice(token.start, token.end)
    if (token.kind === 'open' && !VOID_ELEMENTS.has(token.name) && !DOCUMENT_ELEMENTS.has(token.name)) {
      open.push(token)
      openOf.set(token.name, (openOf.get(token.name) ?? 0) + 1)
    } else if (token.kind === 'close' && (openOf.get(token.name) ?? 0) > 0)
      for (;;) {
        const last = open.pop()
        if (last === undefined) break
        openOf.set(last.name, (openOf.get(last.name) ?? 0) - 1)
        if (last.name === token.name) break
      }
  }
  const around = open.filter(changesLooks).map(({ start, end }) => html.slice(start, end))
  return [...sheets, body, ...around, html.slice(from, to)].join('')
}
