import type { Json, JsonObject } from './json.js';
import type { RecordedActor } from './principal.js';

/** What a run keeps of an agent that works on a step. Its turns are in the history; here is what the next one depends on. */
export interface AgentState {
  /** Name of the definition, and `sha256:<hex>` of its RFC 8785 form: a step stays on the definition that it began with. */
  readonly agent: string;
  readonly definitionDigest: string;
  /** Id of the model provider of that definition. */
  readonly provider?: string;
  /** Turns of the model that are recorded. */
  readonly turns: number;
  /** Calls that the model has proposed, refused ones included. */
  readonly toolCalls: number;
  readonly usage: AgentUsage;
  readonly budget: AgentBudget;
  /** Times that somebody let it go on behind its budget, each of which grants the whole budget once more. */
  readonly extensions: number;
  /** Whether the one repair of an answer that does not fit its schema was asked for. */
  readonly repaired?: true;
  /** Where tainted data came from that the model was shown: everything that it says from then on is tainted with it. */
  readonly taint: readonly string[];
  /** The calls of the last turn, in the order of the model. Empty: the next turn is due. */
  readonly calls: readonly AgentCall[];
}

/** A response of a model that nothing could be made of: it failed, was refused or malformed. Its tokens are paid for all the same. */
export interface DiscardedResponse {
  readonly agent: string;
  readonly definitionDigest: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: AgentUsage;
  /** That the step works under, unless it has begun on another. */
  readonly budget: AgentBudget;
}

export interface AgentUsage {
  /** All that the model was given, from a cache of its provider or not. */
  readonly inputTokens: number;
  /** All that it wrote, thoughts included. */
  readonly outputTokens: number;
  /** Of the input, what was read from the provider's cache, and what was written to it. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Whether a provider did not count, or not all of it. */
  readonly estimated?: true;
  /** Millionths of the currency that prices are given in; `null` as soon as one turn has no known price. */
  readonly costMicros: number | null;
}

/** What a step may use up. Checked in front of each turn and each call: a soft stop. */
export interface AgentBudget {
  readonly turns: number;
  readonly toolCalls: number;
  /** Tokens of input and output together; `null`: not limited. */
  readonly tokens: number | null;
  /** Millionths; `null`: not limited. */
  readonly costMicros: number | null;
  /** What happens then: a person is asked whether to go on, or the step is an incident. */
  readonly onExhausted: 'question' | 'incident';
}

/** What a call may do, as its tool says. */
export interface ToolFacts {
  readonly tool: string;
  /** `sha256:<hex>` over name, description, schemas and effect. */
  readonly toolDigest: string;
  readonly effect: 'read' | 'write';
  /** Whether what it did can be undone. */
  readonly reversible: boolean;
  /** Where the call goes to, as far as the arguments tell. */
  readonly hosts: readonly string[];
  /** The ports that it uses there, defaults included. Absent where they are those that the hosts tell. */
  readonly ports?: readonly number[];
  /** Names of the run's artifacts that the call reads. */
  readonly artifacts: readonly string[];
}

/** A call as the model proposes it, made ready by the runtime: arguments checked, defaults filled in. */
export interface ProposedCall extends ToolFacts {
  /** The model's own id of the call. */
  readonly toolCallId: string;
  readonly arguments: JsonObject;
  /** It can't be made: an unknown tool, or arguments that do not fit. Goes back to the model as the result. */
  readonly problem: { readonly code: string; readonly message: string } | null;
  /** `human.ask`: what a person is asked. The answer is the result; no worker makes this call. */
  readonly question: QuestionDraft | null;
}

export interface AgentCall extends ProposedCall {
  /** Of this call forever, over edits and attempts: the idempotency key of what it does. */
  readonly callId: string;
  /** Sources of the taint of its arguments. */
  readonly taint: readonly string[];
  /** 0 as long as nobody has decided on it, then 1; one more each time that somebody is asked again to approve it. */
  readonly round: number;
  /** Artifacts as they were when it was decided: what is read is exactly these. */
  readonly pinned: readonly PinnedArtifact[];
  /**
   * What it waits for; where the step has no such wait, it is to be taken up (again). `done` calls stay until the last one of
   * the turn is done, without their arguments.
   */
  readonly status: 'job' | 'approval' | 'question' | 'outcome' | 'done';
  /** What decided on it last. */
  readonly policy?: { readonly id: string; readonly digest: string };
  /** Where a person was last asked to approve it. */
  readonly approvalId?: string;
  /** Digest of the subject that was approved. */
  readonly approvedDigest?: string;
  /** How often it was decided again because its tool, or the policy, had changed when it was to be made. */
  readonly changes?: number;
  /** Id of the person who changed the arguments. */
  readonly editedBy?: string;
}

export interface PinnedArtifact {
  readonly name: string;
  /** `null`: there was none of this name. */
  readonly version: number | null;
  readonly sha256: string | null;
}

/** One answer of a model, as it is recorded and never asked for again. */
export interface AgentTurn {
  readonly agent: string;
  readonly definitionDigest: string;
  readonly provider: string;
  readonly model: string;
  /** `sha256:<hex>` over the RFC 8785 form of all that the model was asked. */
  readonly requestDigest: string;
  readonly text: string | null;
  readonly calls: readonly ProposedCall[];
  /** What the provider wants back with the next turn (thinking blocks, for example). */
  readonly opaque: Json;
  readonly usage: AgentUsage;
  readonly budget: AgentBudget;
  /** Sources of taint of what the model was shown for this turn, beside the results of calls. */
  readonly taint: readonly string[];
  /** The end of the agent's work: variables for the step, or why its answer does not fit the output schema. `null`: calls follow. */
  readonly final: { readonly output: JsonObject } | { readonly problems: readonly string[] } | null;
}

/** What came of a call. */
export interface CallResult {
  readonly content: Json;
  /** The tool says that it went wrong; the model may try otherwise. */
  readonly isError: boolean;
  /** Sources of the taint of the content. */
  readonly taint: readonly string[];
}

export interface QuestionDraft {
  readonly text: string;
  /** One of these is the answer. */
  readonly options: readonly string[] | null;
  /** A JSON Schema of the answer; without it and without options it is a text. */
  readonly answerSchema: JsonObject | null;
  /** Milliseconds from the asking; `null`: it waits without end. */
  readonly dueInMs: number | null;
  readonly onDue: QuestionOutcome;
}

/** What a question that nobody has answered in time comes to. */
export type QuestionOutcome =
  /** The asker is told that nobody answered, or goes on with this answer. */
  { readonly kind: 'continue'; readonly answer: Json } | { readonly kind: 'incident' };

export const QUESTION_STATUSES = Object.freeze(['pending', 'answered', 'withdrawn', 'expired'] as const);
export type QuestionStatus = (typeof QUESTION_STATUSES)[number];

/**
 * A question to people that a step waits for.
 *
 * - `ask`: of an agent, by `human.ask`.
 * - `budget`: of the runtime, whether an agent may go on behind its budget (`continue`, `stop`).
 * - `outcome`: of the runtime, what became of a call that was under way when its worker was lost (`done`, `not_done`, `skip`).
 */
export interface PendingQuestion {
  readonly questionId: string;
  readonly purpose: 'ask' | 'budget' | 'outcome';
  readonly callId: string | null;
  readonly text: string;
  readonly options: readonly string[] | null;
  readonly answerSchema: JsonObject | null;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly dueAt: number | null;
  readonly onDue: QuestionOutcome;
}

/** A question as it is stored and shown. */
export interface QuestionRecord extends PendingQuestion {
  readonly runId: string;
  readonly workflowId: string;
  readonly stepId: string;
  readonly elementId: string;
  /** Who asks, by the name of the definition. */
  readonly agentName: string;
  readonly status: QuestionStatus;
  readonly answer: Json;
  readonly answeredBy: RecordedActor | null;
  readonly closedAt: number | null;
}

export type QuestionChange = Pick<QuestionRecord, 'questionId' | 'status' | 'answer' | 'answeredBy' | 'closedAt'>;

/** What a person who answers a question of the purpose `outcome` says became of the call. */
export const CALL_OUTCOMES = Object.freeze(['done', 'not_done', 'skip'] as const);
/** What a person who is asked whether an agent may go on behind its budget may say. */
export const BUDGET_ANSWERS = Object.freeze(['continue', 'stop'] as const);

/** The agent that the headers of a task name; `null` where they name none. White space around it does not count. */
export function agentNameOf(headers: Readonly<Record<string, string>>): string | null {
  const name = Object.hasOwn(headers, 'agent') ? headers['agent']?.trim() : undefined;
  return name === undefined || name === '' ? null : name;
}

/** The job type of an agent's step, and so of its turns. */
export const AGENT_JOB_TYPE = 'agent';
/** The job type of the calls of agents. */
export const AGENT_CALL_JOB_TYPE = 'agent.call';
