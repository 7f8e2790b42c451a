import { config } from './config.ts'
import { createOfficeProvider } from './hosts/office.ts'
import { createOfficeIdentity } from './identity/officeIdentity.ts'
import { startPane } from './pane.tsx'

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
