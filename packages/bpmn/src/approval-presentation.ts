import {
  type ApprovalDefinition,
  type Expression,
  formatSuggestion,
  type NodeBase,
  type Value,
} from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { readValue, requireExpression } from './values.js';

/** The `zeebe:properties` that define how an approval presents its subject. */
export const PRESENTATION_PROPERTIES = ['approval.title', 'approval.summary', 'approval.fields'] as const;

type PresentationProperty = (typeof PRESENTATION_PROPERTIES)[number];

/**
 * Reads how an approval presents its subject. The expressions may read only the inputs of the task: a title must not
 * say anything that is not part of what is approved.
 */
export function readPresentation(
  context: CompileContext,
  { id, properties, inputs }: NodeBase,
): Pick<ApprovalDefinition, 'title' | 'summary' | 'fields'> {
  const inputNames = new Set(inputs.map(({ target: [name = ''] }) => name));
  const checkReads = (property: PresentationProperty, { reads }: Expression): void => {
    // Without a mapping, all visible variables are inputs.
    if (inputs.length === 0) return;
    for (const name of new Set(reads.map(([variable = '']) => variable))) {
      if (inputNames.has(name)) continue;
      const message = `Property "${property}" reads "${name}", which is not an input of this task. It can read only what is approved; add an input mapping for it.${formatSuggestion(name, [...inputNames])}`;
      context.problems.add(id, 'not_an_input', message);
    }
  };
  const readText = (property: PresentationProperty): Value | null => {
    const value = readValue(context, id, `Property "${property}"`, properties[property]) ?? null;
    if (value !== null && 'expression' in value) checkReads(property, value.expression);
    return value;
  };
  return { title: readText('approval.title'), summary: readText('approval.summary'), fields: readFields() };

  function readFields(): Expression | null {
    const text = properties['approval.fields'] ?? '';
    if (text.trim() === '') return null;
    const expression = requireExpression(context, id, 'Property "approval.fields"', text);
    if (expression === undefined) return null;
    checkReads('approval.fields', expression);
    return expression;
  }
}
