/** What a call stands in that does nothing with its generator, but to look whether there is one. */
const DISCARDING = new Set(['ExpressionStatement', 'UnaryExpression', 'LogicalExpression', 'ChainExpression']);
const TESTING = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement', 'ForStatement']);
const NAMES = new Set(['Generator', 'AsyncGenerator']);

/** Reports a call whose generator is discarded or taken for a truth value: its body never runs. Usually a `yield*` is missing. */
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
    const isGenerator = (type) => (type.isUnion() ? type.types.some(isGenerator) : NAMES.has(type.symbol?.name ?? ''));
    return {
      CallExpression(node) {
        const { parent } = node;
        const isDiscarded = DISCARDING.has(parent.type) || (TESTING.has(parent.type) && parent.test === node);
        if (isDiscarded && isGenerator(checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node))))
          report({ node, messageId: 'floating' });
      },
    };
  },
};
