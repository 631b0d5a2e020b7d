import type { Json, JsonObject } from './json.js';
import type { RecordedActor } from './principal.js';

/**
 * State of an agent that works on a step. The history contains its turns; this state contains the other data that the
 * next turn depends on.
 */
export interface AgentState {
  /**
   * Name of the definition, and `sha256:<hex>` of its RFC 8785 form: a step keeps the definition that it started with.
   */
  readonly agent: string;
  readonly definitionDigest: string;
  /** Id of the model provider of that definition. */
  readonly provider?: string;
  /** Number of recorded turns of the model. */
  readonly turns: number;
  /** Number of calls that the model has proposed, including refused calls. */
  readonly toolCalls: number;
  readonly usage: AgentUsage;
  readonly budget: AgentBudget;
  /** Number of budget extensions. Each one grants the full budget again. */
  readonly extensions: number;
  /** Whether the single repair of output that does not match its schema was requested. */
  readonly repaired?: true;
  /** Sources of the tainted data that the model has seen. Everything that it outputs from then on has this taint. */
  readonly taint: readonly string[];
  /** The calls of the last turn, in the model's order. Empty: the next turn is due. */
  readonly calls: readonly AgentCall[];
}

/** An unusable response of a model: it failed, was refused or was malformed. Its tokens are charged nevertheless. */
export interface DiscardedResponse {
  readonly agent: string;
  readonly definitionDigest: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: AgentUsage;
  /** The budget of the step, unless the step has already started with another one. */
  readonly budget: AgentBudget;
}

export interface AgentUsage {
  /** All input tokens, whether or not they came from the provider's cache. */
  readonly inputTokens: number;
  /** All output tokens, including thinking. */
  readonly outputTokens: number;
  /** The input tokens that were read from the provider's cache, and those that were written to it. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Whether a provider did not report its usage, or only a part of it. */
  readonly estimated?: true;
  /** Millionths of the currency of the configured prices; `null` if the price of any turn is unknown. */
  readonly costMicros: number | null;
}

/**
 * Limits for the work of an agent on a step. They are checked before each turn and each call, so a turn in progress may
 * exceed them.
 */
export interface AgentBudget {
  readonly turns: number;
  readonly toolCalls: number;
  /** Input and output tokens together; `null`: not limited. */
  readonly tokens: number | null;
  /** Millionths; `null`: not limited. */
  readonly costMicros: number | null;
  /**
   * Effect of an exhausted budget: a person is asked whether to continue, or an incident is raised on the step.
   */
  readonly onExhausted: 'question' | 'incident';
}

/** Facts about a call, as declared by its tool. */
export interface ToolFacts {
  readonly tool: string;
  /** `sha256:<hex>` over name, description, schemas and effect. */
  readonly toolDigest: string;
  readonly effect: 'read' | 'write';
  /** Whether the effect can be undone. */
  readonly reversible: boolean;
  /** Hosts that the call contacts, as far as the arguments reveal them: as `URL.host`, or as origins (RFC 6454). */
  readonly hosts: readonly string[];
  /** The ports used on these hosts, defaults included. Undefined if the hosts imply them. */
  readonly ports?: readonly number[];
  /** Names of the run's artifacts that the call reads. */
  readonly artifacts: readonly string[];
}

/** A call that the model proposes, prepared by the runtime: arguments checked, defaults filled in. */
export interface ProposedCall extends ToolFacts {
  /** The id that the model gave the call. */
  readonly toolCallId: string;
  readonly arguments: JsonObject;
  /** Why the call cannot be executed: an unknown tool, or invalid arguments. Returned to the model as the result. */
  readonly problem: { readonly code: string; readonly message: string } | null;
  /** `human.ask`: the question for a person. The answer is the result; no worker executes this call. */
  readonly question: QuestionDraft | null;
}

export interface AgentCall extends ProposedCall {
  /** Idempotency key of the call, the same across edits and attempts. */
  readonly callId: string;
  /** Sources of the taint of the arguments. */
  readonly taint: readonly string[];
  /** 0 until the call was assessed, then 1; incremented each time its approval is requested again. */
  readonly round: number;
  /** Artifact versions at the time of the assessment: the call reads exactly these. */
  readonly pinned: readonly PinnedArtifact[];
  /**
   * The kind of wait that the call needs, or `done`. If the step does not have this wait, the call must be processed
   * (again). `done` calls are kept, without their arguments, until the last call of the turn is done.
   */
  readonly status: 'job' | 'approval' | 'question' | 'outcome' | 'done';
  /** The policy that most recently assessed the call. */
  readonly policy?: { readonly id: string; readonly digest: string };
  /** The last approval that was requested for the call. */
  readonly approvalId?: string;
  /** Digest of the approved subject. */
  readonly approvedDigest?: string;
  /** Number of times that the call was assessed again because its tool or the policy had changed when it was due. */
  readonly changes?: number;
  /** Id of the person who changed the arguments. */
  readonly editedBy?: string;
}

export interface PinnedArtifact {
  readonly name: string;
  /** `null`: no artifact of this name existed. */
  readonly version: number | null;
  readonly sha256: string | null;
}

/** One response of a model, recorded and never requested again. */
export interface AgentTurn {
  readonly agent: string;
  readonly definitionDigest: string;
  readonly provider: string;
  readonly model: string;
  /** `sha256:<hex>` over the RFC 8785 form of the whole model request. */
  readonly requestDigest: string;
  readonly text: string | null;
  readonly calls: readonly ProposedCall[];
  /** Data that must be returned to the provider with the next turn (for example, thinking blocks). */
  readonly opaque: Json;
  readonly usage: AgentUsage;
  readonly budget: AgentBudget;
  /** Sources of the taint of the data in the request of this turn, except the results of calls. */
  readonly taint: readonly string[];
  /**
   * The final result of the agent's work: variables for the step, or the reasons why the output does not match its
   * schema. `null`: the turn has calls.
   */
  readonly final: { readonly output: JsonObject } | { readonly problems: readonly string[] } | null;
}

/** The result of a call. */
export interface CallResult {
  readonly content: Json;
  /** Whether the tool reported a failure. The model may try something else. */
  readonly isError: boolean;
  /** Sources of the taint of the content. */
  readonly taint: readonly string[];
}

export interface QuestionDraft {
  readonly text: string;
  /** The possible answers, if they are limited to a list. */
  readonly options: readonly string[] | null;
  /** A JSON Schema of the answer. Without a schema and options, the answer is a string. */
  readonly answerSchema: JsonObject | null;
  /** Time limit in milliseconds after the question is asked; `null`: no time limit. */
  readonly dueInMs: number | null;
  readonly onDue: QuestionExpiryAction;
}

/** The effect of the expiry of a question without an answer. */
export type QuestionExpiryAction =
  /** The agent continues with this default answer and is informed that no person answered. */
  { readonly kind: 'continue'; readonly answer: Json } | { readonly kind: 'incident' };

export const QUESTION_STATUSES = Object.freeze(['pending', 'answered', 'withdrawn', 'expired'] as const);
export type QuestionStatus = (typeof QUESTION_STATUSES)[number];

/**
 * A question to people that a step waits for.
 *
 * - `ask`: asked by an agent through `human.ask`.
 * - `budget`: asked by the runtime: whether an agent may exceed its budget (`continue`, `stop`).
 * - `outcome`: asked by the runtime: the outcome of a call in progress when its worker was lost (`done`, `not_done`,
 *   `skip`).
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
  readonly onDue: QuestionExpiryAction;
}

/** A question as it is stored and displayed. */
export interface QuestionRecord extends PendingQuestion {
  readonly runId: string;
  readonly workflowId: string;
  readonly stepId: string;
  readonly elementId: string;
  /** The asking agent, by the name of its definition. */
  readonly agentName: string;
  readonly status: QuestionStatus;
  readonly answer: Json;
  readonly answeredBy: RecordedActor | null;
  readonly closedAt: number | null;
}

export type QuestionChange = Pick<QuestionRecord, 'questionId' | 'status' | 'answer' | 'answeredBy' | 'closedAt'>;

/** The answers to a question of the purpose `outcome`: the outcome of the call. */
export const CALL_OUTCOMES = Object.freeze(['done', 'not_done', 'skip'] as const);
/** The answers to the question whether an agent may exceed its budget. */
export const BUDGET_ANSWERS = Object.freeze(['continue', 'stop'] as const);

/**
 * Returns the name of the agent in the headers of a task; `null` if they contain none. Surrounding white space is
 * ignored.
 */
export function readAgentName(headers: Readonly<Record<string, string>>): string | null {
  const name = Object.hasOwn(headers, 'agent') ? headers['agent']?.trim() : undefined;
  return name === undefined || name === '' ? null : name;
}

/** The job type of an agent's step and of its turns. */
export const AGENT_JOB_TYPE = 'agent';
/** The job type of agents' calls. */
export const AGENT_CALL_JOB_TYPE = 'agent.call';
