import * as css from './Initials.module.css'

/** The initials of the first and last word of a name. */
export const initialsOf = (name: string): string =>
  Array.from(name.matchAll(/(?:^|\s)(\S)/gu), ([, letter = '']) => letter)
    .filter((_, index, { length }) => index === 0 || index === length - 1)
    .join('')
    .toLocaleUpperCase()

/** A person's initials in a circle: a decoration beside the person's name. */
export function Initials({ name }: { name: string }) {
  return (
    <span className={css['initials']} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
