const NAMES = new Set(['Generator', 'AsyncGenerator']);

/** A generator that nobody iterates does nothing, and nothing says so: a `yield*` was forgotten. */
export const noFloatingGenerators = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { floating: 'This generator does nothing until it is iterated: use `yield*`, or pass it to what does.' },
  },
  create({ report, sourceCode }) {
    const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const isGenerator = (type) => (type.isUnion() ? type.types.some(isGenerator) : NAMES.has(type.symbol?.name ?? ''));
    return {
      ExpressionStatement({ expression }) {
        const called = expression.type === 'ChainExpression' ? expression.expression : expression;
        if (called.type !== 'CallExpression') return;
        if (isGenerator(checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(called))))
          report({ node: called, messageId: 'floating' });
      },
    };
  },
};
