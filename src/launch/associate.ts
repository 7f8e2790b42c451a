/// <reference types="office-js" />
import './prelude.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import { HANDLER_EVENTS, type HandlerName, type LaunchGlobal, type OfficeEvent } from './launchGlobal.ts'

// The first part of launch.js (src/build/launchFile.ts): it associates Outlook's events with handlers before the
// program starts. If the program fails to start, every event is completed at once.

declare const signetLaunch: LaunchGlobal

const complete = (event: OfficeEvent) => {
  try {
    event.completed({ allowEvent: true })
  } catch {
    // Outlook is gone, so there is nothing to complete.
  }
}

const handlerOf = (kind: LaunchKind) => (event: OfficeEvent) => {
  if (signetLaunch.hasFailed) return complete(event)
  if (signetLaunch.handle === null) return void signetLaunch.waiting.push([kind, event])
  try {
    signetLaunch.handle(kind, event)
  } catch {
    complete(event)
  }
}

for (const name of Object.keys(HANDLER_EVENTS) as HandlerName[]) {
  try {
    Office.actions.associate(name, handlerOf(HANDLER_EVENTS[name]))
  } catch {
    // Without this catch, one failure would keep the other handlers from being associated, and nothing would report it.
  }
}
