/** The user's eight switches (specification, section 3). */
export type UserSettings = Readonly<{
  enableLogs: boolean
  enableTelemetry: boolean
  enableSilentSSO: boolean
  /** Signet inserts the default signature automatically. */
  enableSignaturePush: boolean
  /** The pane offers the directory's value for a variable that differs from the directory. */
  enableVariablesResync: boolean
  /** The pane requests lists with the images' contents. */
  enableEmbedImages: boolean
  /** The pane marks empty variables. */
  enableVariablesMissing: boolean
  /** The pane saves edits after a pause. */
  enableVariablesAutosave: boolean
}>

/** The build's two flags. */
export type BuildStage = Readonly<{ production: boolean; beta: boolean }>

export const defaultSettings = ({ production, beta }: BuildStage): UserSettings => ({
  enableLogs: !production || beta,
  enableTelemetry: true,
  enableSilentSSO: true,
  enableSignaturePush: true,
  enableVariablesResync: true,
  enableEmbedImages: false,
  enableVariablesMissing: false,
  enableVariablesAutosave: false,
})
