import { storageContract, inProcess } from '../engine/adapters/storageContract.ts'
import { sanitizerContract } from '../engine/sanitizerContract.ts'
import { createClock } from './clock.ts'
import { fakePorts } from './ports.ts'
import { asIs } from './sanitize.ts'

// The fakes keep the contracts of the real ports.

storageContract('the fake storage', () => {
  const { storage, log } = fakePorts(createClock())
  return inProcess(storage, log)
})

sanitizerContract('the fake sanitiser', (html, profile, pictures = {}) =>
  Promise.resolve(asIs(html, profile, (address) => pictures[address] ?? null)),
)
