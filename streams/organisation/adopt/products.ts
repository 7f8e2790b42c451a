/**
 * Other products' template names for directory fields:
 *
 *     $CurrentUserGivenName$      Set-OutlookSignatures; also $CurrentMailbox…$
 *     {First name}, {FirstName}   CodeTwo, Exclaimer
 *     %%FirstName%%               Exchange mail flow rules
 *
 * Case, spaces and punctuation in a name are ignored.
 */
import type { Atom } from './reading.ts'

/** Microsoft Graph and SCIM fields by lower-case name. */
const FIELDS: Readonly<Record<string, string>> = {
  givenName: 'givenname firstname',
  surname: 'surname lastname',
  displayName: 'displayname fullname',
  mail: 'mail email emailaddress windowsemailaddress',
  jobTitle: 'title jobtitle',
  department: 'department',
  companyName: 'company companyname',
  'businessPhones.0': 'telephone telephonenumber phone phonenumber businessphone officephone',
  mobilePhone: 'mobile mobilephone mobilenumber mobilephonenumber',
  faxNumber: 'fax faxnumber facsimiletelephonenumber',
  officeLocation: 'office officelocation physicaldeliveryofficename',
  streetAddress: 'street streetaddress',
  city: 'city location',
  state: 'state stateorprovince stateprovince',
  postalCode: 'postalcode zipcode zippostalcode zip',
  country: 'country countryorregion countryregion',
  employeeId: 'employeeid',
  userPrincipalName: 'userprincipalname userlogonname',
  'manager.displayName': 'manager managerdisplayname',
}

const FIELD_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(FIELDS).flatMap(([field, names]) => names.split(' ').map((name) => [name, field] as const)),
)

const EXTENSION = /^(?:extattr|extensionattribute|customattribute)([1-9]|1[0-5])$/

/** The directory field for another product's name; null for an unknown name. */
export function fieldNamed(name: string): string | null {
  const key = name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  const number = EXTENSION.exec(key)?.[1]
  return number === undefined
    ? (FIELD_OF.get(key) ?? null)
    : `onPremisesExtensionAttributes.extensionAttribute${number}`
}

/**
 * Another product's field name in a text. `to` is the index after its last atom. `field` is null for an unknown name.
 */
export type ProductName = Readonly<{ to: number; field: string | null }>

const CURRENT = /^current(?:user|mailbox)(.+)$/i
const MAX_ATOMS = 8
const IN_BRACES = /^\p{L}[\p{L}\p{N} ./_-]{0,39}$/u

/** Reads another product's field name that begins at an atom; null without one. */
export function productNameAt(atoms: readonly Atom[], from: number): ProductName | null {
  const isNext = (index: number, text: string): boolean => {
    const atom = atoms[index]
    return atom?.text === text && (index === from || atom.before === '')
  }
  const wordAt = (index: number): string => {
    const atom = atoms[index]
    return atom?.kind === 'word' && atom.before === '' ? atom.text : ''
  }
  if (isNext(from, '$')) {
    const name = CURRENT.exec(wordAt(from + 1))?.[1]
    if (name === undefined || !isNext(from + 2, '$')) return null
    return { to: from + 3, field: fieldNamed(name) }
  }
  if (isNext(from, '%')) {
    const name = wordAt(from + 2)
    const isName = isNext(from + 1, '%') && isNext(from + 3, '%') && isNext(from + 4, '%')
    return isName && name !== '' ? { to: from + 5, field: fieldNamed(name) } : null
  }
  if (!isNext(from, '{') || atoms[from - 1]?.text === '{') return null
  let name = ''
  for (let index = from + 1; index <= from + MAX_ATOMS; index++) {
    const atom = atoms[index]
    if (!atom) return null
    if (atom.text === '}') {
      const isOne = !isNext(index + 1, '}') && IN_BRACES.test(name)
      return isOne ? { to: index + 1, field: fieldNamed(name) } : null
    }
    name += (atom.before === '' ? '' : ' ') + atom.text
  }
  return null
}
