/**
 * The address of Microsoft's client library, as documented since September 2026. An add-in must load the library from
 * Microsoft. If the setting `SIGNET_OFFICE_LIBRARY` is set, served pages use its address instead.
 */
export const WORLDWIDE_LIBRARY_URL = 'https://officeapis.public.onecdn.static.microsoft/1/office.js'
