// Microsoft's client library, which an add-in has to load from Microsoft. The pages, their policy, what recognises the
// library, the sign-in dialog and the operator's checks name it by the setting `SIGNET_OFFICE_LIBRARY`.

/** Where Microsoft documents the library since September 2026. The pages have this address until they are served. */
export const WORLDWIDE_LIBRARY = 'https://officeapis.public.onecdn.static.microsoft/1/office.js'
