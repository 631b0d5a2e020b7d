import type { Step } from './side.js';
import { buildBpmnFile, type ScopeContent } from './model-text.js';

/** BPMN model and the steps that are executed here and, for the recorded response, on Zeebe. */
export interface DifferentialCase {
  readonly id: string;
  readonly bpmnXml: string;
  /** DMN decisions that the BPMN model evaluates. */
  readonly dmnXml?: string;
  readonly steps: readonly Step[];
  /** Whether the case needs a separate host, because what it leaves behind could affect other cases. */
  readonly alone?: true;
}

/** Process id of a case with only one process. */
export const PROCESS = 'case';

/** Returns a case of one process that is started with the variables, plus `key: "k"` for messages. */
export function singleProcessCase(
  id: string,
  content: ScopeContent,
  steps: readonly Step[] = [],
  variables: Readonly<Record<string, unknown>> = {},
): DifferentialCase {
  return multiProcessCase(id, { [PROCESS]: content }, [
    { start: PROCESS, variables: { key: 'k', ...variables } as never },
    ...steps,
  ]);
}

/** Returns a later version of the process of a single-process case. */
export function laterVersion(id: string, content: ScopeContent): string {
  return buildNamedFile(`${id}, then`, { [PROCESS]: content });
}

export function multiProcessCase(
  id: string,
  processes: Readonly<Record<string, ScopeContent>>,
  steps: readonly Step[],
): DifferentialCase {
  return { id, bpmnXml: buildNamedFile(id, processes), steps };
}

/** Returns a file with a unique name, because identical files are deployed only once. */
function buildNamedFile(id: string, processes: Readonly<Record<string, ScopeContent>>): string {
  return buildBpmnFile(processes).replace('<bpmn:definitions ', `<bpmn:definitions name="${id}" `);
}
