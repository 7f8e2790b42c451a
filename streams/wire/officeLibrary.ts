/**
 * Where Microsoft documents its client library since September 2026; an add-in has to load it from Microsoft. The setting
 * `SIGNET_OFFICE_LIBRARY` replaces this address when the pages are served.
 */
export const WORLDWIDE_LIBRARY = 'https://officeapis.public.onecdn.static.microsoft/1/office.js'
