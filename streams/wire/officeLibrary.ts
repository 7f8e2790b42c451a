/**
 * The address of Microsoft's client library, as documented since September 2026. An add-in has to load the library from
 * Microsoft. The setting `SIGNET_OFFICE_LIBRARY` replaces this address when the pages are served.
 */
export const WORLDWIDE_LIBRARY = 'https://officeapis.public.onecdn.static.microsoft/1/office.js'
