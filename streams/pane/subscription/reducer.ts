import type { AppEvent } from '../events.ts'
import { loadOfSession } from '../../message/load.ts'
import { idle, type Load } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { type Plan, Subscription } from './events.ts'

export const subscription = defineSlice<Load<Plan>, AppEvent>()(idle, {
  ...loadOfSession,
  ...Subscription.handlers,
})
