import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'

type Served = Readonly<Partial<Record<`SIGNET_${string}`, string>>>

/** The settings that the server writes into launch.js, because classic Outlook runs that file without a page. */
declare const signetConfig: Served | undefined

function readServed(): Served {
  if (typeof signetConfig !== 'undefined') return signetConfig
  if (typeof document === 'undefined') return {}
  const content = document.querySelector('meta[name="signet-config"]')?.getAttribute('content')
  return content ? (JSON.parse(content) as Served) : {}
}

/** The settings that the server, or `npm run build`, wrote into this page. */
export const servedSettings = readServed()

/** The version of this build. */
export const buildVersion = process.env.SIGNET_VERSION ?? '0.0.0'

/** The address from which to load Microsoft's library (Office.js). */
export const officeLibraryUrl = servedSettings.SIGNET_OFFICE_LIBRARY || WORLDWIDE_LIBRARY_URL
