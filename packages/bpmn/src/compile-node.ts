import type { FlowNode, SequenceFlow } from '@countersign/model';
import { approvalCompilers } from './compile-approval.js';
import { checkApprovalProperties, readDynamicProperties } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import { eventCompilers } from './compile-events.js';
import { findCompensationHandler } from './compensation.js';
import { callCompilers } from './compile-calls.js';
import { gatewayCompilers } from './compile-gateways.js';
import { isAgentTask, jobCompilers } from './compile-jobs.js';
import { compileLoop } from './compile-loops.js';
import { compileMappings } from './compile-mappings.js';
import { scriptCompilers } from './compile-scripts.js';
import { subProcessCompilers } from './compile-sub-processes.js';
import { readDocumentation } from './documentation.js';
import type { NodeDraft } from './scope-draft.js';
import { checkProperties } from './check-properties.js';
import { readExtensions, readPairs } from './extensions.js';
import type { ElementCompilers } from './element-compiler.js';
import { getElement, getId, getString } from './moddle.js';
import { isCompensationBoundary, isCompensationHandler } from './node-kinds.js';

/** Compilers by BPMN type, for every type of flow node that this version executes. */
const ELEMENT_COMPILERS: ElementCompilers = new Map([
  ...eventCompilers,
  ...jobCompilers,
  ...scriptCompilers,
  ...approvalCompilers,
  ...gatewayCompilers,
  ...subProcessCompilers,
  ...callCompilers,
]);

/** Descriptions of BPMN flow nodes that this version does not execute. */
const UNSUPPORTED_LABELS: ReadonlyMap<string, string> = new Map([
  ['implicitThrowEvent', 'An implicit throw event'],
  ['choreographyTask', 'A choreography task'],
  ['callChoreography', 'A call choreography'],
  ['subChoreography', 'A sub-choreography'],
]);

/** The sequence flows of a node. */
export interface NodeFlows {
  readonly incoming: readonly SequenceFlow[];
  readonly outgoing: readonly SequenceFlow[];
}

/** Compiles a flow node; returns `undefined` if the node is invalid, which is recorded. */
export function compileNode(context: CompileContext, draft: NodeDraft, flows: NodeFlows): FlowNode | undefined {
  const compiler = ELEMENT_COMPILERS.get(draft.type);
  if (compiler === undefined) return reportUnsupportedElement(context, draft);
  checkProperties(context, draft.element, draft.id, compiler.properties);
  const supportedExtensions = new Set([...compiler.extensions, 'zeebe:properties']);
  const extensions = readExtensions(context, draft.element, draft.id, supportedExtensions);
  const properties = readPairs(context, draft.id, extensions.get('zeebe:properties'), 'properties');
  checkApprovalProperties(context, draft.id, isAgentTask(extensions) ? 'agent' : draft.type, properties);
  const defaultElement = getElement(draft.element, 'default');
  const defaultId = defaultElement === undefined ? null : getId(defaultElement);
  const base = {
    id: draft.id,
    name: getString(draft.element, 'name') ?? null,
    type: draft.type,
    scopeId: draft.scopeId,
    documentation: readDocumentation(draft.element),
    ...flows,
    defaultFlow: flows.outgoing.find((flow) => flow.id === defaultId) ?? null,
    ...compileMappings(context, draft.id, extensions.get('zeebe:ioMapping')),
    properties,
    dynamicProperties: readDynamicProperties(context, draft.id, properties),
    boundaryEvents: draft.boundaryEvents.filter((event) => !isCompensationBoundary(event)).map(({ id }) => id),
    loop: compileLoop(context, draft),
    compensationHandler: findCompensationHandler(context, draft),
    isForCompensation: isCompensationHandler(draft),
  };
  return compiler.compile(context, draft, base, extensions);
}

/** Records the problem that a flow node is not supported. The content of the node is not checked. */
function reportUnsupportedElement(context: CompileContext, draft: NodeDraft): undefined {
  const label = UNSUPPORTED_LABELS.get(draft.type) ?? `The element ${draft.type}`;
  context.problems.add(draft.id, 'unsupported_element', `${label} is not supported in this version.`);
  return undefined;
}
