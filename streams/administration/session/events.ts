import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField, redactedField } from '../../kernel/field.ts'
import type { CallerInfo } from '../../wire/administration/insight.ts'
import type { Administrator } from './administrators.ts'

/** The sign-in of the administrator. */
export const Session = defineEvents('session', {
  /**
   * The page opened. `known`: an administrator has signed in here before, so the page first signs in without a window.
   */
  started: fact({ known: openField<boolean>() }),
  /** The playground's server named the people of its demonstration who can sign in. */
  administratorsRead: fact({ administrators: openField<readonly Administrator[]>() }),
  /** Opens the sign-in window. */
  signInRequested: gesture({}),
  /** Opens the sign-in window for another account. */
  otherAccountRequested: gesture({}),
  /** The sign-in succeeded, and the service knows the administrator. */
  opened: fact({ me: redactedField<CallerInfo>()('me') }),
  signInFailed: fact({ failure: failureField }),
  /** The service or the identity provider no longer accepts the sign-in. */
  expired: fact({ failure: failureField }),
  signOutRequested: gesture({}),
  signedOut: fact({}),
})
