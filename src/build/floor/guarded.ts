/** A use of a feature above the floor that does no harm, with the beginning of the path of its source. */
type Guarded = Readonly<{ feature: string; source: string; reason: string }>

const REACT = 'node_modules/react-dom/cjs/react-dom-client.production.js'
const PURIFY = 'node_modules/dompurify/src/purify.ts'

/** The uses that `npm run floor` accepts. It fails for an entry without a use. */
export const GUARDED: readonly Guarded[] = [
  {
    feature: 'api.Window.requestIdleCallback',
    source: 'src/engine/signIn/idle.ts',
    reason: 'Asks whether the window has it.',
  },
  {
    feature: 'api.SourceBuffer.removeAsync',
    source: 'src/engine/hosts/officeClient.ts',
    reason: "A method of Microsoft's library.",
  },
  { feature: 'api.Navigator.connection', source: REACT, reason: 'Asks whether there is one.' },
  { feature: 'api.Window.navigation', source: REACT, reason: 'Asks for its type.' },
  {
    feature: 'api.Document.createElement.options_parameter.options_is_parameter',
    source: REACT,
    reason: 'For custom elements, of which there are none.',
  },
  {
    feature: 'api.Element.startViewTransition',
    source: REACT,
    reason: 'For React’s component ViewTransition, which is not used.',
  },
  {
    feature: 'api.ViewTransition.skipTransition',
    source: REACT,
    reason: 'For React’s component ViewTransition, which is not used.',
  },
  {
    feature: 'api.Window.setImmediate',
    source: 'node_modules/scheduler/',
    reason: 'Asks for its type.',
  },
  {
    feature: 'api.LanguageDetector.detect',
    source: 'node_modules/i18next/',
    reason: 'A method of its plugins.',
  },
  {
    feature: 'javascript.builtins.Intl.Locale.getTextInfo',
    source: 'node_modules/i18next/',
    reason: 'Asks whether there is one.',
  },
  {
    feature: 'api.TrustedTypePolicyFactory.createPolicy',
    source: PURIFY,
    reason: 'Asks for its type.',
  },
  {
    feature: 'api.TrustedTypePolicyFactory.getAttributeType',
    source: PURIFY,
    reason: 'Asks for its type.',
  },
  {
    feature: 'javascript.builtins.SuppressedError',
    source: 'node_modules/tslib/',
    reason: 'Asks for its type.',
  },
]
