import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { outline } from './outline.ts'

/** What a part of the page says in a story. */
export type Said = Readonly<{ story: string; place: string; lines: readonly string[] }>

/**
 * Reads a file with what a page says in its stories, line by line as in `outline`: after `== story` its `main`, after
 * `== story :: part` the part of this name, or the element of this selector. `…` stands for lines before or after.
 */
export const readSaid = (file: string): readonly Said[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split(/^== /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.trim().split('\n')
      const [story = '', place = 'main'] = head.split(' :: ')
      return { story, place, lines }
    })

const nameOf = (element: Element) => {
  const id = element.getAttribute('aria-labelledby')
  return element.getAttribute('aria-label') ?? (id === null ? null : document.getElementById(id)?.textContent)
}
/** The part of the page with this name. */
export function part(name: string): HTMLElement {
  const parts = document.querySelectorAll<HTMLElement>('section, nav, [role=region], [role=group], dialog')
  const found = [...parts].find((each) => nameOf(each) === name)
  if (!found) throw new Error(`There is no part ${name}`)
  return found
}

/** The lines of a part of the page, as far as `wanted` has them. */
function linesAt({ place, lines: wanted }: Said): readonly string[] {
  const lines = outline(/^[a-z]+$/.test(place) ? document.querySelector(place) : part(place))
  const shown = wanted.filter((line) => line !== '…')
  const from = wanted[0] === '…' ? lines.indexOf(shown[0] ?? '') : 0
  const to = wanted.at(-1) === '…' ? from + shown.length : lines.length
  return [...(from > 0 ? ['…'] : []), ...lines.slice(from, to), ...(to < lines.length ? ['…'] : [])]
}

export function expectSaid(said: readonly Said[]): void {
  expect(said.map((each) => ({ ...each, lines: linesAt(each) }))).toEqual(said)
}
