import type { Step } from './side.js';
import { file, type ScopeContent } from './model-text.js';

/** Model and its steps, executed here and, when the response was recorded, on Zeebe. */
export interface DifferentialCase {
  readonly id: string;
  readonly bpmnXml: string;
  /** DMN decisions that it evaluates. */
  readonly dmnXml?: string;
  readonly steps: readonly Step[];
  /** Whether it needs a separate host, because its leftovers could affect other cases. */
  readonly alone?: true;
}

/** Process id of a case with only one process. */
export const PROCESS = 'case';

/** Returns a case of one process that is started with the variables, plus `key: "k"` for messages. */
export function single(
  id: string,
  content: ScopeContent,
  steps: readonly Step[] = [],
  variables: Readonly<Record<string, unknown>> = {},
): DifferentialCase {
  return several(id, { [PROCESS]: content }, [
    { start: PROCESS, variables: { key: 'k', ...variables } as never },
    ...steps,
  ]);
}

/** Returns another version of the process of a case with only one. */
export function versionOf(id: string, content: ScopeContent): string {
  return named(`${id}, then`, { [PROCESS]: content });
}

export function several(
  id: string,
  processes: Readonly<Record<string, ScopeContent>>,
  steps: readonly Step[],
): DifferentialCase {
  return { id, bpmnXml: named(id, processes), steps };
}

/** Returns a file with a unique name, because identical files are deployed only once. */
function named(id: string, processes: Readonly<Record<string, ScopeContent>>): string {
  return file(processes).replace('<bpmn:definitions ', `<bpmn:definitions name="${id}" `);
}
