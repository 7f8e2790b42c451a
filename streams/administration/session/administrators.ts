import { list, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import { roles } from '../../wire/administration/insight.ts'

/** A person of the playground's demonstration who can sign in to the administration page. */
const administrator = object({ name: text, roles: list(oneOf(...roles)) })
export type Administrator = OutOf<typeof administrator>

const administrators = list(administrator)

/**
 * Reads the setting `SIGNET_ADMINISTRATORS`, which only the playground's server writes. Empty without the setting.
 *
 * @throws for a setting that is not a list of administrators
 */
export const readAdministrators = (setting: string | undefined): readonly Administrator[] =>
  setting === undefined ? [] : administrators.read(JSON.parse(setting), 'SIGNET_ADMINISTRATORS')
