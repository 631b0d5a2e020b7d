import type { FlowNode, SequenceFlow } from '@countersign/model';
import { approvalFamilies } from './compile-approval.js';
import { checkApprovalProperties, readDynamicProperties } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { eventFamilies } from './compile-events.js';
import { compensationHandlerOf } from './compensation.js';
import { callFamilies } from './compile-calls.js';
import { gatewayFamilies } from './compile-gateways.js';
import { isAgentTask, jobFamilies } from './compile-jobs.js';
import { compileLoop } from './compile-loops.js';
import { compileMappings } from './compile-mappings.js';
import { scriptFamilies } from './compile-scripts.js';
import { subProcessFamilies } from './compile-sub-processes.js';
import { documentationOf } from './documentation.js';
import type { NodeDraft } from './draft-scope.js';
import { checkProperties } from './element-rules.js';
import { readExtensions, readPairs } from './extensions.js';
import type { ElementCompilers } from './element-compiler.js';
import { elementOf, idOf, textOf } from './moddle.js';
import { isCompensationBoundary, isCompensationHandler } from './node-kinds.js';
import { refuseNode } from './refusals.js';

/** Compilers by BPMN type, for every type of flow node that this version executes. */
const FAMILIES: ElementCompilers = new Map([
  ...eventFamilies,
  ...jobFamilies,
  ...scriptFamilies,
  ...approvalFamilies,
  ...gatewayFamilies,
  ...subProcessFamilies,
  ...callFamilies,
]);

/** The sequence flows that are connected to a node. */
export interface NodeFlows {
  readonly incoming: readonly SequenceFlow[];
  readonly outgoing: readonly SequenceFlow[];
}

/** Compiles one flow node; records why if this is impossible. */
export function compileNode(context: CompileContext, draft: NodeDraft, flows: NodeFlows): FlowNode | undefined {
  const family = FAMILIES.get(draft.type);
  if (family === undefined) return refuseNode(context, draft);
  checkProperties(context, draft.element, draft.id, family.properties);
  const executed = new Set([...family.extensions, 'zeebe:properties']);
  const extensions = readExtensions(context, draft.element, draft.id, executed);
  const properties = readPairs(context, draft.id, extensions.get('zeebe:properties'), 'properties');
  checkApprovalProperties(context, draft.id, isAgentTask(extensions) ? 'agent' : draft.type, properties);
  const defaultElement = elementOf(draft.element, 'default');
  const defaultId = defaultElement === undefined ? null : idOf(defaultElement);
  const base = {
    id: draft.id,
    name: textOf(draft.element, 'name') ?? null,
    type: draft.type,
    scopeId: draft.scopeId,
    documentation: documentationOf(draft.element),
    ...flows,
    defaultFlow: flows.outgoing.find((flow) => flow.id === defaultId) ?? null,
    ...compileMappings(context, draft.id, extensions.get('zeebe:ioMapping')),
    properties,
    dynamicProperties: readDynamicProperties(context, draft.id, properties),
    boundaryEvents: draft.boundaryEvents.filter((event) => !isCompensationBoundary(event)).map(({ id }) => id),
    loop: compileLoop(context, draft),
    compensationHandler: compensationHandlerOf(context, draft),
    isForCompensation: isCompensationHandler(draft),
  };
  return family.compile(context, draft, base, extensions);
}
