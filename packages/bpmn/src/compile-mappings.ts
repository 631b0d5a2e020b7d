import type { Mapping } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { getElements, getString, type ModdleElement } from './moddle.js';
import { parsePath } from './variable-names.js';
import { requireExpression, requireValue } from './values.js';

/**
 * Compiles `zeebe:ioMapping`. As in Zeebe 8.6, the source of an input may be literal, the source of an output must be
 * FEEL, and a target is a dotted path.
 */
export function compileMappings(
  context: CompileContext,
  elementId: string,
  ioMapping: ModdleElement | undefined,
): { readonly inputs: readonly Mapping[]; readonly outputs: readonly Mapping[] } {
  const compileList = (property: 'inputParameters' | 'outputParameters'): readonly Mapping[] =>
    (ioMapping === undefined ? [] : getElements(ioMapping, property))
      .map((parameter) => compileMapping(context, elementId, parameter, property === 'inputParameters'))
      .filter((mapping) => mapping !== undefined);
  return { inputs: compileList('inputParameters'), outputs: compileList('outputParameters') };
}

function compileMapping(
  context: CompileContext,
  elementId: string,
  parameter: ModdleElement,
  isInput: boolean,
): Mapping | undefined {
  const kind = isInput ? 'input' : 'output';
  const targetText = getString(parameter, 'target') ?? '';
  const label = `The source of the ${kind} mapping to "${targetText}"`;
  const source = isInput
    ? requireValue(context, elementId, label, getString(parameter, 'source'))
    : toExpressionValue(requireExpression(context, elementId, label, getString(parameter, 'source')));
  const path = parsePath(targetText);
  if ('error' in path) {
    context.problems.add(elementId, 'invalid_target', `The target of an ${kind} mapping: ${path.error}.`);
    return undefined;
  }
  checkNotResultVariable(context, elementId, path.parts[0] ?? '', `An ${kind} mapping writes`);
  return source === undefined ? undefined : { source, target: path.parts };
}

function toExpressionValue<T>(expression: T | undefined): { readonly expression: T } | undefined {
  return expression === undefined ? undefined : { expression };
}

/**
 * Records an attempt to write the result variable of an approval. Only approval decisions write it; any other writer
 * could forge a decision.
 */
export function checkNotResultVariable(
  context: CompileContext,
  elementId: string,
  name: string,
  messageStart: string,
): void {
  if (!context.resultVariables.has(name)) return;
  const message = `${messageStart} "${name}", which is the result variable of an approval: only approval decisions write it.`;
  context.problems.add(elementId, 'result_variable_reserved', message);
}
