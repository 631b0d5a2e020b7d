import type { JsonValue } from '@countersign/contract';
import type { ModelElement } from './read-model.js';

/** Paths of the facts that are shown outside the list. */
const PATHS_SHOWN_ELSEWHERE = new Set(['documentation', 'name']);
const INPUT_SCHEMA_PATH = /\[name=inputSchema\]\.value$/;

/**
 * Returns the facts to list for an element, and separately the input schema of a process, which is too large for a
 * cell. A schema that is not JSON stays in the list.
 */
export function getElementFacts({ type, facts }: Pick<ModelElement, 'type' | 'facts'>): {
  readonly facts: readonly (readonly [path: string, value: string])[];
  readonly inputSchema: JsonValue | undefined;
} {
  // Every deployed process is executable, so this is not shown.
  const listedFacts = [...facts].filter(
    ([path]) => !PATHS_SHOWN_ELSEWHERE.has(path) && !(type === 'bpmn:Process' && path === 'isExecutable'),
  );
  const schemaFact = type === 'bpmn:Process' ? listedFacts.find(([path]) => INPUT_SCHEMA_PATH.test(path)) : undefined;
  const inputSchema = schemaFact === undefined ? undefined : tryParseJson(schemaFact[1]);
  return {
    facts: inputSchema === undefined ? listedFacts : listedFacts.filter((fact) => fact !== schemaFact),
    inputSchema,
  };
}

function tryParseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
