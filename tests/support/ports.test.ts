import { storageContract, inProcess } from '../engine/adapters/storageContract.ts'
import { createClock } from './clock.ts'
import { fakePorts } from './ports.ts'

// The fakes keep the contracts of the ports that they stand in for.

storageContract('the fake storage', () => {
  const { storage, log } = fakePorts(createClock())
  return inProcess(storage, log)
})
