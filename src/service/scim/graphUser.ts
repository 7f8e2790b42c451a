/** Maps a SCIM user to the fields of Microsoft Graph, so that signatures work with both directories. */
import type { JsonObject } from '../../../streams/organisation/directory/directory.ts'
import type { Account } from '../../../streams/organisation/facts/events.ts'
import { isObject } from './filter.ts'
import type { ResourceValues } from './resource.ts'
import { ENTERPRISE_USER_URN, SIGNET_USER_URN } from './schemas.ts'

const textOf = (object: unknown, name: string): string | null => {
  const value = isObject(object) ? object[name] : null
  return typeof value === 'string' ? value : null
}

/** The values of an attribute, with the primary value first. */
function valuesOf(values: ResourceValues, name: string): readonly unknown[] {
  const list = Array.isArray(values[name]) ? (values[name] as readonly unknown[]) : []
  const isPrimary = (value: unknown) => isObject(value) && value['primary'] === true
  return [...list.filter(isPrimary), ...list.filter((value) => !isPrimary(value))]
}
const ofType = (values: readonly unknown[], type: string): unknown =>
  values.find((value) => textOf(value, 'type')?.toLowerCase() === type)

/**
 * Converts a SCIM user to Graph fields, omitting fields without a value. `proxyAddresses` contains all mail addresses.
 */
export function graphUserOf(values: ResourceValues): JsonObject {
  const { name } = values
  const enterprise = values[ENTERPRISE_USER_URN]
  const attributes = values[SIGNET_USER_URN]
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

/** The manager in a person's resource. If the manager is provisioned, the id is a SCIM id. */
export function reportedManagerOf(
  values: ResourceValues,
): Readonly<{ id: string | null; name: string | null }> {
  const enterprise = values[ENTERPRISE_USER_URN]
  const manager = isObject(enterprise) ? enterprise['manager'] : null
  return { id: textOf(manager, 'value')?.trim() || null, name: textOf(manager, 'displayName') }
}

/** The mail address of type "work", which Entra sends; else the primary address, else the first. */
const mailOf = (emails: readonly unknown[]): string | null =>
  textOf(ofType(emails, 'work') ?? emails[0], 'value')

/** The office. Entra sends it in the address of type "other", or as a single line in the address of type "work". */
const officeOf = (other: string | null, work: string | null): string | null =>
  other ?? (work?.includes('\n') === true ? null : work)

/** The first language of a list such as `de-DE, en;q=0.7`. */
const languageOf = (text: string | null): string | null => text?.split(/[,;]/, 1)[0]?.trim() ?? null

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The person's account if the organisation has one tenant and the external id is an object id; else null. */
export function scimAccountOf(values: ResourceValues, tenants: readonly string[]): Account | null {
  const oid = textOf(values, 'externalId')?.trim().toLowerCase() ?? ''
  const [tenant, ...others] = tenants
  return tenant !== undefined && others.length === 0 && GUID.test(oid) ? { tenant, oid } : null
}
