import type { Mapping } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { elementsOf, textOf, type ModdleElement } from './moddle.js';
import { parsePath } from './names.js';
import { requireExpression, requireValue } from './values.js';

/**
 * Compiles `zeebe:ioMapping`. As on Zeebe 8.6, the source of an input may be literal, the source of an output must be
 * FEEL, and a target is a dotted path.
 */
export function compileMappings(
  context: CompileContext,
  elementId: string,
  ioMapping: ModdleElement | undefined,
): { readonly inputs: readonly Mapping[]; readonly outputs: readonly Mapping[] } {
  const list = (property: 'inputParameters' | 'outputParameters'): readonly Mapping[] =>
    (ioMapping === undefined ? [] : elementsOf(ioMapping, property))
      .map((parameter) => compileMapping(context, elementId, parameter, property === 'inputParameters'))
      .filter((mapping) => mapping !== undefined);
  return { inputs: list('inputParameters'), outputs: list('outputParameters') };
}

function compileMapping(
  context: CompileContext,
  elementId: string,
  parameter: ModdleElement,
  isInput: boolean,
): Mapping | undefined {
  const kind = isInput ? 'input' : 'output';
  const text = textOf(parameter, 'target') ?? '';
  const place = `The source of the ${kind} mapping to "${text}"`;
  const source = isInput
    ? requireValue(context, elementId, place, textOf(parameter, 'source'))
    : wrap(requireExpression(context, elementId, place, textOf(parameter, 'source')));
  const path = parsePath(text);
  if ('fault' in path) {
    context.problems.add(elementId, 'invalid_target', `The target of an ${kind} mapping: ${path.fault}.`);
    return undefined;
  }
  refuseResultVariable(context, elementId, path.parts[0] ?? '', `An ${kind} mapping writes`);
  return source === undefined ? undefined : { source, target: path.parts };
}

function wrap<T>(expression: T | undefined): { readonly expression: T } | undefined {
  return expression === undefined ? undefined : { expression };
}

/**
 * Records an attempt to write the result variable of an approval. Only approval decisions write it; any other writer
 * could forge one.
 */
export function refuseResultVariable(context: CompileContext, elementId: string, name: string, what: string): void {
  if (!context.resultVariables.has(name)) return;
  const message = `${what} "${name}", which is the result variable of an approval: only approval decisions write it.`;
  context.problems.add(elementId, 'result_variable_reserved', message);
}
