import type { StartRuntime } from '../runtimeHost.ts'
import { officeFrameName, serveOffice } from '../mailbox/officeWire.ts'
import { servedSettings } from '../../engine/served.ts'
import { openPlayground } from '../openPlayground.tsx'
import { openHiddenFrame } from '../hiddenFrame.ts'

const pane = new URL(servedSettings.SIGNET_PANE_URL ?? '')

/** Starts the shipped launch page. The playground cannot change its requests or its clock. */
const launchPage: StartRuntime = ({ mailbox, name, onCompleted }) => {
  const { displayLanguage } = mailbox.client.start
  const { frame, target } = openHiddenFrame(name, {
    name: officeFrameName({ hostOrigin: location.origin, displayLanguage, frame: name }),
    src: new URL('launch.html', pane).href,
  })
  const served = serveOffice(mailbox, target, pane.origin, window, {
    frame: name,
    onCompleted: ({ id, status }) => onCompleted(id, status === 0),
  })
  return {
    raise: served.raise,
    log: () => Promise.resolve([]),
    end() {
      served.stop()
      frame.remove()
    },
  }
}

void openPlayground(
  {
    address: pane.href,
    isWatched: false,
    name: (displayLanguage) => officeFrameName({ hostOrigin: location.origin, displayLanguage }),
    serve: (mailbox, frame) => serveOffice(mailbox, frame, pane.origin, window).stop,
  },
  () => ({ page: launchPage }),
)
