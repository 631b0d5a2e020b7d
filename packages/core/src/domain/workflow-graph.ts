import type { Json, JsonObject } from './json.js';

/**
 * A compiled workflow version: what the interpreter walks.
 *
 * It is made once from BPMN XML (core/bpmn), never written to by anyone, and holds FEEL expressions already compiled.
 * Two compilations of the same bytes give the same graph.
 */
export interface WorkflowGraph {
  /** The BPMN process id. */
  readonly workflowId: string;
  readonly name: string | null;
  readonly description: string | null;
  /** JSON Schema of the inputs (process property `inputSchema`), or `null`. */
  readonly inputSchema: JsonObject | null;
  /** All flow nodes of the process, nested scopes included, by element id, in document order. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** Scopes (the process itself, sub-processes) by element id. */
  readonly scopes: ReadonlyMap<string, ScopeDefinition>;
  /** Names that only decisions may write (the result variables of all user tasks). */
  readonly resultVariables: ReadonlySet<string>;
}

/** What may hold tokens: the process or an embedded sub-process. */
export interface ScopeDefinition {
  readonly id: string;
  /** The enclosing scope; `null` for the process. */
  readonly parentId: string | null;
  /** Ids of the start events without a trigger. */
  readonly noneStartEvents: readonly string[];
}

/** A compiled FEEL expression (see core/feel). */
export interface Expression {
  readonly source: string;
  /** Paths of the variables that it reads, for example `[["approval", "decision"]]`. */
  readonly reads: readonly (readonly string[])[];
  evaluate(scope: EvaluationScope): Json;
}

/** What an expression sees. */
export interface EvaluationScope {
  readonly variables: { get(name: string): unknown };
  /** Milliseconds since the epoch, from the run's context. */
  readonly now: number;
  /** Counts the work of expressions; counts, never time, so that a replay meets the same bound. */
  readonly meter?: { steps: number };
}

/** A value that the model gives as literal text or, with a leading `=`, as FEEL. */
export type Value = { readonly literal: string } | { readonly expression: Expression };

export interface SequenceFlow {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly condition: Expression | null;
}

export interface Mapping {
  readonly source: Value;
  /** Dotted path; parts are created as needed (Zeebe: "mapping expressions"). */
  readonly target: readonly string[];
}

/** What all flow nodes have in common. */
export interface NodeBase {
  readonly id: string;
  readonly name: string | null;
  /** The BPMN type with a small first letter, for example `serviceTask`. */
  readonly type: string;
  /** The id of the scope in which the node stands. */
  readonly scopeId: string;
  readonly documentation: string | null;
  /** Flows in document order. */
  readonly incoming: readonly SequenceFlow[];
  readonly outgoing: readonly SequenceFlow[];
  readonly defaultFlow: SequenceFlow | null;
  readonly inputs: readonly Mapping[];
  readonly outputs: readonly Mapping[];
  /** `zeebe:properties` of the element as written. */
  readonly properties: Readonly<Record<string, string>>;
  /** The properties that the policy sees (all but `approval.*`), FEEL compiled. */
  readonly dynamicProperties: Readonly<Record<string, Value>>;
  /** Ids of the boundary events attached to it. */
  readonly boundaryEvents: readonly string[];
}

export interface StartEvent extends NodeBase {
  readonly kind: 'startEvent';
  readonly trigger: null | MessageTrigger | TimerTrigger;
}

export interface EndEvent extends NodeBase {
  readonly kind: 'endEvent';
  readonly result: 'none' | 'terminate';
}

/** A task whose work is done by a job worker: an agent or a connector. */
export interface JobTask extends NodeBase {
  readonly kind: 'jobTask';
  readonly jobType: Value;
  /** Number of attempts before the step becomes an incident (Zeebe: default 3). */
  readonly retries: Value;
  readonly headers: Readonly<Record<string, string>>;
}

/** A user task: an approval. */
export interface UserTask extends NodeBase {
  readonly kind: 'userTask';
  readonly approval: ApprovalDefinition;
}

export interface ApprovalDefinition {
  readonly assignee: Value | null;
  readonly candidateUsers: Value | null;
  readonly candidateGroups: Value | null;
  readonly dueDate: Value | null;
  readonly priority: Value | null;
  /** Number of distinct approvers (`approval.quorum`, default 1). */
  readonly quorum: Value;
  /** `approval.separationOfDuties`. */
  readonly separationOfDuties: 'default' | 'required' | 'distinct';
  /** Names of the artifacts that belong to the subject (`approval.evidence`, comma-separated or FEEL). */
  readonly evidence: Value | null;
  readonly resultVariable: string;
  readonly onTimeout: 'none' | 'reject' | 'incident';
  /** Whether the model itself reacts to the decision: a condition behind it reads `<resultVariable>.decision`. */
  readonly decidedByModel: boolean;
  /** Where `request_changes` goes back to; `null`: not possible. */
  readonly reworkStep: string | null;
}

/** A script task whose FEEL expression the engine evaluates itself. */
export interface ScriptTask extends NodeBase {
  readonly kind: 'scriptTask';
  readonly expression: Expression;
  readonly resultVariable: string;
}

/** Manual and undefined tasks: nothing to execute (BPMN 2.0, 13.3.3). */
export interface PassTask extends NodeBase {
  readonly kind: 'passTask';
}

/** An intermediate catch event or a receive task. */
export interface CatchNode extends NodeBase {
  readonly kind: 'catch';
  readonly trigger: MessageTrigger | TimerTrigger;
}

export interface MessageTrigger {
  readonly kind: 'message';
  readonly messageName: Value;
  /** `null` only on start events, which need no key. */
  readonly correlationKey: Value | null;
}

export interface TimerTrigger {
  readonly kind: 'timer';
  readonly timer: 'date' | 'duration';
  readonly value: Value;
}

export interface ExclusiveGateway extends NodeBase {
  readonly kind: 'exclusiveGateway';
}

export interface ParallelGateway extends NodeBase {
  readonly kind: 'parallelGateway';
}

/** A node of the graph; `kind` selects the interpreter's family, `type` is what BPMN calls it. */
export type FlowNode =
  | StartEvent
  | EndEvent
  | JobTask
  | UserTask
  | ScriptTask
  | PassTask
  | CatchNode
  | ExclusiveGateway
  | ParallelGateway;

/** The kinds whose steps need a policy decision before they begin. */
export type TaskNode = JobTask | UserTask | ScriptTask | PassTask;

export function isTask(node: FlowNode): node is TaskNode | CatchNode {
  return node.type.endsWith('ask');
}
