/** Maps a user of SCIM to the fields of Microsoft Graph, so that signatures work with both directories. */
import type { JsonObject } from '../../../streams/organisation/directory.ts'
import type { Account } from '../../../streams/organisation/events.ts'
import { isObject } from './filter.ts'
import type { Values } from './resource.ts'
import { ENTERPRISE_USER, SIGNET_USER } from './schemas.ts'

const textOf = (object: unknown, name: string): string | null => {
  const value = isObject(object) ? object[name] : null
  return typeof value === 'string' ? value : null
}

/** The primary value comes first. */
function valuesOf(values: Values, name: string): readonly unknown[] {
  const list = Array.isArray(values[name]) ? (values[name] as readonly unknown[]) : []
  const isPrimary = (value: unknown) => isObject(value) && value['primary'] === true
  return [...list.filter(isPrimary), ...list.filter((value) => !isPrimary(value))]
}
const ofType = (values: readonly unknown[], type: string): unknown =>
  values.find((value) => textOf(value, 'type')?.toLowerCase() === type)

/** The existing fields; `proxyAddresses` has further mail addresses. */
export function graphUserOf(values: Values): JsonObject {
  const { name } = values
  const enterprise = values[ENTERPRISE_USER]
  const attributes = values[SIGNET_USER]
  const [emails, phones] = [valuesOf(values, 'emails'), valuesOf(values, 'phoneNumbers')]
  const phone = (type: string) => textOf(ofType(phones, type), 'value')
  const addresses = valuesOf(values, 'addresses')
  const work = ofType(addresses, 'work')
  const further = emails.flatMap((each) => textOf(each, 'value') ?? [])
  const business = phone('work')
  const fields = {
    displayName: textOf(values, 'displayName') ?? textOf(name, 'formatted'),
    givenName: textOf(name, 'givenName'),
    surname: textOf(name, 'familyName'),
    jobTitle: textOf(values, 'title'),
    department: textOf(enterprise, 'department'),
    companyName: textOf(enterprise, 'organization'),
    employeeId: textOf(enterprise, 'employeeNumber'),
    officeLocation: officeOf(textOf(ofType(addresses, 'other'), 'formatted'), textOf(work, 'formatted')),
    businessPhones: business === null ? [] : [business],
    mobilePhone: phone('mobile'),
    faxNumber: phone('fax'),
    mail: mailOf(emails),
    userPrincipalName: textOf(values, 'userName'),
    streetAddress: textOf(work, 'streetAddress'),
    city: textOf(work, 'locality'),
    state: textOf(work, 'region'),
    postalCode: textOf(work, 'postalCode'),
    country: textOf(work, 'country'),
    preferredLanguage: languageOf(textOf(values, 'preferredLanguage')),
    onPremisesExtensionAttributes: isObject(attributes) ? (attributes as JsonObject) : null,
    proxyAddresses: further.map((address) => `smtp:${address}`),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** The manager in the person's resource: the name, and the id, which is a SCIM id if the manager is provisioned. */
export function reportedManagerOf(values: Values): Readonly<{ id: string | null; name: string | null }> {
  const enterprise = values[ENTERPRISE_USER]
  const manager = isObject(enterprise) ? enterprise['manager'] : null
  return { id: textOf(manager, 'value')?.trim() || null, name: textOf(manager, 'displayName') }
}

/** Of type "work", as Entra sends it; else the primary one, else the first. */
const mailOf = (emails: readonly unknown[]): string | null =>
  textOf(ofType(emails, 'work') ?? emails[0], 'value')

/** Entra writes the office into the address of type "other", or into that of type "work", on one line. */
const officeOf = (other: string | null, work: string | null): string | null =>
  other ?? (work?.includes('\n') === true ? null : work)

/** The first of `de-DE, en;q=0.7`. */
const languageOf = (text: string | null): string | null => text?.split(/[,;]/, 1)[0]?.trim() ?? null

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The account that the external id names: the object id of an organisation with one tenant. */
export function accountOf(values: Values, tenants: readonly string[]): Account | null {
  const oid = textOf(values, 'externalId')?.trim().toLowerCase() ?? ''
  const [tenant, ...others] = tenants
  return tenant !== undefined && others.length === 0 && GUID.test(oid) ? { tenant, oid } : null
}
