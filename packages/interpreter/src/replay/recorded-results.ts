import {
  type AdvanceContext,
  type DecisionDefinition,
  isJsonObject,
  type Json,
  type JsonObject,
  type PolicyDecision,
  type PolicyFunction,
  type WorkflowGraph,
} from '@countersign/model';
import { POLICY_UNAVAILABLE_PREFIX } from '../evaluate-policy.js';
import { requirePrivatePart, type RecordedEvent } from './recorded-event.js';

/** Settings for a replay. The history records the pauses before retries, and recorded decisions were permitted. */
const REPLAY_SETTINGS = Object.freeze({
  separationOfDuties: false,
  excludeDeployers: false,
  requireDigest: false,
  retryBackoffMs: 0,
  retryBackoffMaxMs: 0,
});

/** The recorded external results for a command that is executed again. */
export interface RecordedResults {
  readonly context: AdvanceContext;
  /** Returns whether the events did not contain the result of a policy request. */
  isExhausted(): boolean;
}

/**
 * Returns the external results that a command's events record, in their order: policy decisions, DMN results, and ids
 * of child runs.
 */
export function readRecordedResults(
  events: readonly RecordedEvent[],
  target: WorkflowGraph | undefined,
): RecordedResults {
  const [first] = events;
  let isExhausted = false;
  const findIndexFrom = (from: number, matches: (event: RecordedEvent) => boolean): number => {
    for (let index = from; index < events.length; index += 1) {
      const event = events[index];
      if (event !== undefined && matches(event)) return index;
    }
    return -1;
  };
  let nextPolicyIndex = 0;
  const policy: PolicyFunction = ({ elementId }) => {
    const index = findIndexFrom(nextPolicyIndex, (event) => event.elementId === elementId && isPolicyResult(event));
    const event = events[index];
    if (index === -1) isExhausted = true;
    nextPolicyIndex = index === -1 ? events.length : index + 1;
    const decision = event?.data['policyDecision'];
    if (isJsonObject(decision)) return decision as unknown as PolicyDecision;
    const message = event?.private?.['message'];
    throw new Error(typeof message === 'string' ? message.replace(POLICY_UNAVAILABLE_PREFIX, '') : '');
  };
  let nextDecisionIndex = 0;
  const decisions = (decisionId: string): DecisionDefinition | undefined => {
    const index = findIndexFrom(
      nextDecisionIndex,
      ({ type, data }) =>
        (type === 'decision.evaluated' || type === 'decision.failed') && data['decisionId'] === decisionId,
    );
    const event = events[index];
    if (event === undefined) return undefined;
    nextDecisionIndex = index + 1;
    return buildRecordedDecision(decisionId, event, events);
  };
  let nextChildRunIndex = 0;
  const findChildRunId = (elementId: string): string | undefined => {
    const index = findIndexFrom(
      nextChildRunIndex,
      (event) => event.type === 'child.requested' && event.elementId === elementId,
    );
    const childRunId = events[index]?.data['childRunId'];
    if (typeof childRunId !== 'string') return undefined;
    nextChildRunIndex = index + 1;
    return childRunId;
  };
  return {
    isExhausted: () => isExhausted,
    context: {
      now: first?.at ?? 0,
      policy,
      decisions,
      recordedChildRunId: findChildRunId,
      wasPolicyEvaluated: (elementId) => events.some((event) => event.elementId === elementId && isPolicyResult(event)),
      settings: REPLAY_SETTINGS,
      isReplay: true,
      ...(first?.type === 'run.migrated' ? readDeployer(first, 'leftDeployedBy') : {}),
      // A recorded migration was permitted, so no job is treated as claimed.
      ...(target === undefined ? {} : { target, claimedJobs: new Set<string>() }),
    },
  };
}

/** Returns whether an event records the policy decision for a step, or the failure to get one. */
function isPolicyResult(event: RecordedEvent): boolean {
  return event.type.startsWith('step.') && (isJsonObject(event.data['policyDecision']) || isPolicyUnavailable(event));
}

/** Returns whether a step failed because the policy could not be evaluated. */
function isPolicyUnavailable({ type, data }: RecordedEvent): boolean {
  return type === 'step.failed' && data['code'] === 'policy_unavailable';
}

function buildRecordedDecision(
  decisionId: string,
  event: RecordedEvent,
  events: readonly RecordedEvent[],
): DecisionDefinition {
  const { version, digest, code, matchedRules } = event.data;
  return {
    decisionId,
    version: Number(version),
    digest: String(digest),
    ...readDeployer(event, 'deployedBy'),
    evaluate: () => {
      const { output = null, deployedBy: _deployedBy, ...trail } = requirePrivatePart(event);
      if (event.type === 'decision.evaluated') return { output, matchedRules: toStringList(matchedRules), trail };
      const failed = events.find(
        ({ type, stepId, seq }) => type === 'step.failed' && stepId === event.stepId && seq > event.seq,
      );
      const message = failed?.private?.['message'];
      return {
        failure: {
          code: String(code),
          message: typeof message === 'string' ? message.replace(buildRemedyText(decisionId), '') : '',
        },
        trail: requirePrivatePart(event),
      };
    },
  };
}

/** Returns the recorded deployer. Older events do not record it. */
function readDeployer<K extends 'deployedBy' | 'leftDeployedBy'>(
  { private: privatePart }: RecordedEvent,
  member: K,
): { readonly [each in K]?: string } {
  const id = privatePart?.[member];
  return typeof id === 'string' ? ({ [member]: id } as { readonly [each in K]?: string }) : {};
}

/** Returns the text that the interpreter appends to the message of a DMN decision. */
function buildRemedyText(decisionId: string): string {
  return ` Deploy a corrected "${decisionId}", or correct the variables, and recover the run.`;
}

function toStringList(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Returns whether two values are the same JSON, regardless of the order of their members. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((each, index) => isSameJson(each, other[index]))
    );
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], (other as JsonObject)[name]))
  );
}
