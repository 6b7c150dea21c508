/* Rules of this project for oxlint. */

/** `toMatchObject` passes for any text where it is given a pattern: such a test cannot fail. */
const noPatternInMatchObject = {
  /** @param {any} context */
  create: (context) => ({
    /** @param {any} call */
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || callee.property.name !== 'toMatchObject') return
      for (const node of given.flatMap(patternsIn))
        context.report({ node, message: 'toMatchObject takes any text for a pattern: expect.stringMatching(...)' })
    },
  }),
}

/** @param {any} node @returns {any[]} */
function patternsIn(node) {
  switch (node?.type) {
    case 'Literal':
      return node.regex ? [node] : []
    case 'ObjectExpression':
      return node.properties.flatMap((/** @type {any} */ property) => patternsIn(property.value))
    case 'ArrayExpression':
      return node.elements.flatMap(patternsIn)
    default:
      return []
  }
}

/** Each object literal with a getter or setter gets its own hidden class in V8: one per request costs more than most routes. */
const noAccessorInLiteral = {
  /** @param {any} context */
  create: (context) => ({
    /** @param {any} node */
    Property(node) {
      if (node.kind !== 'get' && node.kind !== 'set') return
      context.report({ node, message: 'a getter or setter in an object literal is slow: use a class, or a method' })
    },
  }),
}

export default {
  meta: { name: 'coinshop' },
  rules: { 'no-pattern-in-match-object': noPatternInMatchObject, 'no-accessor-in-literal': noAccessorInLiteral },
}
