import type { Step } from './side.js';
import { file, type ScopeContent } from './model-text.js';

/** A model and what is done with it, here and, when its response was recorded, on Zeebe. */
export interface DifferentialCase {
  readonly id: string;
  readonly bpmnXml: string;
  /** The decisions that it asks for. */
  readonly dmnXml?: string;
  readonly steps: readonly Step[];
  /** Whether it needs a host of its own: where what it leaves behind could act on other cases. */
  readonly alone?: true;
}

/** The id of the process of a case that has only one. */
export const PROCESS = 'case';

/** A case of one process that is started with the variables, plus `key: "k"` for messages. */
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

/** Another version of the process of a case that has only one. */
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

/** By its name no file is the same as another one, which would be deployed only once. */
function named(id: string, processes: Readonly<Record<string, ScopeContent>>): string {
  return file(processes).replace('<bpmn:definitions ', `<bpmn:definitions name="${id}" `);
}
