import type { Ports } from '../../effects/ports.ts'
import { createApp, type SignetApp } from '../../src/engine/createApp.ts'
import { gestureEffects } from '../../src/pane/screen/gestureEffects.ts'
import type { AppState } from '../../streams/pane/state.ts'
import type { BuildStage } from '../../streams/message/settings/settings.ts'

/** The application with all effects, from both the engine and the screen. */
export function createWholeApp(stage: BuildStage, createPorts: (state: () => AppState) => Ports): SignetApp {
  const app = createApp(stage, createPorts)
  app.addEffects(gestureEffects)
  return app
}
