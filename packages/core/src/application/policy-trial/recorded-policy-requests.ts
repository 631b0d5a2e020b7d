import {
  AGENT_JOB_TYPE,
  agentNameOf,
  type Destination,
  isJsonObject,
  type Json,
  type JsonObject,
  type PolicyDecision,
  type PolicyRequest,
  portsOfHosts,
  RISK_LEVELS,
  type RiskLevel,
  type RunEvent,
  type WorkflowGraph,
} from '@countersign/model';

/** Policy request of a run, with its policy decision. */
export interface RecordedPolicyRequest {
  readonly runId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly callId: string | null;
  readonly request: PolicyRequest;
  readonly before: PolicyDecision;
}

/** Policy request that cannot be evaluated again. */
export interface UnreplayableRequest {
  readonly runId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly callId: string | null;
  readonly problem: string;
}

export interface PastRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly startedBy: string;
}

type Event = Pick<RunEvent, 'type' | 'stepId' | 'elementId' | 'data' | 'private' | 'commitment'>;

/**
 * Policy requests of a run, in their original order: for steps before their work, and for agents' calls. Built only
 * from the history and the BPMN models at the time.
 *
 * The inputs of a call are the initial inputs of its step.
 */
export class RecordedPolicyRequests {
  readonly found: RecordedPolicyRequest[] = [];
  readonly lost: UnreplayableRequest[] = [];
  #version = 0;
  #digest = '';
  readonly #steps = new Map<string, PolicyRequest>();
  readonly #agents = new Map<string, string>();

  /** @param graphOf returns the compiled version with the digest, if available */
  constructor(
    readonly run: PastRun,
    readonly graphOf: (digest: string) => WorkflowGraph | undefined,
  ) {}

  /** Returns the digest of the workflow version that an event starts or migrates the run to, if it does. */
  static versionOf({ type, data }: Pick<RunEvent, 'type' | 'data'>): string | undefined {
    const digest =
      type === 'run.started' ? data['workflowDigest'] : type === 'run.migrated' ? data['toDigest'] : undefined;
    return typeof digest === 'string' ? digest : undefined;
  }

  fold(event: Event): void {
    const { type, data, stepId } = event;
    const digest = RecordedPolicyRequests.versionOf(event);
    if (digest !== undefined) {
      this.#digest = digest;
      this.#version = Number(type === 'run.started' ? data['workflowVersion'] : data['toVersion']);
    } else if (type === 'agent.turn' && stepId !== null) {
      this.#agents.set(stepId, String(data['agent']));
    } else if (type === 'step.started' || type === 'agent.call.requested') {
      this.#ask(event);
    }
  }

  #ask(event: Event): void {
    const { type, data, stepId, elementId, commitment } = event;
    const before = data['policyDecision'];
    if (stepId === null || elementId === null || !isJsonObject(before)) return;
    const callId = typeof data['callId'] === 'string' ? data['callId'] : null;
    const place = { runId: this.run.runId, stepId, elementId, callId };
    if (commitment !== null && event.private === null) {
      this.lost.push({ ...place, problem: 'The data of the policy request has been erased.' });
      return;
    }
    const request = type === 'step.started' ? this.#step(stepId, elementId, event.private) : this.#call(stepId, event);
    if (typeof request === 'string') this.lost.push({ ...place, problem: request });
    else this.found.push({ ...place, request, before: before as unknown as PolicyDecision });
  }

  #step(stepId: string, elementId: string, privateData: JsonObject | null): PolicyRequest | string {
    const node = this.graphOf(this.#digest)?.nodes.get(elementId);
    if (node === undefined) return 'The workflow version of its step is missing.';
    const asked = askedOf(privateData);
    const headers = node.kind === 'jobTask' ? node.headers : {};
    const literal = node.kind === 'jobTask' && 'literal' in node.jobType ? node.jobType.literal : null;
    const request: PolicyRequest = {
      ...this.run,
      workflowVersion: this.#version,
      workflowDigest: this.#digest,
      elementId,
      elementName: node.name,
      stepType: node.type,
      jobType: textOf(asked['jobType']) ?? literal,
      headers,
      properties: objectOf(asked['properties']),
      inputs: objectOf(asked['inputs']),
      agentName: agentNameOf(headers),
      call: null,
      effect: effectOf(asked['effect']),
      ...destinationIn(asked),
      taint: textsOf(asked['taint']),
      runRisk: riskOf(asked['runRisk']),
    };
    this.#steps.set(stepId, request);
    return request;
  }

  #call(stepId: string, { data, private: privateData }: Event): PolicyRequest | string {
    const step = this.#steps.get(stepId);
    if (step === undefined) return 'The history does not record the inputs of its step.';
    const asked = askedOf(privateData);
    const effect = effectOf(data['effect']) ?? 'write';
    const destination = destinationIn(objectOf(privateData ?? undefined));
    return {
      ...step,
      workflowVersion: this.#version,
      workflowDigest: this.#digest,
      jobType: AGENT_JOB_TYPE,
      properties: objectOf(asked['properties']),
      agentName: this.#agents.get(stepId) ?? step.agentName,
      effect,
      ...destination,
      taint: textsOf(data['taint']),
      runRisk: riskOf(asked['runRisk']),
      call: {
        tool: String(data['tool']),
        toolDigest: String(data['toolDigest']),
        effect,
        reversible: data['reversible'] === true,
        hosts: destination.hosts,
        artifacts: textsOf(asked['artifacts']),
        arguments: objectOf(privateData?.['arguments']),
        edited: data['edited'] === true,
      },
    };
  }
}

function askedOf(privateData: JsonObject | null): JsonObject {
  return objectOf(privateData?.['asked']);
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Reads hosts and ports. Histories from before ADR 140 have no ports. */
function destinationIn({ hosts: recorded, ports }: JsonObject): Destination {
  const hosts = textsOf(recorded);
  return {
    hosts,
    ports: Array.isArray(ports) ? ports.filter((port) => typeof port === 'number') : portsOfHosts(hosts),
  };
}

function effectOf(value: Json | undefined): 'read' | 'write' | null {
  return value === 'read' || value === 'write' ? value : null;
}

function riskOf(value: Json | undefined): RiskLevel {
  return RISK_LEVELS.find((level) => level === value) ?? 'low';
}
