// Selectors for `no-restricted-syntax` that refuse user-visible texts outside the text catalogue.

const MESSAGE = 'Move this text to the catalogue (texts/en; in the desktop client, app/texts.ts).';
const ATTRIBUTES =
  'title|label|placeholder|description|alt|legend|error|aria-label|aria-description|aria-roledescription|aria-valuetext|aria-placeholder|submitLabel|confirmLabel|emptyText';
const PROPERTIES = 'title|label|placeholder|description|header|hint|message|text';
const LETTER = String.raw`[value=/\p{L}/u]`;
const TEMPLATE = String.raw`TemplateElement[value.cooked=/\p{L}/u]`;

/** Returns selectors for texts in a node: literals, templates, and texts in conditional or logical expressions. */
function selectTexts(within) {
  const values = [
    `Literal${LETTER}`,
    `TemplateLiteral > ${TEMPLATE}`,
    `ConditionalExpression > Literal${LETTER}:not(.test)`,
    `ConditionalExpression > TemplateLiteral > ${TEMPLATE}`,
    `LogicalExpression > Literal${LETTER}`,
  ];
  return values.map((value) => `${within} > ${value}`);
}

/**
 * Two consecutive words are a text, unless they are names of classes, fonts or CSS (with a hyphen or a parenthesis).
 */
const SENTENCE = String.raw`/^(?:\p{Lu}\p{L}* \p{L}|[^-()]*\p{L}{2,} \p{L}{2,}[^-()]*$)/u`;
/** Messages of errors for programmers, which no page shows. */
const FOR_PROGRAMMERS = 'NewExpression[callee.name=/(?:Error|Exception)$/]';

const SELECTORS = [
  `JSXText${LETTER}`,
  ...selectTexts(':matches(JSXElement, JSXFragment) > JSXExpressionContainer'),
  `JSXAttribute[name.name=/^(?:${ATTRIBUTES})$/] > Literal${LETTER}`,
  ...selectTexts(`JSXAttribute[name.name=/^(?:${ATTRIBUTES})$/] > JSXExpressionContainer`),
  String.raw`Property[key.name=/^(?:${PROPERTIES})$/] > Literal[value=/^\p{Lu}/u]`,
  `:not(${FOR_PROGRAMMERS}, JSXAttribute[name.name=rel], ImportDeclaration) > Literal[value=${SENTENCE}]`,
  `:not(${FOR_PROGRAMMERS}) > TemplateLiteral > TemplateElement[value.cooked=${SENTENCE}]`,
];

export const ONLY_IN_TEXTS = SELECTORS.map((selector) => ({ selector, message: MESSAGE }));
