import { readRedirectResponse } from '../engine/signIn/redirectResponse.ts'

// This page has three roles. A response of the identity provider returns here, and a chunk with no other code forwards
// it. A mail client's dialog signs in here. Otherwise the page is the pane in a plain browser.
if (readRedirectResponse(location))
  void import('../engine/signIn/callback.ts').then(({ forwardSignInResponse: forwardResponse }) =>
    forwardResponse(),
  )
else if (new URLSearchParams(location.search).has('dialog'))
  void import('../engine/signIn/dialogPage.ts').then(({ runDialogPage }) => runDialogPage())
else void import('./startPage.ts').then(({ startPage }) => startPage())
