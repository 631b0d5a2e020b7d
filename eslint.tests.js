// What makes a test depend on chance: selectors for `no-restricted-syntax`, and a rule for tests that are skipped.

const TEST = 'describe|context|it|specify';

export const NO_CHANCE = [
  {
    selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    message: 'A test does not sleep: wait for what happens, with `until` of @countersign/testing.',
  },
  {
    selector:
      'ImportDeclaration[source.value=/^(node:)?timers\\u002fpromises$/] > :matches(ImportSpecifier[imported.name=/^(setTimeout|scheduler)$/], ImportDefaultSpecifier, ImportNamespaceSpecifier)',
    message: 'A test does not sleep: wait for what happens, with `until` of @countersign/testing.',
  },
  {
    selector: "CallExpression[callee.property.name='waitForTimeout']",
    message: 'A test does not sleep: wait for what the page shows.',
  },
  { selector: `MemberExpression[object.name=/^(${TEST})$/][property.name='only']`, message: 'All tests run, always.' },
  { selector: `CallExpression[callee.name=/^x(${TEST})$/]`, message: 'Write `.skip`, with the reason.' },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message:
      'A date is fixed, or relative to `currentTime` of @countersign/testing where a real server goes by its own clock.',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message:
      'A time is fixed, or relative to `currentTime` of @countersign/testing where a real server goes by its own clock.',
  },
];

const IS_TEST = new RegExp(`^(?:${TEST}|this)$`);

/** `.skip` needs a reason: a condition that decides it, or a comment on its line. */
export const skipWithReason = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { reason: 'Say why it is skipped: by a condition, or in a comment on this line.' },
  },
  create(context) {
    const { sourceCode } = context;
    const commented = new Set(sourceCode.getAllComments().flatMap(({ loc }) => [loc.start.line, loc.end.line]));
    const isConditional = (node) =>
      sourceCode.getAncestors(node).some(({ type }) => type === 'ConditionalExpression' || type === 'IfStatement');
    return {
      MemberExpression(node) {
        const object = node.object.type === 'ThisExpression' ? 'this' : node.object.name;
        if (node.property.name !== 'skip' || !IS_TEST.test(object ?? '')) return;
        if (!isConditional(node) && !commented.has(node.loc.end.line)) context.report({ node, messageId: 'reason' });
      },
    };
  },
};
