import type { Expression, Value } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { isFeel } from './is-feel.js';
import { getTag, getString, type ModdleElement } from './moddle.js';
import { requireExpression, requireValue } from './values.js';

/** Returns whether a text contains only characters that are valid in a URI, escaped or not (RFC 3986, appendix A). */
function isUriReference(text: string): boolean {
  return !/[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})/i.test(text.trim());
}

/**
 * Compiles an expression of a BPMN element (not of an extension), for example a condition. It must be FEEL.
 *
 * FEEL starts with `=`, as in Zeebe, which refuses everything else in these elements. The `=` may be omitted if the
 * expression, or the file for all expressions, declares FEEL as its language (BPMN 2.0, 8.3.7 and table 8.1
 * `expressionLanguage`).
 */
export function requireFormalExpression(
  context: CompileContext,
  elementId: string,
  label: string,
  element: ModdleElement,
): Expression | undefined {
  const text = getString(element, 'body');
  if (reportForeignLanguage(context, elementId, label, element)) return undefined;
  if (
    getTag(element) !== 'formalExpression' &&
    text !== undefined &&
    text.trim() !== '' &&
    !text.trim().startsWith('=')
  ) {
    // BPMN 2.0, 8.3.7: an executable expression is a FormalExpression; any other expression is text for people.
    const message = `${label} is not marked as executable; write xsi:type="bpmn:tFormalExpression", and FEEL after a "=".`;
    context.problems.add(elementId, 'informal_expression', message);
    return undefined;
  }
  return requireExpression(
    context,
    elementId,
    label,
    isUnprefixedFeel(context, element, text) ? `=${text ?? ''}` : text,
  );
}

/** Works like {@link requireFormalExpression}, but also accepts literals that match `literalPattern`. */
export function requireFormalValue(
  context: CompileContext,
  elementId: string,
  label: string,
  element: ModdleElement,
  literalPattern: RegExp,
): Value | undefined {
  const text = getString(element, 'body');
  if (reportForeignLanguage(context, elementId, label, element)) return undefined;
  const isLiteral = literalPattern.test(text?.trim() ?? '');
  return requireValue(
    context,
    elementId,
    label,
    !isLiteral && isUnprefixedFeel(context, element, text) ? `=${text ?? ''}` : text,
  );
}

function isUnprefixedFeel(context: CompileContext, element: ModdleElement, text: string | undefined): boolean {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed.startsWith('=') || getTag(element) !== 'formalExpression') return false;
  return getString(element, 'language') === undefined ? context.isFeelDefault : isFeel(getString(element, 'language'));
}

function reportForeignLanguage(
  context: CompileContext,
  elementId: string,
  label: string,
  element: ModdleElement,
): boolean {
  const language = getString(element, 'language');
  if (language === undefined || /feel/i.test(language)) return false;
  if (isUriReference(language)) {
    const message = `${label}: expressions must be FEEL; the language "${language}" is never evaluated.`;
    context.problems.add(elementId, 'foreign_script', message);
  } else {
    const message = `${label}: the language "${language}" is not a URI (BPMN 2.0, 8.3.7). Remove the language: expressions are always FEEL.`;
    context.problems.add(elementId, 'invalid_uri', message);
  }
  return true;
}
