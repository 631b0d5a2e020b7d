import type { Loop, Throw, Trigger } from './event-definitions.js';
import type { Json, JsonObject } from './json.js';

/**
 * A compiled workflow version, executed by the interpreter.
 *
 * `@countersign/bpmn` compiles it once from BPMN XML. It is immutable and contains compiled FEEL expressions. Two
 * compilations of the same bytes produce the same graph.
 */
export interface WorkflowGraph {
  /** The BPMN process id. */
  readonly workflowId: string;
  readonly name: string | null;
  readonly description: string | null;
  /** JSON Schema of the inputs (process property `inputSchema`), or `null`. */
  readonly inputSchema: JsonObject | null;
  /** All flow nodes of the process, including nested scopes, by element id, in document order. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** Scopes (the process itself, sub-processes) by element id. */
  readonly scopes: ReadonlyMap<string, ScopeDefinition>;
  /** Names that only approval decisions may write (the result variables of all user tasks). */
  readonly resultVariables: ReadonlySet<string>;
}

/** An element that can contain tokens: the process, a sub-process or an event sub-process. */
export interface ScopeDefinition {
  readonly id: string;
  /** The enclosing scope; `null` for the process. */
  readonly parentId: string | null;
  /** Ids of the start events without a trigger. */
  readonly noneStartEvents: readonly string[];
  /**
   * Ids of the start events with a trigger, in document order: in a process the events that start runs, in an event
   * sub-process its only start event.
   */
  readonly triggeredStartEvents: readonly string[];
  /** Ids of the event sub-processes in this scope, in document order. */
  readonly eventSubProcesses: readonly string[];
}

/** A compiled FEEL expression (see `@countersign/feel`). */
export interface Expression {
  readonly source: string;
  /** Paths of the variables that the expression reads, for example `[["approval", "decision"]]`. */
  readonly reads: readonly (readonly string[])[];
  evaluate(scope: EvaluationScope): Json;
}

/** The data that an expression can read. */
export interface EvaluationScope {
  readonly variables: { get(name: string): unknown };
  /** Milliseconds since the epoch, from the run's context. */
  readonly now: number;
  /** Counts evaluation steps instead of time, so that a replay reaches the same limit. */
  readonly meter?: { steps: number };
}

/** A value that the BPMN model specifies as a literal or, with a leading `=`, as a FEEL expression. */
export type Value = { readonly literal: string } | { readonly expression: Expression };

export interface SequenceFlow {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly condition: Expression | null;
}

export interface Mapping {
  readonly source: Value;
  /** Dotted path; missing parts are created (Zeebe: "mapping expressions"). */
  readonly target: readonly string[];
}

/** The common part of all flow nodes. */
export interface NodeBase {
  readonly id: string;
  readonly name: string | null;
  /** The BPMN type with a lower-case first letter, for example `serviceTask`. */
  readonly type: string;
  /** The id of the scope that contains the node. */
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
  /** Properties that the policy receives (all except `approval.*`), with compiled FEEL expressions. */
  readonly dynamicProperties: Readonly<Record<string, Value>>;
  /** Ids of the attached boundary events, in document order, except compensation events. */
  readonly boundaryEvents: readonly string[];
  /** Loop of an activity; `null` if it is executed once. */
  readonly loop: Loop | null;
  /** Id of the activity that compensates this activity (linked by a compensation boundary event and an association). */
  readonly compensationHandler: string | null;
  /** Whether the activity is entered only to compensate another activity. */
  readonly isForCompensation: boolean;
}

/** The common part of catching events. */
export interface CatchingNode extends NodeBase {
  /**
   * Empty for a none start event. Of several triggers, one is sufficient, or all are required if `parallelMultiple` is
   * set.
   */
  readonly triggers: readonly Trigger[];
  readonly parallelMultiple: boolean;
}

export interface StartEvent extends CatchingNode {
  readonly kind: 'startEvent';
  /** Event sub-processes: whether the event cancels everything else in the enclosing scope. */
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

/** An intermediate throw event, or a send task that throws a message. Without `throws`, tokens only pass through. */
export interface ThrowNode extends NodeBase {
  readonly kind: 'throw';
  readonly throws: readonly Throw[];
}

export interface EndEvent extends NodeBase {
  readonly kind: 'endEvent';
  /** Empty for a none end event. */
  readonly throws: readonly Throw[];
}

/** An intermediate throw event of a link: the token continues at the link catch event (BPMN 2.0, 10.5.1 "Link"). */
export interface LinkThrow extends NodeBase {
  readonly kind: 'linkThrow';
  readonly targetId: string;
}

/**
 * A node that is executed as a job, for example by an agent or a connector: a task, or a throw event that sends a
 * message through a job.
 */
export interface JobTask extends NodeBase {
  readonly kind: 'jobTask';
  readonly jobType: Value;
  /** Number of attempts before an incident is raised on the step (Zeebe: default 3). */
  readonly retries: Value;
  readonly headers: Readonly<Record<string, string>>;
  /** Agents: the approvers of the calls that need a person. */
  readonly callApproval?: CallApprovalDefinition;
}

/** The approvers of an agent's call, unless the policy specifies them. */
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
  /** `approval.requireDigest`: a vote must contain the digest of the subject. */
  readonly requireDigest: boolean;
  /** Names of the artifacts that belong to the subject (`approval.evidence`, comma-separated or FEEL). */
  readonly evidence: Value | null;
  /** `approval.title`: what distinguishes this request from others of the same task. `null`: the name of the task. */
  readonly title: Value | null;
  /** `approval.summary`: what approvers need to know, in one or two sentences. */
  readonly summary: Value | null;
  /** `approval.fields`: a FEEL list of `SubjectField`. */
  readonly fields: Expression | null;
  readonly resultVariable: string;
  readonly onTimeout: 'none' | 'reject' | 'incident';
  /** Whether the BPMN model handles the outcome: a later condition reads `<resultVariable>.decision`. */
  readonly outcomeHandledByBpmn: boolean;
  /** Id of the step to which `request_changes` returns; `null` if changes cannot be requested. */
  readonly reworkStep: string | null;
}

/** A script task whose FEEL expression the engine evaluates. */
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

/** A manual task, an undefined task or a link catch event: there is nothing to execute (BPMN 2.0, 13.3.3). */
export interface PassThroughNode extends NodeBase {
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

/** A complex gateway (BPMN 2.0, 13.4.5). */
export interface ComplexGateway extends NodeBase {
  readonly kind: 'complexGateway';
  /**
   * The condition may read `activationCount` and, by the id of each incoming flow, its number of tokens. `null`: any
   * token activates the gateway (a plain merge).
   */
  readonly activationCondition: Expression | null;
}

/** A gateway whose token continues at the first event that occurs (BPMN 2.0, 13.4.4). */
export interface EventGateway extends NodeBase {
  readonly kind: 'eventGateway';
  /** Whether the gateway starts runs through the events after it. */
  readonly instantiate: boolean;
  /** Whether all events must occur; only for a gateway that starts runs. */
  readonly parallel: boolean;
}

/** An embedded sub-process or a transaction. Its scope has the same id. */
export interface SubProcess extends NodeBase {
  readonly kind: 'subProcess';
  readonly variant: 'embedded' | 'transaction';
}

export interface AdHocSubProcess extends NodeBase {
  readonly kind: 'adHocSubProcess';
  readonly sequential: boolean;
  /** The flow nodes without incoming flows, in document order: all of them are started. */
  readonly entries: readonly string[];
  readonly completionCondition: Expression | null;
  readonly cancelRemainingInstances: boolean;
}

/** An event sub-process. Its only start event has a trigger. Its scope has the same id. */
export interface EventSubProcess extends NodeBase {
  readonly kind: 'eventSubProcess';
  readonly startEvent: string;
}

/** An activity that runs another workflow as a child run (Zeebe: `zeebe:calledElement`). */
export interface CallActivity extends NodeBase {
  readonly kind: 'callActivity';
  readonly workflowId: Value;
  /**
   * `latest`: the newest version when the activity is entered. `deployment`: the version from the same file. A number:
   * that version.
   */
  readonly binding: 'latest' | 'deployment' | number;
  readonly propagateAllParentVariables: boolean;
  readonly propagateAllChildVariables: boolean;
}

/** A node of the graph; `kind` selects the interpreter's element handler, `type` is its BPMN type. */
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
  | PassThroughNode
  | ExclusiveGateway
  | ParallelGateway
  | InclusiveGateway
  | ComplexGateway
  | EventGateway
  | SubProcess
  | AdHocSubProcess
  | EventSubProcess
  | CallActivity;

/**
 * Returns whether a step needs a policy decision before it starts: all tasks, whether or not a worker executes them,
 * and events that a worker executes.
 */
export function isSubjectToPolicy(node: FlowNode): boolean {
  return node.kind === 'jobTask' || node.type.endsWith('ask');
}
