import { integer } from '../../streams/kernel/limits.ts'
import { object, oneOf, optional, type OutOf } from '../../streams/kernel/schema.ts'
import type { WebServer } from '../server/webServer.ts'

/** The faults that a test can order for later responses. */
const signInFaultSchema = oneOf(
  'noState',
  'foreignState',
  'foreignNonce',
  'noIdToken',
  'malformedIdToken',
  'noLifetime',
  'interactionRequired',
  'consentRequired',
  'temporarilyUnavailable',
)
type SignInFault = OutOf<typeof signInFaultSchema>
const orderSchema = object({
  fault: signInFaultSchema,
  times: optional(integer(1), 1),
})

/** Creates the faults that tests can order for sign-in responses. `onCleared` runs when a test clears them. */
export function createSignInFaults(onCleared: () => void) {
  const orders = new Map<SignInFault, number>()
  return {
    /** Whether this response must have the fault. Counts the response against the order. */
    take(fault: SignInFault): boolean {
      const left = orders.get(fault) ?? 0
      if (left <= 1) orders.delete(fault)
      else orders.set(fault, left - 1)
      return left > 0
    },
    addControls(control: WebServer): void {
      control.put('/sign-in', { schema: { body: orderSchema } }, async ({ body: { fault, times } }) => {
        orders.set(fault, times)
        return Object.fromEntries(orders)
      })
      control.delete('/sign-in', async (_, reply) => {
        orders.clear()
        onCleared()
        return reply.code(204).send()
      })
    },
  }
}

export type SignInFaults = ReturnType<typeof createSignInFaults>
