import type { Loop, Throw, Trigger } from './event-definitions.js';
import type { Json, JsonObject } from './json.js';

/**
 * A compiled workflow version: what the interpreter walks.
 *
 * It is made once from BPMN XML (`@countersign/bpmn`), never written to by anyone, and holds FEEL expressions already compiled.
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

/** What may hold tokens: the process, a sub-process, an event sub-process. */
export interface ScopeDefinition {
  readonly id: string;
  /** The enclosing scope; `null` for the process. */
  readonly parentId: string | null;
  /** Ids of the start events without a trigger. */
  readonly noneStartEvents: readonly string[];
  /** Start events with a trigger, in document order: of a process those that start runs, of an event sub-process its own. */
  readonly triggeredStartEvents: readonly string[];
  /** Ids of the event sub-processes that stand in this scope, in document order. */
  readonly eventSubProcesses: readonly string[];
}

/** A compiled FEEL expression (see `@countersign/feel`). */
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
  /** Ids of the boundary events attached to it, in document order, but for compensation. */
  readonly boundaryEvents: readonly string[];
  /** Activities: how often they are done. */
  readonly loop: Loop | null;
  /** Activities: the handler that undoes them (by a compensation boundary event and an association). */
  readonly compensationHandler: string | null;
  /** Activities: only ever entered to compensate another one. */
  readonly isForCompensation: boolean;
}

/** What catching events have in common. */
export interface CatchingNode extends NodeBase {
  /** None start event: empty. Several: any of them, or all where `parallelMultiple` says so. */
  readonly triggers: readonly Trigger[];
  readonly parallelMultiple: boolean;
}

export interface StartEvent extends CatchingNode {
  readonly kind: 'startEvent';
  /** Of an event sub-process: whether it ends everything else in the scope around it. */
  readonly interrupting: boolean;
}

/** An intermediate catch event or a receive task. */
export interface CatchNode extends CatchingNode {
  readonly kind: 'catch';
}

export interface BoundaryEvent extends CatchingNode {
  readonly kind: 'boundaryEvent';
  readonly attachedTo: string;
  readonly interrupting: boolean;
}

/** An intermediate throw event, or a send task that throws a message; without a throw it only passes. */
export interface ThrowNode extends NodeBase {
  readonly kind: 'throw';
  readonly throws: readonly Throw[];
}

export interface EndEvent extends NodeBase {
  readonly kind: 'endEvent';
  /** Empty: none end event. */
  readonly throws: readonly Throw[];
}

/** An intermediate throw event of a link: the token goes on at the catching half (BPMN 2.0, 10.5.1 "Link"). */
export interface LinkThrow extends NodeBase {
  readonly kind: 'linkThrow';
  readonly targetId: string;
}

/** Whatever has its work done by a job worker (an agent, a connector): tasks, and events that throw a message by a job. */
export interface JobTask extends NodeBase {
  readonly kind: 'jobTask';
  readonly jobType: Value;
  /** Number of attempts before the step becomes an incident (Zeebe: default 3). */
  readonly retries: Value;
  readonly headers: Readonly<Record<string, string>>;
  /** Of agents: who is asked about the calls that need a person. */
  readonly approvalOfCalls?: CallApprovalDefinition;
}

/** Who is asked about a call of an agent, where the policy does not say. */
export type CallApprovalDefinition = Pick<
  ApprovalDefinition,
  'candidateUsers' | 'candidateGroups' | 'quorum' | 'separationOfDuties' | 'requireSignature' | 'requireDigest'
>;

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
  /** `approval.requireSignature`: only signed votes count. */
  readonly requireSignature: boolean;
  /** `approval.requireDigest`: a decision must say which subject it is about. */
  readonly requireDigest: boolean;
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

/** A business rule task that evaluates a DMN decision (Zeebe: `zeebe:calledDecision`). */
export interface DecisionTask extends NodeBase {
  readonly kind: 'decisionTask';
  readonly decisionId: Value;
  readonly resultVariable: string;
}

/** Manual and undefined tasks, and the catching half of a link: nothing to execute (BPMN 2.0, 13.3.3). */
export interface PassTask extends NodeBase {
  readonly kind: 'passTask';
}

export interface ExclusiveGateway extends NodeBase {
  readonly kind: 'exclusiveGateway';
}

export interface ParallelGateway extends NodeBase {
  readonly kind: 'parallelGateway';
}

export interface InclusiveGateway extends NodeBase {
  readonly kind: 'inclusiveGateway';
}

/** BPMN 2.0, 13.4.5. */
export interface ComplexGateway extends NodeBase {
  readonly kind: 'complexGateway';
  /** Sees `activationCount`, and by the id of each incoming flow the tokens on it; `null`: any token (a plain merge). */
  readonly activationCondition: Expression | null;
}

/** The first event behind it takes the token (BPMN 2.0, 13.4.4). */
export interface EventGateway extends NodeBase {
  readonly kind: 'eventGateway';
  /** Whether it begins runs, by the events behind it. */
  readonly instantiate: boolean;
  /** Only where it begins runs: whether all of the events must happen. */
  readonly parallel: boolean;
}

/** An embedded sub-process, a transaction, or an ad-hoc sub-process. Its scope has its id. */
export interface SubProcess extends NodeBase {
  readonly kind: 'subProcess';
  readonly variant: 'embedded' | 'transaction';
}

export interface AdHocSubProcess extends NodeBase {
  readonly kind: 'adHocSubProcess';
  readonly sequential: boolean;
  /** The flow nodes without incoming flows, in document order: all of them are begun. */
  readonly entries: readonly string[];
  readonly completionCondition: Expression | null;
  readonly cancelRemainingInstances: boolean;
}

/** Its one start event has a trigger; its scope has its id. */
export interface EventSubProcess extends NodeBase {
  readonly kind: 'eventSubProcess';
  readonly startEvent: string;
}

/** Runs another workflow as a child run (Zeebe: `zeebe:calledElement`). */
export interface CallActivity extends NodeBase {
  readonly kind: 'callActivity';
  readonly workflowId: Value;
  /** `latest`: the newest when it is entered. `deployment`: of the same file as this one. A number: that version. */
  readonly binding: 'latest' | 'deployment' | number;
  readonly propagateAllParentVariables: boolean;
  readonly propagateAllChildVariables: boolean;
}

/** A node of the graph; `kind` selects the interpreter's family, `type` is what BPMN calls it. */
export type FlowNode =
  | StartEvent
  | EndEvent
  | CatchNode
  | BoundaryEvent
  | ThrowNode
  | LinkThrow
  | JobTask
  | UserTask
  | ScriptTask
  | DecisionTask
  | PassTask
  | ExclusiveGateway
  | ParallelGateway
  | InclusiveGateway
  | ComplexGateway
  | EventGateway
  | SubProcess
  | AdHocSubProcess
  | EventSubProcess
  | CallActivity;

/** Whether a step needs a policy decision before it begins: all tasks, whatever executes them, and events that a worker does. */
export function isDecidedOn(node: FlowNode): boolean {
  return node.kind === 'jobTask' || node.type.endsWith('ask');
}
