import type { FlowNode, JobTask, NodeBase, Value } from '@countersign/model';
import { readCallApproval } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { compileDecisionTask } from './compile-decision-task.js';
import { checkNotResultVariable } from './compile-mappings.js';
import { compileMessageThrow } from './compile-messages.js';
import type { NodeDraft } from './scope-draft.js';
import { ACTIVITY_PROPERTIES } from './check-properties.js';
import { readPairs, type Extensions } from './extensions.js';
import type { ElementCompilers, ElementCompiler } from './element-compiler.js';
import { getString, type ModdleElement } from './moddle.js';
import { findNameError } from './variable-names.js';
import { requireName, requireValue } from './values.js';

/** The job type of agents' jobs. */
export const AGENT_JOB_TYPE = 'agent';

export const JOB_EXTENSIONS = ['zeebe:taskDefinition', 'zeebe:taskHeaders', 'zeebe:ioMapping'];

/** Compiler of tasks that are executed as jobs. */
const jobTaskCompiler: ElementCompiler = {
  // `implementation` names a technology ("##WebService" by default), which has no effect on a job (as in Zeebe).
  properties: [...ACTIVITY_PROPERTIES, 'implementation', 'messageRef'],
  extensions: JOB_EXTENSIONS,
  compile: compileJobTask,
};

export const jobCompilers: ElementCompilers = new Map([
  ['serviceTask', jobTaskCompiler],
  ['sendTask', { ...jobTaskCompiler, compile: compileSendTask }],
  [
    'businessRuleTask',
    { ...jobTaskCompiler, extensions: [...JOB_EXTENSIONS, 'zeebe:calledDecision'], compile: compileBusinessRuleTask },
  ],
]);

/**
 * Compiles a send task. With a job type, a worker sends the message (as in Zeebe); without one, the engine throws it,
 * like a message event.
 */
function compileSendTask(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): FlowNode | undefined {
  if (extensions.has('zeebe:taskDefinition')) return compileJobTask(context, draft, base, extensions);
  checkNoHeaders(context, base, extensions, 'a message that the engine throws');
  const messageThrow = compileMessageThrow(context, base.id, draft.element);
  return messageThrow === undefined ? undefined : { ...base, kind: 'throw', throws: [messageThrow] };
}

/** Compiles a business rule task: a DMN decision that the engine evaluates, or a job. */
function compileBusinessRuleTask(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): FlowNode | undefined {
  const decision = extensions.get('zeebe:calledDecision');
  if (decision === undefined) return compileJobTask(context, draft, base, extensions);
  if (extensions.has('zeebe:taskDefinition')) {
    const message =
      'A business rule task cannot have both zeebe:taskDefinition and zeebe:calledDecision; remove one of them.';
    context.problems.add(base.id, 'unsupported_extension', message);
  }
  checkNoHeaders(context, base, extensions, 'a DMN decision');
  return compileDecisionTask(context, base, decision);
}

function checkNoHeaders(context: CompileContext, base: NodeBase, extensions: Extensions, label: string): void {
  if (!extensions.has('zeebe:taskHeaders')) return;
  const message = `zeebe:taskHeaders are for workers, but ${label} has no worker.`;
  context.problems.add(base.id, 'unsupported_extension', message);
}

export function compileJobTask(
  context: CompileContext,
  _draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): JobTask | undefined {
  const definition = extensions.get('zeebe:taskDefinition');
  if (definition === undefined) {
    const message =
      `The ${base.type} has no job type, so no worker would execute it. ` +
      'Add <zeebe:taskDefinition type="…"/> to its extensionElements ("agent" for an agent step).';
    context.problems.add(base.id, 'missing_task_definition', message);
    return undefined;
  }
  const jobType = requireName(context, base.id, 'type of zeebe:taskDefinition', getString(definition, 'type'));
  const retries = readRetries(context, base.id, definition);
  const headers = readHeaders(context, base.id, extensions.get('zeebe:taskHeaders'), jobType);
  if (jobType === undefined || retries === undefined) return undefined;
  const job = { ...base, kind: 'jobTask', jobType, retries, headers } as const;
  return isAgentTask(extensions) ? { ...job, callApproval: readCallApproval(context, base.id, base.properties) } : job;
}

/** Returns whether a task with the given extensions is an agent task. */
export function isAgentTask(extensions: Extensions): boolean {
  const definition = extensions.get('zeebe:taskDefinition');
  return definition !== undefined && getString(definition, 'type') === AGENT_JOB_TYPE;
}

/** Returns whether a node is an agent step: its job type is literally `agent`. */
export function isAgentStep(node: { readonly kind: string; readonly jobType?: Value }): boolean {
  return (
    node.kind === 'jobTask' &&
    node.jobType !== undefined &&
    'literal' in node.jobType &&
    node.jobType.literal === AGENT_JOB_TYPE
  );
}

function readRetries(context: CompileContext, elementId: string, definition: ModdleElement): Value | undefined {
  // Zeebe's default is 3; an empty attribute is invalid.
  const label = 'retries of zeebe:taskDefinition';
  const value = requireValue(context, elementId, label, getString(definition, 'retries') ?? '3');
  if (value === undefined || 'expression' in value || /^\d{1,6}$/.test(value.literal)) return value;
  const message = `${label} must be a whole number from 0 to 999999 or FEEL, not "${value.literal}".`;
  context.problems.add(elementId, 'invalid_retries', message);
  return undefined;
}

function readHeaders(
  context: CompileContext,
  elementId: string,
  taskHeaders: ModdleElement | undefined,
  jobType: Value | undefined,
): Readonly<Record<string, string>> {
  const pairs = readPairs(context, elementId, taskHeaders, 'values');
  // Zeebe omits headers without a value, which element templates of Camunda Modeler write.
  const headers = Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== ''));
  const resultVariable = headers['resultVariable'];
  if (resultVariable === undefined) return headers;
  checkNotResultVariable(
    context,
    elementId,
    resultVariable.split('.')[0]?.trim() ?? '',
    'The header resultVariable names',
  );
  const isAgent = jobType !== undefined && 'literal' in jobType && jobType.literal === AGENT_JOB_TYPE;
  const error = isAgent ? findNameError(resultVariable) : undefined;
  if (error !== undefined) context.problems.add(elementId, 'invalid_name', `The header resultVariable: ${error}.`);
  return headers;
}
