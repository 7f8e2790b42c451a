import { Refusal } from '../../server/webServer.ts'
import { StoreUnavailable } from '../sql/store.ts'

const RETRY_AFTER_SECONDS = 5

/** The status of what a command is refused with; 409 for a rule that the state breaks. */
const STATUSES: Readonly<Record<string, number>> = {
  unknown_variable: 400,
  not_found: 404,
  unknown_user: 403,
}

/** The facts of a decision. @throws Refusal when the command is refused */
export function orRefuse<Fact>(
  decided: readonly Fact[] | Readonly<{ refused: string; message: string }>,
): readonly Fact[] {
  if (!('refused' in decided)) return decided
  throw new Refusal(STATUSES[decided.refused] ?? 409, decided.refused, decided.message)
}

/** The refusal while the database is away; null for another error. */
export const storeRefusal = (error: Error): Refusal | null =>
  error instanceof StoreUnavailable
    ? new Refusal(
        503,
        'unavailable',
        'The service cannot reach its database. Try again.',
        RETRY_AFTER_SECONDS,
      )
    : null
