import { getElement, getId, getString, type ModdleElement } from '../moddle.js';
import { truncateText, isSafeKey } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { compileLiteral, compileTests } from './compile-feel.js';
import type { HitPolicy, TableInput, TableOutput } from './decision-logic.js';
import { checkProperties } from './check-properties.js';
import { compileRanks } from './output-ranks.js';

/** Compiles the inputs of a decision table; returns `undefined` if one of them is invalid. */
export function compileInputs(
  context: CompileContext,
  elements: readonly ModdleElement[],
  tableId: string,
): readonly TableInput[] | undefined {
  const inputs = elements
    .map((element, index) => compileInput(context, element, index, tableId))
    .filter((input) => input !== undefined);
  return inputs.length === elements.length ? inputs : undefined;
}

/** Number of characters of an input expression that Zeebe displays if there is no label. */
const MAX_NAME_LENGTH = 30;

function compileInput(
  context: CompileContext,
  element: ModdleElement,
  index: number,
  tableId: string,
): TableInput | undefined {
  checkProperties(context, element, getId(element) ?? tableId);
  const id = requireId(context, element, tableId, `input ${index + 1}`);
  const literal = getElement(element, 'inputExpression');
  const elementId = id ?? tableId;
  const label = `The expression of input ${index + 1}`;
  if (literal !== undefined) checkProperties(context, literal, getId(literal) ?? elementId);
  const expression = compileLiteral(context, literal, { elementId: getId(literal ?? element) ?? elementId, label });
  const allowed = compileAllowedValues(context, getElement(element, 'inputValues'), elementId, 'inputValues');
  if (id === null || expression === undefined || allowed === undefined) return undefined;
  return {
    id,
    name: getLabel(element) ?? truncateText(expression.source.trim(), MAX_NAME_LENGTH),
    expression,
    allowed,
  };
}

/** Compiles the outputs of a decision table; returns `undefined` if one of them is invalid. */
export function compileOutputs(
  context: CompileContext,
  elements: readonly ModdleElement[],
  tableId: string,
  hitPolicy: HitPolicy | undefined,
): readonly TableOutput[] | undefined {
  if (elements.length === 0) context.problems.add(tableId, 'missing_output', 'The decision table has no output.');
  if (elements.length > 1) checkOutputNames(context, elements, tableId);
  const isOrdered = hitPolicy === 'PRIORITY' || hitPolicy === 'OUTPUT ORDER';
  if (isOrdered && !elements.some((element) => hasText(getElement(element, 'outputValues')))) {
    const message =
      `hitPolicy ${hitPolicy} needs outputValues, in the order of their priority, on at least one output ` +
      '(in Camunda Modeler: "Predefined values").';
    context.problems.add(tableId, 'missing_output_values', message);
  }
  const outputs = elements
    .map((element, index) => compileOutput(context, element, index, tableId, isOrdered))
    .filter((output) => output !== undefined);
  return outputs.length === elements.length && outputs.length > 0 ? outputs : undefined;
}

function compileOutput(
  context: CompileContext,
  element: ModdleElement,
  index: number,
  tableId: string,
  isOrdered: boolean,
): TableOutput | undefined {
  checkProperties(context, element, getId(element) ?? tableId);
  const id = requireId(context, element, tableId, `output ${index + 1}`);
  const elementId = id ?? tableId;
  const values = getElement(element, 'outputValues');
  const allowed = compileAllowedValues(context, values, elementId, 'outputValues');
  const ranks = isOrdered && allowed ? compileRanks(context, allowed, elementId) : null;
  const literal = getElement(element, 'defaultOutputEntry');
  if (literal !== undefined) checkProperties(context, literal, getId(literal) ?? elementId);
  const location = { elementId, label: `The default of output ${index + 1}` };
  const defaultEntry = literal === undefined ? null : compileLiteral(context, literal, location);
  if (id === null || allowed === undefined || ranks === undefined || defaultEntry === undefined) return undefined;
  const name = getName(element);
  return { id, key: name ?? id, name: getLabel(element) ?? name, allowed, ranks, defaultEntry };
}

/** Checks the names of several outputs, which are the keys of the result (DMN 1.3, 8.3.3; as in Zeebe 8.6). */
function checkOutputNames({ problems }: CompileContext, elements: readonly ModdleElement[], tableId: string): void {
  const seen = new Set<string>();
  elements.forEach((element, index) => {
    const elementId = getId(element) ?? tableId;
    const name = getName(element);
    if (name === null) {
      const message = `Output ${index + 1} has no name; if there are several outputs, each output needs a name.`;
      problems.add(elementId, 'missing_output_name', message);
    } else if (!isSafeKey(name)) {
      problems.add(elementId, 'reserved_name', `The name "${name}" of output ${index + 1} is reserved.`);
    } else if (seen.has(name)) {
      problems.add(
        elementId,
        'duplicate_name',
        `The name "${name}" of output ${index + 1} is already used by another output.`,
      );
    } else {
      seen.add(name);
    }
  });
}

function compileAllowedValues(
  context: CompileContext,
  element: ModdleElement | undefined,
  elementId: string,
  label: string,
): TableInput['allowed'] | undefined {
  if (element !== undefined) checkProperties(context, element, getId(element) ?? elementId);
  return compileTests(context, element, { elementId, label });
}

/**
 * Returns the id of an element. Records a missing id, because the trail identifies the element by its id. Zeebe 8.6
 * accepts such a file and fails at evaluation.
 */
export function requireId(
  context: CompileContext,
  element: ModdleElement,
  tableId: string,
  label: string,
): string | null {
  const id = getId(element);
  if (id === null) context.problems.add(tableId, 'missing_id', `The decision table's ${label} has no id.`);
  return id;
}

function hasText(element: ModdleElement | undefined): boolean {
  return element !== undefined && (getString(element, 'text') ?? '').trim() !== '';
}

function getName(element: ModdleElement): string | null {
  const name = getString(element, 'name')?.trim() ?? '';
  return name === '' ? null : name;
}

function getLabel(element: ModdleElement): string | null {
  const label = getString(element, 'label')?.trim() ?? '';
  return label === '' ? null : label;
}
