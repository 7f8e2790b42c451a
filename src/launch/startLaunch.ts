/// <reference types="office-js" />
import { asyncScheduler } from 'rxjs'
import { toLanguage } from '../../streams/wire/languages.ts'
import { servedSettings, buildVersion } from '../engine/served.ts'
import { createEventHandler } from './eventHandler.ts'
import type { LaunchGlobal } from './launchGlobal.ts'
import type { SendCheck } from './lookBeforeSending.ts'
import type { OfficeRuntimeLibrary } from './officeStorage.ts'

// How launch.js and launch-guard.js start. Classic Outlook runs one of these files alone. Elsewhere, launch.html loads
// launch-guard.js after Microsoft's library, and launchPage.ts adds the parts that need a page.

declare const signetLaunch: LaunchGlobal
declare const OfficeRuntime: OfficeRuntimeLibrary | undefined

const isPage = typeof document === 'object'

/** Handles all events from Outlook: those that arrived earlier, and those to come. */
export function startLaunch(look: SendCheck | null): void {
  const handler = createEventHandler({
    office: Office,
    officeRuntime: typeof OfficeRuntime === 'undefined' ? null : OfficeRuntime,
    runtime: isPage ? 'page' : 'classic',
    look,
    global: signetLaunch,
    config: {
      apiUrl: servedSettings.SIGNET_API_URL ?? '',
      fallbackLocale: toLanguage(servedSettings.SIGNET_FALLBACK_LOCALE ?? 'en'),
      stage: {
        production: servedSettings.SIGNET_PRODUCTION === 'true',
        beta: servedSettings.SIGNET_BETA === 'true',
      },
      version: buildVersion,
    },
    time: { scheduler: asyncScheduler },
  })
  signetLaunch.log = handler.log
  signetLaunch.handle = handler.handle
  // In a page, Microsoft's library starts only when `onReady` is called.
  if (isPage) void Office.onReady()
  for (const [kind, event] of signetLaunch.waiting.splice(0)) handler.handle(kind, event)
}
