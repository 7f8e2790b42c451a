/** The person's eight switches (specification, section 3). */
export type Settings = Readonly<{
  enableLogs: boolean
  enableTelemetry: boolean
  enableSilentSSO: boolean
  /** The default signature goes into a message by itself. */
  enableSignaturePush: boolean
  /** The directory's values are offered for variables that left it. */
  enableVariablesResync: boolean
  /** The lists are asked for with the images' contents. */
  enableEmbedImages: boolean
  /** Empty variables are pointed out. */
  enableVariablesMissing: boolean
  /** Edits are saved after a pause. */
  enableVariablesAutosave: boolean
}>

/** The build's two flags. */
export type Stage = Readonly<{ production: boolean; beta: boolean }>

export const defaultSettings = ({ production, beta }: Stage): Settings => ({
  enableLogs: !production || beta,
  enableTelemetry: true,
  enableSilentSSO: true,
  enableSignaturePush: true,
  enableVariablesResync: true,
  enableEmbedImages: false,
  enableVariablesMissing: false,
  enableVariablesAutosave: false,
})
