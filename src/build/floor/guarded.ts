/** A use of a feature above the floor that does no harm, with the beginning of the path of its source. */
type Guarded = Readonly<{ feature: string; source: string; reason: string }>

const REACT = 'node_modules/react-dom/cjs/react-dom-client.production.js'
const EDITOR = 'node_modules/@codemirror/view/dist/index.js'
const EDITOR_LANGUAGE = 'node_modules/@codemirror/language/dist/index.js'
const PURIFY = 'node_modules/dompurify/src/purify.ts'

/** The uses that `npm run floor` accepts. It fails for an entry without a use. */
export const GUARDED: readonly Guarded[] = [
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
    feature: 'javascript.builtins.Error.captureStackTrace',
    source: 'node_modules/fflate/',
    reason: 'Asks whether there is one.',
  },
  { feature: 'api.EditContext', source: EDITOR, reason: 'Asks whether the window has it.' },
  {
    feature: 'api.EditContext.updateCharacterBounds',
    source: EDITOR,
    reason: 'For browsers that have an EditContext.',
  },
  {
    feature: 'api.EditContext.updateSelectionBounds',
    source: EDITOR,
    reason: 'For browsers that have an EditContext.',
  },
  { feature: 'api.EditContext.updateText', source: EDITOR, reason: 'For browsers that have an EditContext.' },
  {
    feature: 'api.TextFormatUpdateEvent.getTextFormats',
    source: EDITOR,
    reason: 'For browsers that have an EditContext.',
  },
  {
    feature: 'api.Selection.getComposedRanges',
    source: EDITOR,
    reason: 'Asks whether the selection has it.',
  },
  {
    feature: 'api.Window.requestIdleCallback',
    source: EDITOR_LANGUAGE,
    reason: 'Asks for its type, and uses a timer without it.',
  },
  {
    feature: 'api.Window.cancelIdleCallback',
    source: EDITOR_LANGUAGE,
    reason: 'Only where requestIdleCallback was asked for.',
  },
  {
    feature: 'api.IdleDeadline.timeRemaining',
    source: EDITOR_LANGUAGE,
    reason: 'Only where requestIdleCallback calls back.',
  },
  { feature: 'api.Navigator.scheduling', source: EDITOR_LANGUAGE, reason: 'Asks whether there is one.' },
  { feature: 'api.Scheduling.isInputPending', source: EDITOR_LANGUAGE, reason: 'Asks whether there is one.' },
  {
    feature: 'api.CSSStyleSheet.CSSStyleSheet',
    source: 'node_modules/style-mod/',
    reason: 'Asks whether a shadow root adopts style sheets, and has a style element in it otherwise.',
  },
]
