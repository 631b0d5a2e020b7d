import type { Expression, Loop, MultiInstanceLoop, Value } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { refuseResultVariable } from './compile-mappings.js';
import type { NodeDraft } from './draft-scope.js';
import { checkProperties } from './element-rules.js';
import { filledElementOf } from './empty-elements.js';
import { readExtensions } from './extensions.js';
import { requireFormalExpression, requireFormalValue } from './expression-language.js';
import { elementOf, flagOf, tagOf, textOf, type ModdleElement } from './moddle.js';
import { nameError } from './names.js';
import { requireExpression } from './values.js';

/**
 * Compiles the loop marker of an activity (BPMN 2.0, 10.3.8).
 *
 * @returns `null` if it has no marker, or an invalid one, which is recorded
 */
export function compileLoop(context: CompileContext, { id, element }: NodeDraft): Loop | null {
  const marker = elementOf(element, 'loopCharacteristics');
  if (marker === undefined) return null;
  return tagOf(marker) === 'standardLoopCharacteristics'
    ? compileStandard(context, id, marker)
    : compileMultiInstance(context, id, marker);
}

function compileStandard(context: CompileContext, id: string, marker: ModdleElement): Loop | null {
  checkProperties(context, marker, id, ['testBefore', 'loopCondition', 'loopMaximum']);
  readExtensions(context, marker, id, new Set());
  const condition = readCondition(context, id, marker, 'loopCondition');
  const given = marker['loopMaximum'];
  if (condition === null && given === undefined) {
    const message = 'The loop has neither loopCondition nor loopMaximum, so it would never end.';
    context.problems.add(id, 'invalid_loop', message);
  }
  if (given !== undefined && !(typeof given === 'number' && Number.isInteger(given) && given > 0)) {
    context.problems.add(id, 'invalid_loop', `loopMaximum must be a whole number from 1, not "${String(given)}".`);
  }
  const maximum = given === undefined ? null : { literal: String(given) };
  return { kind: 'standard', testBefore: flagOf(marker, 'testBefore') === true, condition, maximum };
}

function compileMultiInstance(context: CompileContext, id: string, marker: ModdleElement): Loop {
  const { problems } = context;
  checkProperties(context, marker, id, ['isSequential', 'behavior', 'loopCardinality', 'completionCondition']);
  const behavior = textOf(marker, 'behavior') ?? 'All';
  if (behavior !== 'All') {
    const message = `behavior="${behavior}" of the multi-instance marker is not supported: completed instances throw no events ("All").`;
    problems.add(id, 'unsupported_property', message);
  }
  const extension = readExtensions(context, marker, id, new Set(['zeebe:loopCharacteristics'])).get(
    'zeebe:loopCharacteristics',
  );
  const cardinality = readCardinality(context, id, marker);
  if (extension === undefined && filledElementOf(marker, 'loopCardinality') === undefined) {
    const message =
      'The multi-instance marker has neither a collection nor a number of instances. Add <zeebe:loopCharacteristics inputCollection="=…"/> ' +
      'to its extensionElements, or a loopCardinality.';
    problems.add(id, 'invalid_loop', message);
  } else if (extension !== undefined && filledElementOf(marker, 'loopCardinality') !== undefined) {
    problems.add(
      id,
      'invalid_loop',
      'A multi-instance marker cannot have both an inputCollection and a loopCardinality.',
    );
  }
  return {
    kind: 'multiInstance',
    sequential: flagOf(marker, 'isSequential') === true,
    ...readCollections(context, id, extension),
    cardinality,
    completionCondition: readCondition(context, id, marker, 'completionCondition'),
  };
}

type Collections = Pick<MultiInstanceLoop, 'inputCollection' | 'inputElement' | 'outputCollection' | 'outputElement'>;

/** Reads the collections like Zeebe 8.6: LoopCharacteristicsValidator, ZeebeRuntimeValidators. */
function readCollections(context: CompileContext, id: string, extension: ModdleElement | undefined): Collections {
  if (extension === undefined) {
    return { inputCollection: null, inputElement: null, outputCollection: null, outputElement: null };
  }
  const text = (name: keyof Collections): string | undefined => textOf(extension, name);
  const inputCollection = requireExpression(context, id, 'inputCollection', text('inputCollection')) ?? null;
  const outputCollection = readName(context, id, 'outputCollection', text('outputCollection'));
  const outputElement =
    (text('outputElement')?.trim() ?? '') === ''
      ? null
      : (requireExpression(context, id, 'outputElement', text('outputElement')) ?? null);
  if ((outputCollection === null) !== ((text('outputElement')?.trim() ?? '') === '')) {
    const message = 'zeebe:loopCharacteristics must have both outputCollection and outputElement, or neither of them.';
    context.problems.add(id, 'invalid_loop', message);
  }
  const inputElement = readName(context, id, 'inputElement', text('inputElement'));
  return { inputCollection, inputElement, outputCollection, outputElement };
}

function readName(context: CompileContext, id: string, place: string, text: string | undefined): string | null {
  const name = text?.trim() ?? '';
  if (name === '') return null;
  const fault = nameError(name);
  if (fault !== undefined) context.problems.add(id, 'invalid_name', `${place} of zeebe:loopCharacteristics: ${fault}.`);
  refuseResultVariable(context, id, name, `${place} of zeebe:loopCharacteristics is`);
  return name;
}

const COUNT = /^\d{1,9}$/;

/** Reads the number of instances of a loop without a collection: a number, or FEEL. */
function readCardinality(context: CompileContext, id: string, marker: ModdleElement): Value | null {
  const element = filledElementOf(marker, 'loopCardinality');
  if (element === undefined) return null;
  const value = requireFormalValue(context, id, 'loopCardinality', element, COUNT) ?? null;
  if (value !== null && 'literal' in value && !COUNT.test(value.literal)) {
    const message = `loopCardinality must be a whole number from 0 or FEEL, not "${value.literal}".`;
    context.problems.add(id, 'invalid_loop', message);
  }
  return value;
}

function readCondition(
  context: CompileContext,
  id: string,
  marker: ModdleElement,
  place: 'loopCondition' | 'completionCondition',
): Expression | null {
  const element = filledElementOf(marker, place);
  if (element === undefined) return null;
  return requireFormalExpression(context, id, place, element) ?? null;
}
