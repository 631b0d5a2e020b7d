import { visibleTaints, visibleVariables } from '@countersign/interpreter';
import {
  type AgentRuntimePort,
  type AgentTurnJob,
  type CallOutcome,
  isRetryableFailure,
  isTerminalFailure,
  type Job,
  type PolicyPort,
  RetryableFailure,
  TerminalFailure,
} from '@countersign/core/plugin';
import type { ClaimedJob, StoragePort } from '@countersign/core/ports';
import {
  AGENT_CALL_JOB_TYPE,
  AGENT_JOB_TYPE,
  type AgentCall,
  type AgentTurn,
  type CallResult,
  type DiscardedResponse,
  type ElementInstance,
  type ProposedCall,
} from '@countersign/model';
import { isNotStorable } from '../error-classification.js';
import type { Destinations } from './destinations.js';
import { JobArtifacts, type ArtifactSources } from './job-artifacts.js';
import { jobFailure, jobResult, type JobFailure } from './job-values.js';
import type { RunningJob, JobExecutor } from './job-work.js';
import { mappedInputs } from './mapped-inputs.js';

/** Receiver of the results of agent jobs. */
export interface AgentResults {
  turn(job: ClaimedJob, turn: AgentTurn): Promise<unknown>;
  /** Records a failed turn, together with the usage of discarded responses. */
  failTurn(job: ClaimedJob, failure: JobFailure, discarded: readonly DiscardedResponse[]): Promise<unknown>;
  call(job: ClaimedJob, by: CallContext, result: CallResult): Promise<unknown>;
  repropose(job: ClaimedJob, by: CallContext, call: ProposedCall): Promise<unknown>;
  lose(job: ClaimedJob, by: CallContext, message: string): Promise<unknown>;
  /** Reports a failure so that the job is retried, and the next attempt knows that the call may have run. */
  retryWithUnknownOutcome(job: ClaimedJob, by: CallContext, failure: JobFailure): Promise<unknown>;
  putArtifact(
    job: ClaimedJob,
    by: CallContext | null,
    ...content: Parameters<Job['putArtifact']>
  ): ReturnType<Job['putArtifact']>;
}

/** Call that a job executes, and the agent that proposed it. */
export interface CallContext {
  readonly agentName: string;
  readonly call: AgentCall;
}

export interface AgentSources extends ArtifactSources {
  readonly storage: Pick<StoragePort, 'listArtifacts' | 'findArtifact' | 'listAgentEvents'>;
  readonly policy: Pick<PolicyPort, 'inForce'>;
  readonly destinations: Pick<Destinations, 'refuseOthers'>;
}

/**
 * Returns the executors of the agent runtime by job type: turns of language models and tool calls. They submit a
 * result even if the signal was aborted: the lease fences it, and the known outcome of a call is better than a
 * question to an operator.
 */
export function agentWork(
  runtime: AgentRuntimePort,
  results: AgentResults,
  sources: AgentSources,
): ReadonlyMap<string, JobExecutor> {
  return new Map<string, JobExecutor>([
    [AGENT_JOB_TYPE, (hand) => takeTurn(runtime, results, sources, hand)],
    [AGENT_CALL_JOB_TYPE, (hand) => makeCall(runtime, results, sources, hand)],
  ]);
}

async function takeTurn(
  runtime: AgentRuntimePort,
  results: AgentResults,
  sources: AgentSources,
  hand: RunningJob,
): ReturnType<JobExecutor> {
  const { job, instance, signal, leased } = hand;
  const discarded: DiscardedResponse[] = [];
  sources.destinations.refuseOthers(hand);
  try {
    const turn = await runtime.takeTurn({
      ...given(
        hand,
        new JobArtifacts(job.runId, [], sources, (...content) => results.putArtifact(leased(), null, ...content)),
      ),
      state: structuredClone(instance.agent ?? null),
      history: () => sources.storage.listAgentEvents(job.runId, job.stepId),
      discarded: (response) => void discarded.push(storable(response)),
    });
    const recorded = storableTurn(turn, discarded);
    return () => reportTurn(results, leased, recorded);
  } catch (error) {
    if (signal.aborted || discarded.length === 0) throw error;
    const failure = jobFailure(error);
    return () => results.failTurn(leased(), failure, discarded);
  }
}

/**
 * Returns the turn as it is stored.
 *
 * @throws {TerminalFailure} if it cannot be stored; the response is then recorded as discarded
 */
function storableTurn(turn: AgentTurn, discarded: DiscardedResponse[]): AgentTurn {
  try {
    return storable(turn);
  } catch (error) {
    discarded.push(storable(responseOf(turn)));
    throw error;
  }
}

/**
 * Reports a turn. If the run cannot store it, a failure with the usage is reported, because the turn was paid for
 * anyway.
 */
async function reportTurn(results: AgentResults, leased: RunningJob['leased'], turn: AgentTurn): Promise<unknown> {
  try {
    return await results.turn(leased(), turn);
  } catch (error) {
    if (!isNotStorable(error)) throw error;
    const { code, message } = error;
    return results.failTurn(leased(), { code, message, retryable: false }, [responseOf(turn)]);
  }
}

function responseOf({ agent, definitionDigest, provider, model, usage, budget }: AgentTurn): DiscardedResponse {
  return { agent, definitionDigest, provider, model, usage, budget };
}

async function makeCall(
  runtime: AgentRuntimePort,
  results: AgentResults,
  sources: AgentSources,
  hand: RunningJob,
): ReturnType<JobExecutor> {
  const { job, instance, signal, leased } = hand;
  const { callId } = job;
  if (callId === undefined) {
    throw new TerminalFailure(
      'job_type_reserved',
      `The job type "${AGENT_CALL_JOB_TYPE}" is reserved for tool calls of agents. Use another job type for the task.`,
    );
  }
  const state = structuredClone(instance.agent);
  const call = state?.calls.find((each) => each.callId === callId);
  // The agent gave the call up in the meantime, and its job is withdrawn.
  if (state === undefined || call === undefined) return undefined;
  const by = { agentName: state.agent, call };
  const isRedelivered = job.epoch > job.attempt;
  if (!isRedelivered && isOfAnotherPolicy(call, sources.policy))
    return reportOutcome(results, by, { kind: 'changed', call: proposalOf(call) }, hand);
  let outcome: CallOutcome;
  try {
    outcome = await runtime.makeCall({
      ...given(
        hand,
        new JobArtifacts(job.runId, call.pinned, sources, (...content) =>
          results.putArtifact(leased(), by, ...content),
        ),
      ),
      state,
      call: structuredClone(call),
      isRedelivered,
    });
  } catch (error) {
    if (signal.aborted || !leavesOpen(hand, call, isRedelivered, error)) throw error;
    return () => results.lose(leased(), by, jobFailure(error).message);
  }
  // A call that may have run is not re-evaluated as if it had not.
  if (outcome.kind === 'changed' && isRedelivered && call.effect === 'write')
    outcome = {
      kind: 'unknown',
      message: `Another worker had started the call, and the definition of ${call.tool} has changed since.`,
    };
  return reportOutcome(results, by, outcome, hand);
}

/**
 * Returns whether a write was evaluated under a policy that is no longer in force here: the call may have waited long,
 * or been attempted before.
 */
function isOfAnotherPolicy({ effect, policy }: AgentCall, port: Pick<PolicyPort, 'inForce'>): boolean {
  const now = port.inForce?.().digest;
  return effect === 'write' && policy !== undefined && now !== undefined && now !== policy.digest;
}

/** Returns the same call without the policy decision on it. */
function proposalOf({
  toolCallId,
  tool,
  toolDigest,
  effect,
  reversible,
  hosts,
  ports,
  artifacts,
  arguments: given,
  problem,
  question,
}: AgentCall): ProposedCall {
  return {
    toolCallId,
    tool,
    toolDigest,
    effect,
    reversible,
    hosts,
    ...(ports === undefined ? {} : { ports }),
    artifacts,
    arguments: given,
    problem,
    question,
  };
}

function reportOutcome(
  results: AgentResults,
  by: CallContext,
  outcome: CallOutcome,
  hand: RunningJob,
): () => Promise<unknown> {
  const { leased } = hand;
  switch (outcome.kind) {
    case 'result': {
      const result = storableResult(outcome.result, by.call);
      return () => results.call(leased(), by, result);
    }
    case 'changed': {
      const call = storable(outcome.call);
      return () => results.repropose(leased(), by, call);
    }
    case 'open': {
      const failure = jobFailure(new RetryableFailure(outcome.code, outcome.message, outcome.retryAfterMs));
      return () =>
        isLastAttempt(hand)
          ? results.lose(leased(), by, failure.message)
          : results.retryWithUnknownOutcome(leased(), by, failure);
    }
    case 'unknown': {
      const { message } = jobFailure(new Error(outcome.message));
      return () => results.lose(leased(), by, message);
    }
  }
}

/**
 * Returns whether a failed call may have run anyway and no further attempt will check. The failure proves that this
 * attempt did not run the call, but proves nothing about an earlier attempt whose worker was lost. While attempts
 * remain, the next attempt checks.
 */
function leavesOpen(hand: RunningJob, { effect }: AgentCall, isRedelivered: boolean, error: unknown): boolean {
  if (effect === 'read') return false;
  if (!isRetryableFailure(error) && !isTerminalFailure(error)) return true;
  return isRedelivered && (isTerminalFailure(error) || isLastAttempt(hand));
}

function isLastAttempt({ job, instance }: RunningJob): boolean {
  const wait = instance.waits?.find((each) => each.kind === 'job' && each.jobId === job.jobId);
  return wait?.kind !== 'job' || wait.retries <= 1;
}

/** Returns copies: later commands are evaluated on the state, and a tool may modify its input. */
function given(
  { job, state, instance, node, signal }: RunningJob,
  artifacts: JobArtifacts,
): Omit<AgentTurnJob, 'state' | 'history' | 'discarded'> {
  const find = (key: number): ElementInstance | undefined => state.instances[key];
  return {
    jobId: job.jobId,
    runId: job.runId,
    workflowId: state.workflowId,
    stepId: job.stepId,
    elementId: job.elementId,
    attempt: job.attempt,
    headers: node.headers,
    variables: structuredClone(visibleVariables(find, instance)),
    inputs: structuredClone(mappedInputs(node.inputs, instance)),
    taints: structuredClone(visibleTaints(find, instance) ?? {}),
    toolConstraints: job.toolConstraints,
    artifacts,
    signal,
  };
}

/**
 * Returns the value as it is stored.
 *
 * @throws {TerminalFailure} if it cannot be stored
 */
function storable<T extends AgentTurn | DiscardedResponse | ProposedCall>(value: T): T {
  return jobResult(value) as unknown as T;
}

/**
 * Returns the result of a call as it is stored. If it cannot be stored, the call is still recorded as made, with an
 * error result that the language model sees.
 */
function storableResult(result: CallResult, { tool }: AgentCall): CallResult {
  try {
    return jobResult(result) as unknown as CallResult;
  } catch (error) {
    const { code, message } = jobFailure(error);
    return { content: { error: code, message }, isError: true, taint: [`tool:${tool}`] };
  }
}
