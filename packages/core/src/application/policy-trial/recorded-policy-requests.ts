import {
  AGENT_JOB_TYPE,
  readAgentName,
  type Destination,
  isJsonObject,
  findVersionChange,
  isRunEvent,
  type Json,
  type JsonObject,
  type PolicyDecision,
  type PolicyRequest,
  resolvePorts,
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
  readonly recordedDecision: PolicyDecision;
}

/** Policy request that cannot be evaluated again. */
export interface UnreplayableRequest {
  readonly runId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly callId: string | null;
  readonly problem: string;
}

export interface RecordedRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly startedBy: string;
}

type SourceEvent = Pick<RunEvent, 'type' | 'stepId' | 'elementId' | 'data' | 'private' | 'commitment'>;

/**
 * Rebuilds the policy requests of a run in their original order: one for each step before its work starts, and one for
 * each call of an agent. Uses only the history and the workflow versions of the run.
 *
 * The inputs of a call are the initial inputs of its step.
 */
export class RecordedPolicyRequests {
  readonly replayable: RecordedPolicyRequest[] = [];
  readonly unreplayable: UnreplayableRequest[] = [];
  #version = 0;
  #digest = '';
  readonly #stepRequests = new Map<string, PolicyRequest>();
  readonly #agentNames = new Map<string, string>();

  /** @param findGraph returns the compiled version with the digest, if available */
  constructor(
    readonly run: RecordedRun,
    readonly findGraph: (digest: string) => WorkflowGraph | undefined,
  ) {}

  apply(event: SourceEvent): void {
    const { type, stepId } = event;
    const workflow = findVersionChange(event);
    if (workflow !== undefined) {
      this.#digest = workflow.digest;
      this.#version = workflow.version;
    } else if (isRunEvent(event, 'agent.turn') && stepId !== null) {
      this.#agentNames.set(stepId, event.data.agent);
    } else if (type === 'step.started' || type === 'agent.call.requested') {
      this.#addRequest(event);
    }
  }

  #addRequest(event: SourceEvent): void {
    const { type, data, stepId, elementId, commitment } = event;
    const recordedDecision = data['policyDecision'];
    if (stepId === null || elementId === null || !isJsonObject(recordedDecision)) return;
    const callId = typeof data['callId'] === 'string' ? data['callId'] : null;
    const location = { runId: this.run.runId, stepId, elementId, callId };
    if (commitment !== null && event.private === null) {
      this.unreplayable.push({ ...location, problem: 'The data of the policy request has been erased.' });
      return;
    }
    const request =
      type === 'step.started'
        ? this.#buildStepRequest(stepId, elementId, event.private)
        : this.#buildCallRequest(stepId, event);
    if (typeof request === 'string') this.unreplayable.push({ ...location, problem: request });
    else
      this.replayable.push({ ...location, request, recordedDecision: recordedDecision as unknown as PolicyDecision });
  }

  #buildStepRequest(stepId: string, elementId: string, privateData: JsonObject | null): PolicyRequest | string {
    const node = this.findGraph(this.#digest)?.nodes.get(elementId);
    if (node === undefined) return 'The workflow version of the step is missing.';
    const recordedFields = toRecordedFields(privateData);
    const headers = node.kind === 'jobTask' ? node.headers : {};
    const literal = node.kind === 'jobTask' && 'literal' in node.jobType ? node.jobType.literal : null;
    const request: PolicyRequest = {
      ...this.run,
      workflowVersion: this.#version,
      workflowDigest: this.#digest,
      elementId,
      elementName: node.name,
      stepType: node.type,
      jobType: toStringOrNull(recordedFields['jobType']) ?? literal,
      headers,
      properties: toObject(recordedFields['properties']),
      inputs: toObject(recordedFields['inputs']),
      agentName: readAgentName(headers),
      call: null,
      effect: toEffect(recordedFields['effect']),
      ...toDestination(recordedFields),
      taint: toStrings(recordedFields['taint']),
      runRisk: toRiskLevel(recordedFields['runRisk']),
    };
    this.#stepRequests.set(stepId, request);
    return request;
  }

  #buildCallRequest(stepId: string, { data, private: privateData }: SourceEvent): PolicyRequest | string {
    const step = this.#stepRequests.get(stepId);
    if (step === undefined) return 'The history does not contain the inputs of the step.';
    const recordedFields = toRecordedFields(privateData);
    const effect = toEffect(data['effect']) ?? 'write';
    const destination = toDestination(toObject(privateData ?? undefined));
    return {
      ...step,
      workflowVersion: this.#version,
      workflowDigest: this.#digest,
      jobType: AGENT_JOB_TYPE,
      properties: toObject(recordedFields['properties']),
      agentName: this.#agentNames.get(stepId) ?? step.agentName,
      effect,
      ...destination,
      taint: toStrings(data['taint']),
      runRisk: toRiskLevel(recordedFields['runRisk']),
      call: {
        tool: String(data['tool']),
        toolDigest: String(data['toolDigest']),
        effect,
        reversible: data['reversible'] === true,
        hosts: destination.hosts,
        artifacts: toStrings(recordedFields['artifacts']),
        arguments: toObject(privateData?.['arguments']),
        edited: data['edited'] === true,
      },
    };
  }
}

function toRecordedFields(privateData: JsonObject | null): JsonObject {
  return toObject(privateData?.['asked']);
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function toStringOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function toStrings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Reads hosts and ports. Histories from before ADR 140 have no ports. */
function toDestination({ hosts: recordedHosts, ports }: JsonObject): Destination {
  const hosts = toStrings(recordedHosts);
  return {
    hosts,
    ports: Array.isArray(ports) ? ports.filter((port) => typeof port === 'number') : resolvePorts(hosts),
  };
}

function toEffect(value: Json | undefined): 'read' | 'write' | null {
  return value === 'read' || value === 'write' ? value : null;
}

function toRiskLevel(value: Json | undefined): RiskLevel {
  return RISK_LEVELS.find((level) => level === value) ?? 'low';
}
