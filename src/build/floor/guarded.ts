/**
 * Harmless uses of features above the floor: the reasons, by the start of the source path and the feature's path. `npm
 * run floor` accepts these uses, and fails for an entry that matches no use.
 */
export const GUARDED_USES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/engine/hosts/officeCalls.ts': {
    'api.SourceBuffer.removeAsync': "A method of Microsoft's library.",
  },
  'src/values/phone.ts': {
    'api.HTMLInstallElement.isValid': 'A method of the library of phone numbers.',
  },
  'node_modules/libphonenumber-js/source/findNumbers/': {
    'api.HTMLInstallElement.isValid': 'The library calls it on its own phone numbers.',
  },
  'node_modules/react-dom/cjs/react-dom-client.production.js': {
    'api.Navigator.connection': 'Asks whether there is one.',
    'api.Window.navigation': 'Asks for its type.',
    'api.Document.createElement.options_parameter.options_is_parameter':
      'For custom elements, of which there are none.',
    'api.Element.startViewTransition': 'For React’s component ViewTransition, which is not used.',
    'api.ViewTransition.skipTransition': 'For React’s component ViewTransition, which is not used.',
  },
  'node_modules/scheduler/': {
    'api.Window.setImmediate': 'Asks for its type.',
  },
  'node_modules/i18next/': {
    'api.LanguageDetector.detect': 'A method of its plugins.',
    'javascript.builtins.Intl.Locale.getTextInfo': 'Asks whether there is one.',
  },
  'views/administration/design/Design.module.css': {
    'css.selectors.has': 'Without the rule, what follows moves once while the page loads.',
  },
  'views/administration/parts/AreaPage.module.css': {
    'css.selectors.has': 'Without the rules, what follows moves once while the page loads.',
  },
  'views/administration/people/People.module.css': {
    'css.selectors.has': 'Without the rule, what follows moves once while the page loads.',
  },
  'node_modules/dompurify/src/': {
    'api.TrustedTypePolicyFactory.createPolicy': 'Asks for its type.',
    'api.TrustedTypePolicyFactory.getAttributeType': 'Asks for its type.',
  },
  'node_modules/tslib/': {
    'javascript.builtins.SuppressedError': 'Asks for its type.',
  },
  'node_modules/fflate/': {
    'javascript.builtins.Error.captureStackTrace': 'Asks whether there is one.',
  },
  'node_modules/@codemirror/view/dist/index.js': {
    'api.EditContext': 'Asks whether the window has it.',
    'api.EditContext.updateCharacterBounds': 'For browsers that have an EditContext.',
    'api.EditContext.updateSelectionBounds': 'For browsers that have an EditContext.',
    'api.EditContext.updateText': 'For browsers that have an EditContext.',
    'api.TextFormatUpdateEvent.getTextFormats': 'For browsers that have an EditContext.',
    'api.Selection.getComposedRanges': 'Asks whether the selection has it.',
  },
  'node_modules/@codemirror/language/dist/index.js': {
    'api.Window.requestIdleCallback': 'Asks for its type, and uses a timer without it.',
    'api.Window.cancelIdleCallback': 'Only where requestIdleCallback was asked for.',
    'api.IdleDeadline.timeRemaining': 'Only where requestIdleCallback calls back.',
    'api.Navigator.scheduling': 'Asks whether there is one.',
    'api.Scheduling.isInputPending': 'Asks whether there is one.',
  },
  'node_modules/style-mod/': {
    'api.CSSStyleSheet.CSSStyleSheet':
      'Asks whether a shadow root adopts style sheets, and has a style element in it otherwise.',
  },
}
