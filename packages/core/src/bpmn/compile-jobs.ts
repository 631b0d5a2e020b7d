import type { JobTask, Value } from '../domain/workflow-graph.js';
import type { CompileContext } from './compile-context.js';
import { refuseResultVariable } from './compile-mappings.js';
import type { NodeDraft } from './draft-scope.js';
import { ACTIVITY_PROPERTIES } from './element-rules.js';
import { readPairs, type Extensions } from './extensions.js';
import type { NodeBase } from '../domain/workflow-graph.js';
import type { Families, Family } from './family.js';
import { textOf, type ModdleElement } from './moddle.js';
import { faultOfName } from './names.js';
import { requireValue } from './values.js';

/** The job type whose jobs are done by agents. */
export const AGENT_JOB_TYPE = 'agent';

export const JOB_EXTENSIONS = ['zeebe:taskDefinition', 'zeebe:taskHeaders', 'zeebe:ioMapping'];

/** Tasks whose work is a job. */
const jobTask: Family = {
  // `implementation` names a technology ("##WebService" by default) that a job has no use for (as on Zeebe).
  properties: [...ACTIVITY_PROPERTIES, 'implementation', 'messageRef'],
  extensions: JOB_EXTENSIONS,
  compile: compileJobTask,
};

export const jobFamilies: Families = new Map([
  ['serviceTask', jobTask],
  ['sendTask', jobTask],
  ['businessRuleTask', jobTask],
]);

export function compileJobTask(
  context: CompileContext,
  _draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): JobTask | undefined {
  const definition = extensions.get('zeebe:taskDefinition');
  if (definition === undefined) {
    const message =
      `The ${base.type} has no job type, so that nobody would do its work. ` +
      'Add <zeebe:taskDefinition type="…"/> to its extensionElements ("agent" for an agent step).';
    context.problems.add(base.id, 'missing_task_definition', message);
    return undefined;
  }
  const jobType = requireValue(context, base.id, 'type of zeebe:taskDefinition', textOf(definition, 'type'));
  const retries = readRetries(context, base.id, definition);
  const headers = readHeaders(context, base.id, extensions.get('zeebe:taskHeaders'), jobType);
  if (jobType === undefined || retries === undefined) return undefined;
  return { ...base, kind: 'jobTask', jobType, retries, headers };
}

/** Whether a node is an agent step: its job type is literally `agent`. */
export function isAgentStep(node: { readonly kind: string; readonly jobType?: Value }): boolean {
  return (
    node.kind === 'jobTask' &&
    node.jobType !== undefined &&
    'literal' in node.jobType &&
    node.jobType.literal === AGENT_JOB_TYPE
  );
}

function readRetries(context: CompileContext, elementId: string, definition: ModdleElement): Value | undefined {
  // Zeebe's default; an attribute that is there and empty is a mistake.
  const place = 'retries of zeebe:taskDefinition';
  const value = requireValue(context, elementId, place, textOf(definition, 'retries') ?? '3');
  if (value === undefined || 'expression' in value || /^\d{1,6}$/.test(value.literal)) return value;
  const message = `${place} must be a whole number from 0 or FEEL, not "${value.literal}".`;
  context.problems.add(elementId, 'invalid_retries', message);
  return undefined;
}

function readHeaders(
  context: CompileContext,
  elementId: string,
  holder: ModdleElement | undefined,
  jobType: Value | undefined,
): Readonly<Record<string, string>> {
  const all = readPairs(context, elementId, holder, 'values');
  // Zeebe leaves out headers without a value, which Modeler's templates write.
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const resultVariable = headers['resultVariable'];
  if (resultVariable === undefined) return headers;
  refuseResultVariable(
    context,
    elementId,
    resultVariable.split('.')[0]?.trim() ?? '',
    'The header resultVariable names',
  );
  const isAgent = jobType !== undefined && 'literal' in jobType && jobType.literal === AGENT_JOB_TYPE;
  const fault = isAgent ? faultOfName(resultVariable) : undefined;
  if (fault !== undefined) context.problems.add(elementId, 'invalid_name', `The header resultVariable: ${fault}.`);
  return headers;
}
