import type { Expression, Loop, MultiInstanceLoop, Value } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { checkNotResultVariable } from './compile-mappings.js';
import type { NodeDraft } from './scope-draft.js';
import { checkProperties } from './check-properties.js';
import { getNonEmptyElement } from './empty-elements.js';
import { readExtensions } from './extensions.js';
import { requireFormalExpression, requireFormalValue } from './expression-language.js';
import { getElement, getBoolean, getTag, getString, type ModdleElement } from './moddle.js';
import { findNameError } from './variable-names.js';
import { requireExpression } from './values.js';

/**
 * Compiles the loop marker of an activity (BPMN 2.0, 10.3.8). Records errors in the marker.
 *
 * @returns `null` if the activity has no loop marker
 */
export function compileLoop(context: CompileContext, { id, element }: NodeDraft): Loop | null {
  const marker = getElement(element, 'loopCharacteristics');
  if (marker === undefined) return null;
  return getTag(marker) === 'standardLoopCharacteristics'
    ? compileStandardLoop(context, id, marker)
    : compileMultiInstance(context, id, marker);
}

function compileStandardLoop(context: CompileContext, id: string, marker: ModdleElement): Loop | null {
  checkProperties(context, marker, id, ['testBefore', 'loopCondition', 'loopMaximum']);
  readExtensions(context, marker, id, new Set());
  const condition = readCondition(context, id, marker, 'loopCondition');
  const loopMaximum = marker['loopMaximum'];
  if (condition === null && loopMaximum === undefined) {
    const message = 'The loop has neither loopCondition nor loopMaximum, so it would never end.';
    context.problems.add(id, 'invalid_loop', message);
  }
  if (
    loopMaximum !== undefined &&
    !(typeof loopMaximum === 'number' && Number.isInteger(loopMaximum) && loopMaximum > 0)
  ) {
    context.problems.add(
      id,
      'invalid_loop',
      `loopMaximum must be a whole number of at least 1, not "${String(loopMaximum)}".`,
    );
  }
  const maximum = loopMaximum === undefined ? null : { literal: String(loopMaximum) };
  return { kind: 'standard', testBefore: getBoolean(marker, 'testBefore') === true, condition, maximum };
}

function compileMultiInstance(context: CompileContext, id: string, marker: ModdleElement): Loop {
  const { problems } = context;
  checkProperties(context, marker, id, ['isSequential', 'behavior', 'loopCardinality', 'completionCondition']);
  const behavior = getString(marker, 'behavior') ?? 'All';
  if (behavior !== 'All') {
    const message = `behavior="${behavior}" of the multi-instance marker is not supported; use "All": completed instances throw no events.`;
    problems.add(id, 'unsupported_property', message);
  }
  const extension = readExtensions(context, marker, id, new Set(['zeebe:loopCharacteristics'])).get(
    'zeebe:loopCharacteristics',
  );
  const cardinality = readCardinality(context, id, marker);
  if (extension === undefined && getNonEmptyElement(marker, 'loopCardinality') === undefined) {
    const message =
      'The multi-instance marker has neither a collection nor a number of instances. Add <zeebe:loopCharacteristics inputCollection="=…"/> ' +
      'to its extensionElements, or a loopCardinality.';
    problems.add(id, 'invalid_loop', message);
  } else if (extension !== undefined && getNonEmptyElement(marker, 'loopCardinality') !== undefined) {
    problems.add(
      id,
      'invalid_loop',
      'A multi-instance marker cannot have both an inputCollection and a loopCardinality.',
    );
  }
  return {
    kind: 'multiInstance',
    sequential: getBoolean(marker, 'isSequential') === true,
    ...readCollections(context, id, extension),
    cardinality,
    completionCondition: readCondition(context, id, marker, 'completionCondition'),
  };
}

type LoopCollections = Pick<
  MultiInstanceLoop,
  'inputCollection' | 'inputElement' | 'outputCollection' | 'outputElement'
>;

/** Reads the collections as in Zeebe 8.6 (LoopCharacteristicsValidator, ZeebeRuntimeValidators). */
function readCollections(context: CompileContext, id: string, extension: ModdleElement | undefined): LoopCollections {
  if (extension === undefined) {
    return { inputCollection: null, inputElement: null, outputCollection: null, outputElement: null };
  }
  const getAttribute = (name: keyof LoopCollections): string | undefined => getString(extension, name);
  const inputCollection = requireExpression(context, id, 'inputCollection', getAttribute('inputCollection')) ?? null;
  const outputCollection = readName(context, id, 'outputCollection', getAttribute('outputCollection'));
  const outputElement =
    (getAttribute('outputElement')?.trim() ?? '') === ''
      ? null
      : (requireExpression(context, id, 'outputElement', getAttribute('outputElement')) ?? null);
  if ((outputCollection === null) !== ((getAttribute('outputElement')?.trim() ?? '') === '')) {
    const message = 'zeebe:loopCharacteristics must have both outputCollection and outputElement, or neither of them.';
    context.problems.add(id, 'invalid_loop', message);
  }
  const inputElement = readName(context, id, 'inputElement', getAttribute('inputElement'));
  return { inputCollection, inputElement, outputCollection, outputElement };
}

function readName(context: CompileContext, id: string, property: string, text: string | undefined): string | null {
  const name = text?.trim() ?? '';
  if (name === '') return null;
  const error = findNameError(name);
  if (error !== undefined)
    context.problems.add(id, 'invalid_name', `${property} of zeebe:loopCharacteristics: ${error}.`);
  checkNotResultVariable(context, id, name, `${property} of zeebe:loopCharacteristics is`);
  return name;
}

const COUNT_PATTERN = /^\d{1,9}$/;

/** Reads the number of instances of a loop without a collection: a number, or FEEL. */
function readCardinality(context: CompileContext, id: string, marker: ModdleElement): Value | null {
  const element = getNonEmptyElement(marker, 'loopCardinality');
  if (element === undefined) return null;
  const value = requireFormalValue(context, id, 'loopCardinality', element, COUNT_PATTERN) ?? null;
  if (value !== null && 'literal' in value && !COUNT_PATTERN.test(value.literal)) {
    const message = `loopCardinality must be a whole number from 0 to 999999999 or FEEL, not "${value.literal}".`;
    context.problems.add(id, 'invalid_loop', message);
  }
  return value;
}

function readCondition(
  context: CompileContext,
  id: string,
  marker: ModdleElement,
  property: 'loopCondition' | 'completionCondition',
): Expression | null {
  const element = getNonEmptyElement(marker, property);
  if (element === undefined) return null;
  return requireFormalExpression(context, id, property, element) ?? null;
}
