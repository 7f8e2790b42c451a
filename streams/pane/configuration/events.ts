import { redactedField } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'

/** What the organisation allows (specification, section 3, add-in settings). */
export type AddinConfiguration = Readonly<{ allowDefaultSignature: boolean }>

export const defaultConfiguration: AddinConfiguration = { allowDefaultSignature: false }

export const Configuration = defineLoad('configuration', redactedField<AddinConfiguration>()('open'))
