/** Parent nodes of a call that discard its generator or only test it. */
const DISCARDING_PARENTS = new Set(['ExpressionStatement', 'UnaryExpression', 'LogicalExpression', 'ChainExpression']);
const CONDITION_PARENTS = new Set([
  'IfStatement',
  'ConditionalExpression',
  'WhileStatement',
  'DoWhileStatement',
  'ForStatement',
]);
const GENERATOR_TYPES = new Set(['Generator', 'AsyncGenerator']);

/**
 * Reports a call whose generator is discarded or used as a condition, so that its body never runs. Usually a `yield*`
 * is missing.
 */
export const noFloatingGenerators = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      floating:
        'This generator is never iterated, so its body does not run. Use `yield*`, or pass it to a function that iterates it, such as `inTurns()`.',
    },
  },
  create({ report, sourceCode }) {
    const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const isGenerator = (type) =>
      type.isUnion() ? type.types.some(isGenerator) : GENERATOR_TYPES.has(type.symbol?.name ?? '');
    return {
      CallExpression(node) {
        const { parent } = node;
        const isDiscarded =
          DISCARDING_PARENTS.has(parent.type) || (CONDITION_PARENTS.has(parent.type) && parent.test === node);
        if (isDiscarded && isGenerator(checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node))))
          report({ node, messageId: 'floating' });
      },
    };
  },
};
