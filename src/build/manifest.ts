/** What the manifest in the repository names: the origin and the app registration of the playground. */
const LOCAL = {
  origin: 'https://localhost:4443',
  clientId: '5197e75b-0c5d-4a6e-9a52-516e7a3d0001',
} as const

export type Installation = Readonly<{
  /** The origin of the pages, such as `https://signet.example.com`. */
  origin: string
  /** The id of the app registration. Default: that of the playground. */
  clientId?: string | undefined
  /** The address of the help page. Default: the origin's index page. */
  supportUrl?: string | undefined
}>

/** Returns `manifest`, the one of the repository, for an installation. Throws an `Error` that names the invalid value. */
export function manifestFor(manifest: string, { origin, clientId, supportUrl }: Installation): string {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin || !origin.startsWith('https://')) {
    throw new Error(`${origin} is not an origin such as https://signet.example.com.`)
  }
  if (clientId !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(clientId)) {
    throw new Error(`${clientId} is not the id of an app registration.`)
  }
  if (supportUrl !== undefined && (!URL.canParse(supportUrl) || !supportUrl.startsWith('https://'))) {
    throw new Error(`${supportUrl} is not an address that begins with https://.`)
  }
  const support = (supportUrl ?? `${origin}/`).replace(/&/g, '&amp;').replace(/"/g, '&quot;')
  return manifest
    .replace(/<!--.*?-->\n/s, '')
    .replace(/(<SupportUrl DefaultValue=")[^"]*/, (_, before: string) => before + support)
    .replaceAll(LOCAL.origin, origin)
    .replaceAll(`api://${new URL(LOCAL.origin).host}/`, `api://${new URL(origin).host}/`)
    .replaceAll(LOCAL.clientId, clientId ?? LOCAL.clientId)
}
