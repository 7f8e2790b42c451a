/** Reports syntax by selectors, as `no-restricted-syntax` of ESLint does; its documentation explains them. */
const syntax = {
  meta: {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { selector: { type: 'string' }, message: { type: 'string' } },
        required: ['selector', 'message'],
        additionalProperties: false,
      },
    },
  },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
}

export default { meta: { name: 'signet' }, rules: { syntax } }
