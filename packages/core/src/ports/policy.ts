import type { ServiceIdentifier } from 'inversify';
import type { PolicyDecision, PolicyFunction, PolicyRequest } from '@countersign/model';

/** The policy in force. */
export interface PolicyPort {
  /** The policy bound to one digest; asked once for each command, so that a change takes effect between commands. */
  current(): PolicyFunction;
  /** Which policy that is. Its texts are in the store of definitions, under the kind `policy`. */
  inForce?(): { readonly policyId: string; readonly digest: string };
}

export const PolicyPort: ServiceIdentifier<PolicyPort> = Symbol.for('@countersign/core:PolicyPort');

/** Texts of policies by the name of their file. */
export type PolicyTexts = Readonly<Record<string, string>>;

/**
 * Drafts of the policy. A draft may be hostile: reading it and asking it is bounded in size, memory and time, and can't
 * disturb what is in force. Nothing of it is kept.
 */
export interface PolicyDraftPort {
  /** @throws {ApiError} `policy_invalid` with everything that is wrong with it, `service_unavailable` */
  open(texts: PolicyTexts): Promise<PolicyDraft>;
}

export const PolicyDraftPort: ServiceIdentifier<PolicyDraftPort> = Symbol.for('@countersign/core:PolicyDraftPort');

export interface PolicyDraft {
  /** The one that the policy would have in force. */
  readonly digest: string;
  /** In the order of the requests. @throws {ApiError} `policy_invalid`: it took too much time or memory */
  decide(requests: readonly PolicyRequest[]): Promise<readonly DraftAnswer[]>;
  close(): Promise<void>;
}

/** `problem`: the draft gave no answer, which would count as a deny. */
export type DraftAnswer = { readonly decision: PolicyDecision } | { readonly problem: string };
