// Texts that people read stand in the catalogue, and nowhere in the code of the pages: selectors for `no-restricted-syntax`.

const MESSAGE = 'Texts that people read stand in the catalogue (texts/en; of the desktop client, app/texts.ts).';
const ATTRIBUTES =
  'title|label|placeholder|description|alt|legend|error|aria-label|aria-description|aria-roledescription|aria-valuetext|aria-placeholder|submitLabel|confirmLabel|emptyText';
const PROPERTIES = 'title|label|placeholder|description|header|hint|message|text';
const LETTER = String.raw`[value=/\p{L}/u]`;
const TEMPLATE = String.raw`TemplateElement[value.cooked=/\p{L}/u]`;

/** A text itself, or one that is chosen or put together. */
function ofText(within) {
  const values = [
    `Literal${LETTER}`,
    `TemplateLiteral > ${TEMPLATE}`,
    `ConditionalExpression > Literal${LETTER}:not(.test)`,
    `ConditionalExpression > TemplateLiteral > ${TEMPLATE}`,
    `LogicalExpression > Literal${LETTER}`,
  ];
  return values.map((value) => `${within} > ${value}`);
}

/** Two words after each other are a text, unless they are names: of classes, of fonts, in CSS (a hyphen, a bracket). Errors for programmers appear on no page. */
const SENTENCE = String.raw`/^(?:\p{Lu}\p{L}* \p{L}|[^-()]*\p{L}{2,} \p{L}{2,}[^-()]*$)/u`;
const FOR_PROGRAMMERS = 'NewExpression[callee.name=/(?:Error|Exception)$/]';

const SELECTORS = [
  `JSXText${LETTER}`,
  ...ofText(':matches(JSXElement, JSXFragment) > JSXExpressionContainer'),
  `JSXAttribute[name.name=/^(?:${ATTRIBUTES})$/] > Literal${LETTER}`,
  ...ofText(`JSXAttribute[name.name=/^(?:${ATTRIBUTES})$/] > JSXExpressionContainer`),
  String.raw`Property[key.name=/^(?:${PROPERTIES})$/] > Literal[value=/^\p{Lu}/u]`,
  `:not(${FOR_PROGRAMMERS}, JSXAttribute[name.name=rel], ImportDeclaration) > Literal[value=${SENTENCE}]`,
  `:not(${FOR_PROGRAMMERS}) > TemplateLiteral > TemplateElement[value.cooked=${SENTENCE}]`,
];

export const ONLY_IN_TEXTS = SELECTORS.map((selector) => ({ selector, message: MESSAGE }));
