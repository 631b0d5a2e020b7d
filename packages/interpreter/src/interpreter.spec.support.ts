import { compileWorkflow } from '@countersign/bpmn';
import type {
  Actor,
  AdvanceContext,
  AdvanceResult,
  Command,
  ElementInstance,
  JsonObject,
  ParentRun,
  PolicyDecision,
  PolicyFunction,
  RunState,
  StartingEvent,
  Wait,
  WorkflowGraph,
} from '@countersign/model';
import { advance } from './advance.js';
import { projectRun } from './project-run.js';

export const RUN_ID = '019aa000-0000-7000-8000-000000000001';
export const T0 = Date.UTC(2026, 0, 1, 12);

export const user = (id: string, ...groups: string[]): Actor => ({ type: 'user', id, name: id, groups });

export const allow: PolicyFunction = (): PolicyDecision => ({
  decision: 'allow',
  rationale: 'a test',
  riskLevel: 'low',
  riskFactors: [],
  toolConstraints: { allowed: [], denied: [], requireApproval: [], limits: {} },
  policyId: 'test',
  policyDigest: 'sha256:0',
});

/** Compiles a process with the given flow elements. */
export async function compileGraph(elements: string): Promise<WorkflowGraph> {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t">
  <bpmn:process id="p" isExecutable="true">${elements}</bpmn:process>
  ${renderRootElements(elements)}
</bpmn:definitions>`;
  return (await compileWorkflow(xml)).graph;
}

/** Returns the root elements that events refer to, each named after its id. */
function renderRootElements(elements: string): string {
  const templates: Record<string, (id: string) => string> = {
    message: (id) =>
      `<bpmn:message id="${id}" name="${id}"><bpmn:extensionElements><zeebe:subscription correlationKey="=key"/></bpmn:extensionElements></bpmn:message>`,
    signal: (id) => `<bpmn:signal id="${id}" name="${id}"/>`,
    error: (id) => `<bpmn:error id="${id}" name="${id}" errorCode="${id}"/>`,
    escalation: (id) => `<bpmn:escalation id="${id}" name="${id}" escalationCode="${id}"/>`,
  };
  const xmlElements = [...elements.matchAll(/\b(message|signal|error|escalation)Ref="([\w.]+)"/g)].map(
    ([, kind = '', id = '']) => templates[kind]?.(id) ?? '',
  );
  return [...new Set(xmlElements)].join('');
}

/**
 * Builds sequence flows from `a > b` or `a > b: =condition`. The `incoming` and `outgoing` children of nodes are
 * optional in BPMN.
 */
export function flows(...arrows: string[]): string {
  return arrows
    .map((arrow) => {
      const [path = '', condition] = arrow.split(': ');
      const [from = '', to = ''] = path.split(' > ');
      const inner =
        condition === undefined
          ? ''
          : `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${condition.replaceAll('<', '&lt;')}</bpmn:conditionExpression>`;
      return `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}">${inner}</bpmn:sequenceFlow>`;
    })
    .join('');
}

export const start = '<bpmn:startEvent id="start"/>';
export const end = '<bpmn:endEvent id="end"/>';
export const job = (id: string, extra = '', type = id): string =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${type}"/>${extra}</bpmn:extensionElements></bpmn:serviceTask>`;
export const script = (id: string, expression: string, result: string): string =>
  `<bpmn:scriptTask id="${id}"><bpmn:extensionElements><zeebe:script expression="${expression}" resultVariable="${result}"/></bpmn:extensionElements></bpmn:scriptTask>`;
export const approval = (id: string, extra = '', properties: Record<string, string> = {}): string =>
  `<bpmn:userTask id="${id}" name="Approve ${id}"><bpmn:extensionElements><zeebe:userTask/>${extra}<zeebe:properties>${Object.entries(
    properties,
  )
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}"/>`)
    .join('')}</zeebe:properties></bpmn:extensionElements></bpmn:userTask>`;

/** A run in memory, driven by commands. */
export class TestRun {
  state: RunState | null = null;
  readonly events: AdvanceResult['events'][number][] = [];
  readonly requests: AdvanceResult['requests'][number][] = [];
  readonly commands: { command: Command; now: number }[] = [];
  now = T0;
  policy: PolicyFunction = allow;
  separationOfDuties = true;
  halt: AdvanceContext['halt'];
  decisions: NonNullable<AdvanceContext['decisions']> = () => undefined;

  constructor(readonly graph: WorkflowGraph) {}

  static async of(elements: string): Promise<TestRun> {
    return new TestRun(await compileGraph(elements));
  }

  do(command: Command): AdvanceResult {
    this.commands.push({ command, now: this.now });
    const result = advance(this.graph, this.state, command, this.context());
    this.state = result.state;
    this.events.push(...result.events);
    this.requests.push(...result.requests);
    return result;
  }

  context(): AdvanceContext {
    const settings = {
      separationOfDuties: this.separationOfDuties,
      excludeDeployers: false,
      requireDigest: false,
      retryBackoffMs: 1000,
      retryBackoffMaxMs: 60_000,
    };
    const { now, policy, decisions, halt } = this;
    return { now, policy, decisions, settings, ...(halt === undefined ? {} : { halt }) };
  }

  start(
    inputs: JsonObject = {},
    actor: Actor = user('starter'),
    startEvent?: StartingEvent,
    parent?: ParentRun,
    businessKey: string | null = null,
  ): AdvanceResult {
    return this.do({
      type: 'start',
      actor,
      runId: RUN_ID,
      workflowVersion: 1,
      workflowDigest: 'sha256:1',
      businessKey,
      inputs,
      ...(startEvent === undefined ? {} : { startEvent }),
      ...(parent === undefined ? {} : { parent }),
    });
  }

  complete(elementId: string, output: JsonObject = {}): AdvanceResult {
    const { jobId } = this.wait(elementId, 'job');
    return this.do({ type: 'job.complete', actor: user('worker'), jobId, output, agentName: null });
  }

  fail(elementId: string, retryable = true): AdvanceResult {
    const { jobId } = this.wait(elementId, 'job');
    return this.do({
      type: 'job.fail',
      actor: user('worker'),
      jobId,
      code: 'broken',
      message: 'The job failed.',
      retryable,
    });
  }

  vote(
    elementId: string,
    decision: 'approve' | 'reject' | 'request_changes',
    actor = user('boss'),
    comment: string | null = null,
  ): AdvanceResult {
    const { approvalId } = this.wait(elementId, 'approval').approval;
    return this.do({
      type: 'approval.vote',
      actor,
      approvalId,
      decision,
      comment,
      expectedDigest: null,
      expectedRound: null,
    });
  }

  /** Returns the active instance of an element. @throws {Error} if no token is at the element */
  at(elementId: string): ElementInstance {
    const found = this.instances().find((instance) => instance.elementId === elementId);
    if (found === undefined) throw new Error(`no token at ${elementId}; tokens at ${this.tokens().join(', ')}`);
    return found;
  }

  wait<K extends Wait['kind']>(elementId: string, kind: K): Extract<Wait, { kind: K }> {
    const found = this.instances()
      .filter((instance) => instance.elementId === elementId)
      .flatMap((instance) => instance.waits ?? [])
      .find((wait): wait is Extract<Wait, { kind: K }> => wait.kind === kind);
    if (found === undefined)
      throw new Error(`${elementId} has no wait of kind ${kind}; tokens at ${this.tokens().join(', ')}`);
    return found;
  }

  tokens(): string[] {
    return this.instances().map((instance) => instance.elementId);
  }

  variables(): JsonObject {
    return this.state?.instances[this.state.root]?.variables ?? {};
  }

  completedElementIds(): string[] {
    return this.events.filter((event) => event.type === 'step.completed').map((event) => event.elementId ?? '');
  }

  eventTypes(): string[] {
    return this.events.map((event) => event.type);
  }

  project(): ReturnType<typeof projectRun> {
    if (this.state === null) throw new Error('the run has not started');
    return projectRun(this.graph, this.state);
  }

  private instances(): ElementInstance[] {
    return Object.values(this.state?.instances ?? {}).filter((instance) => instance.key !== this.state?.root);
  }
}
