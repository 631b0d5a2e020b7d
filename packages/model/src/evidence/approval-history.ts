import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ApprovalDecision, ApprovalStatus } from '../run-state.js';
import type { HistoryEvent } from './recorded-facts.js';
import { readPerson } from './read-person.js';
import { readShownEvidence, type ShownEvidenceInHistory } from './read-shown-evidence.js';

/**
 * A delegation or substitution. `null`: the private part that names the person is missing. Times in ms since the epoch.
 */
export interface DelegationInHistory {
  readonly from: string | null;
  readonly to: string | null;
  readonly until: number | null;
  readonly voteId: string | null;
  readonly absenceId: string | null;
}

export interface VoteInHistory {
  readonly voteId: string;
  readonly decision: ApprovalDecision;
  readonly comment: string | null;
  /** `null`: the private part is missing, as for all private members. */
  readonly by: string | null;
  readonly byName: string | null;
  /**
   * The candidate users that refer, by a user name, to the voter or to the person in whose place the vote was cast.
   * Undefined: there are none, or they were not recorded.
   */
  readonly askedAs?: string[];
  readonly inPlaceOf: string | null;
  readonly at: number;
  readonly digest: string;
  /** A compact JWS. */
  readonly signature: string | null;
  readonly keyId: string | null;
  /** Undefined: nothing was reported. */
  readonly shown?: ShownEvidenceInHistory[];
  /** Set if the event of a later vote records that this vote does not count. */
  readonly counts?: false;
}

/** An approval as recorded in the events of its run. */
export interface ApprovalInHistory {
  readonly round: number;
  readonly requestedAt: number;
  readonly digest: string;
  readonly quorum: number;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  readonly delegations: readonly DelegationInHistory[];
  readonly votes: readonly VoteInHistory[];
  /** Whether the private part of its request is present. */
  readonly hasRequestDetails: boolean;
  readonly status: ApprovalStatus;
  readonly resolvedAt: number | null;
  /** Id of the voter whose vote resolved it. */
  readonly resolvedBy: string | null;
}

/** Reconstructs the approvals of a run from its events, with the same rules as the interpreter. */
export class ApprovalHistory {
  readonly #approvals = new Map<string, ApprovalInHistory>();
  /** The approvals of edited calls: their delegations carry over to the next round. */
  readonly #editedIds = new Set<string>();

  getAll(): ReadonlyMap<string, ApprovalInHistory> {
    return this.#approvals;
  }

  fold(event: HistoryEvent): void {
    const id = String(event.data['approvalId']);
    if (event.type === 'approval.requested') this.#approvals.set(id, this.#createApproval(event));
    const approval = this.#approvals.get(id);
    if (approval === undefined) return;
    switch (event.type) {
      case 'approval.voted':
        this.#approvals.set(id, applyVote(approval, event));
        break;
      case 'approval.delegated':
        this.#approvals.set(id, applyDelegation(approval, event));
        break;
      case 'approval.reassigned':
        this.#approvals.set(id, {
          ...approval,
          ...readCandidates(event),
          delegations: approval.delegations.filter(({ voteId }) => voteId !== null),
        });
        break;
      case 'approval.resolved': {
        const status = event.data['status'] as ApprovalStatus;
        this.#approvals.set(id, {
          ...approval,
          status,
          resolvedAt: event.at,
          resolvedBy: status === 'expired' ? null : (approval.votes.at(-1)?.by ?? null),
        });
        break;
      }
      case 'approval.withdrawn':
        if (event.data['reason'] === 'edited') this.#editedIds.add(id);
        this.#approvals.set(id, { ...approval, status: 'withdrawn', resolvedAt: event.at });
        break;
      case 'approval.expired':
        this.#approvals.set(id, { ...approval, status: 'expired', resolvedAt: event.at });
        break;
    }
  }

  #createApproval(event: HistoryEvent): ApprovalInHistory {
    const { round, digest, quorum, previousApprovalId } = event.data;
    const previous =
      typeof previousApprovalId === 'string' && this.#editedIds.has(previousApprovalId)
        ? this.#approvals.get(previousApprovalId)
        : undefined;
    return {
      round: Number(round),
      requestedAt: event.at,
      digest: String(digest),
      quorum: Number(quorum),
      ...readCandidates(event),
      delegations: (previous?.delegations ?? []).flatMap((each) =>
        each.absenceId === null ? [{ ...each, voteId: null }] : [],
      ),
      votes: [],
      hasRequestDetails: event.private !== null,
      status: 'pending',
      resolvedAt: null,
      resolvedBy: null,
    };
  }
}

function applyVote(approval: ApprovalInHistory, event: HistoryEvent): ApprovalInHistory {
  const privateData = (event.private ?? {}) as JsonObject;
  const [voter, voteId, inPlaceOf] = [
    readPerson(event),
    String(event.data['voteId']),
    toStringOrNull(privateData['inPlaceOf']),
  ];
  const signature = isJsonObject(privateData['signature']) ? privateData['signature'] : {};
  const shown = readShownEvidence({ data: event.data, private: privateData });
  const vote: VoteInHistory = {
    voteId,
    decision: event.data['decision'] as ApprovalDecision,
    comment: toStringOrNull(privateData['comment']),
    by: voter?.id ?? null,
    byName: voter?.name ?? null,
    ...(privateData['askedAs'] === undefined ? {} : { askedAs: [...toStringList(privateData['askedAs'])] }),
    inPlaceOf,
    at: event.at,
    digest: String(event.data['digest']),
    signature: toStringOrNull(signature['jws']),
    keyId: toStringOrNull(signature['keyId']),
    ...(shown === undefined ? {} : { shown: [...shown] }),
  };
  const absence = isJsonObject(privateData['absence']) ? privateData['absence'] : undefined;
  const delegate = toStringOrNull(privateData['delegatedTo']) ?? vote.by;
  const delegations = approval.delegations
    // A voter's own vote revokes their delegations.
    .filter((each) => vote.by === null || each.from !== vote.by || each.voteId !== null)
    .map((each) =>
      inPlaceOf !== null && absence === undefined && each.from === inPlaceOf && each.to === delegate
        ? { ...each, voteId }
        : each,
    );
  if (absence !== undefined)
    delegations.push({
      from: inPlaceOf,
      to: vote.by,
      until: toTimestamp(absence['until']),
      voteId,
      absenceId: toStringOrNull(absence['absenceId']),
    });
  const notCounted = toStringList(event.data['notCounted']);
  const earlierVotes = approval.votes.map((each) =>
    notCounted.includes(each.voteId) ? { ...each, counts: false as const } : each,
  );
  return { ...approval, delegations, votes: [...earlierVotes, vote] };
}

function applyDelegation(approval: ApprovalInHistory, event: HistoryEvent): ApprovalInHistory {
  const from = readPerson(event)?.id ?? null;
  const { to, until } = (event.private ?? {}) as JsonObject;
  const delegations = approval.delegations.filter((each) => from === null || each.from !== from);
  return {
    ...approval,
    delegations: [
      ...delegations,
      { from, to: toStringOrNull(to), until: toTimestamp(until), voteId: null, absenceId: null },
    ],
  };
}

function readCandidates({
  private: privateData,
}: HistoryEvent): Pick<ApprovalInHistory, 'candidateUsers' | 'candidateGroups'> {
  const { candidateUsers, candidateGroups } = (privateData ?? {}) as JsonObject;
  return { candidateUsers: toStringList(candidateUsers), candidateGroups: toStringList(candidateGroups) };
}

function toStringOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function toTimestamp(value: Json | undefined): number | null {
  return typeof value === 'string' ? Date.parse(value) : null;
}

function toStringList(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
