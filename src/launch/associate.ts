/// <reference types="office-js" />
import './prelude.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import { HANDLERS, type LaunchGlobal, type OfficeEvent } from './launchGlobal.ts'

// The first part of launch.js (src/build/launchFile.ts): it associates Outlook's events with handlers before the
// program starts. If the program fails to start, every event is completed at once.

declare const signetLaunch: LaunchGlobal

const complete = (event: OfficeEvent) => {
  try {
    event.completed()
  } catch {
    // Outlook is gone: there is nothing to complete.
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

for (const kind of Object.keys(HANDLERS) as LaunchKind[]) {
  try {
    Office.actions.associate(HANDLERS[kind], handlerOf(kind))
  } catch {
    // Without this catch, one failure would keep the other handlers from being associated, and nothing would report it.
  }
}
