import { config } from '../engine/config.ts'
import { createOfficeProvider } from '../engine/hosts/office.ts'
import { createOfficeIdentity } from '../engine/signIn/officeIdentity.ts'
import { startPane } from './startPane.ts'

const root = document.getElementById('root')
if (root)
  startPane(root, (tools) => [
    createOfficeProvider({
      window,
      ...tools,
      identity: (mail, office) =>
        createOfficeIdentity(mail, office, { page: window, signIn: config.signIn, ...tools }),
    }),
  ])
