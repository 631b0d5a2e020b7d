// Lint rules for reliable tests: selectors for `no-restricted-syntax` that refuse sleeps and the current time, and a
// rule for skipped tests.

const TEST = 'describe|context|it|specify';

export const NO_CHANCE = [
  {
    selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    message: 'Do not sleep in a test. Wait for a condition with `until` of @countersign/testing.',
  },
  {
    selector:
      'ImportDeclaration[source.value=/^(node:)?timers\\u002fpromises$/] > :matches(ImportSpecifier[imported.name=/^(setTimeout|scheduler)$/], ImportDefaultSpecifier, ImportNamespaceSpecifier)',
    message: 'Do not sleep in a test. Wait for a condition with `until` of @countersign/testing.',
  },
  {
    selector: "CallExpression[callee.property.name='waitForTimeout']",
    message: 'Do not sleep in a test. Wait for the expected content of the page.',
  },
  {
    selector: `MemberExpression[object.name=/^(${TEST})$/][property.name='only']`,
    message: 'Remove `.only`, because it skips all other tests.',
  },
  { selector: `CallExpression[callee.name=/^x(${TEST})$/]`, message: 'Use `.skip`, with the reason in a comment.' },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message:
      'Use a fixed date. If a real server uses the system clock, derive the date from `currentTime` of @countersign/testing.',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message:
      'Use a fixed time. If a real server uses the system clock, derive the time from `currentTime` of @countersign/testing.',
  },
];

const IS_TEST = new RegExp(`^(?:${TEST}|this)$`);

/** Requires a reason for `.skip`: a condition, or a comment on its line. */
export const skipWithReason = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { reason: 'State the reason for `.skip`: use a condition, or write a comment on this line.' },
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
