import type { ServiceIdentifier } from 'inversify';
import type { PolicyDecision, PolicyFunction, PolicyRequest } from '@countersign/model';

/** The current policy. */
export interface PolicyPort {
  /**
   * Returns a function that evaluates the current policy, under one digest. Called once per command, so that a change
   * of the policy takes effect only between commands.
   */
  current(): PolicyFunction;
  /** The identity of the current policy. Its files are in the definition store, under the kind `policy`. */
  describeCurrent?(): { readonly policyId: string; readonly digest: string };
}

export const PolicyPort: ServiceIdentifier<PolicyPort> = Symbol.for('@countersign/core:PolicyPort');

/** Policy files by name. */
export type PolicyTexts = Readonly<Record<string, string>>;

/**
 * Evaluates policy drafts. A draft can be hostile: reading and evaluating it is bounded in size, memory and time, and
 * cannot disturb the current policy. Nothing of it is stored.
 */
export interface PolicyDraftPort {
  /**
   * Opens a draft for evaluation.
   *
   * @throws {ApiError} `policy_invalid` with all issues of the draft; `service_unavailable`
   */
  open(texts: PolicyTexts): Promise<PolicyDraft>;
}

export const PolicyDraftPort: ServiceIdentifier<PolicyDraftPort> = Symbol.for('@countersign/core:PolicyDraftPort');

export interface PolicyDraft {
  /** The identity that the draft would have as the current policy. */
  readonly digest: string;
  /** Evaluates requests in order. @throws {ApiError} `policy_invalid` if it takes too much time or memory */
  evaluate(requests: readonly PolicyRequest[]): Promise<readonly DraftResult[]>;
  close(): Promise<void>;
}

/** `problem`: the draft failed to decide, which would count as a deny. */
export type DraftResult = { readonly decision: PolicyDecision } | { readonly problem: string };
