/** Where people stand in lists that are sorted by name or department. */
import { foldText } from './searchTerms.ts'
import type { PersonState } from './state.ts'

/** The most code points of a text that count for the order. */
export const MAX_ORDER_LENGTH = 80
/** The most characters read from a value. */
const MAX_READ = 400

/** Without case, accents and characters that a database cannot store. */
const orderText = (text: string): string =>
  Array.from(
    foldText(text.slice(0, MAX_READ))
      .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
      .trim(),
  )
    .slice(0, MAX_ORDER_LENGTH)
    .join('')

/** The text that orders people by name: the directory's name, or else the mail address. */
export function nameOrderOf({ id, addresses, directory }: PersonState): string {
  const { displayName = '', givenName = '', surname = '' } = directory
  const name = orderText(displayName) || orderText(`${givenName} ${surname}`)
  return name || orderText(addresses[0] ?? id)
}

/** The text of a department, by which it is sorted and filtered. Ignores case and accents. */
export const departmentOrder = (department: string): string => orderText(department)

/** The text that orders people by department; empty without a department. */
export const departmentOrderOf = ({ directory: { department = '' } }: PersonState): string =>
  departmentOrder(department)
