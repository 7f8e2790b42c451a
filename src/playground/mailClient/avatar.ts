import type { Address } from '../../engine/hosts/mailClient.ts'

/** Background colours for white text, with a contrast of at least 4.5. */
export const AVATAR_COLOURS = [
  '#8a3b12',
  '#0b6a4f',
  '#4f52b2',
  '#9c1f5c',
  '#005e85',
  '#6b2f8f',
  '#7a5200',
  '#a4262c',
] as const

/** Chooses a colour by address, ignoring case. */
export function avatarColour({ address }: Address): string {
  let hash = 5381
  for (const character of address.toLowerCase())
    hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0
  return AVATAR_COLOURS[(hash >>> 4) % AVATAR_COLOURS.length] ?? AVATAR_COLOURS[0]
}

/** The initials of the name's first and last word, else of the address; empty if both are empty. */
export function initialsOf({ name, address }: Address): string {
  const words = (name.trim() || address)
    .split(/[\s@]+/u)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((word) => word !== '')
  const letters = name.trim() === '' || words.length < 2 ? words.slice(0, 1) : [words[0], words.at(-1)]
  return letters.map((word = '') => Array.from(word)[0]?.toUpperCase() ?? '').join('')
}
