import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { loadOfSession } from '../loadOfSession.ts'
import { idle, type Load } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { type Plan, Subscription } from './events.ts'

export const subscription = defineSlice<Load<Plan>, typeof App | typeof Auth | typeof Subscription>()(idle, {
  ...loadOfSession,
  ...Subscription.handlers,
})
