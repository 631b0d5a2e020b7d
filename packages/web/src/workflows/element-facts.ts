import type { JsonValue } from '@countersign/contract';
import type { ModelElement } from './read-model.js';

/** Shown elsewhere. */
const ELSEWHERE = new Set(['documentation', 'name']);
const INPUT_SCHEMA = /\[name=inputSchema\]\.value$/;

/**
 * Returns the facts to list for an element, and separately the input schema of a process, which is too large for a
 * cell. A schema that is not JSON stays in the list.
 */
export function factsOf({ type, facts }: Pick<ModelElement, 'type' | 'facts'>): {
  readonly facts: readonly (readonly [path: string, value: string])[];
  readonly inputSchema: JsonValue | undefined;
} {
  // Every deployed process is executable, so this is not shown.
  const all = [...facts].filter(
    ([path]) => !ELSEWHERE.has(path) && !(type === 'bpmn:Process' && path === 'isExecutable'),
  );
  const found = type === 'bpmn:Process' ? all.find(([path]) => INPUT_SCHEMA.test(path)) : undefined;
  const inputSchema = found === undefined ? undefined : parsed(found[1]);
  return { facts: inputSchema === undefined ? all : all.filter((fact) => fact !== found), inputSchema };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
