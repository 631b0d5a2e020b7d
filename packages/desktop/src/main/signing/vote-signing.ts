import { createHash } from 'node:crypto';
import { voteToSign, type Approval, type Client } from '@countersign/contract';
import { refused } from '../../common/operation-result.js';
import type { Vote } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import type { Signed, VoteSigner } from '../vote/votes.js';
import type { DeviceSigning } from './device-signing.js';
import { voteQuestion } from './vote-prompt.js';

/** Number of votes whose signature is kept for retries. */
const MAX_KEPT = 500;

interface Outcome {
  readonly vote: string;
  readonly signed: { readonly signature: string } | undefined;
}

/**
 * Signs votes with the key of this device after confirmation in a dialog of the operating system: votes that require a
 * signature, or all votes if the user wants that. The statement contains only data that the main process has loaded.
 *
 * A vote that is retried under its idempotency key is sent unchanged, with its signature: the server accepts the same
 * key only for the same request, and the user has confirmed exactly that.
 */
export class VoteSigning implements VoteSigner {
  private readonly outcomes = new Map<string, Outcome>();

  constructor(
    private readonly device: DeviceSigning,
    private readonly client: Pick<Client, 'getSigning'>,
  ) {}

  get signsEvery(): boolean {
    return this.device.state.signsEvery;
  }

  async sign(approval: Approval, vote: Vote): Promise<Signed> {
    const same = textOf(vote);
    const before = this.outcomes.get(vote.idempotencyKey);
    if (before?.vote === same) return before.signed;
    const answer = await this.decide(approval, vote);
    if (answer !== undefined && !('signature' in answer)) return answer;
    this.outcomes.set(vote.idempotencyKey, { vote: same, signed: answer });
    for (const oldest of this.outcomes.keys()) {
      if (this.outcomes.size <= MAX_KEPT) break;
      this.outcomes.delete(oldest);
    }
    return answer;
  }

  refused(code: string): void {
    this.device.refused(code);
  }

  private async decide(approval: Approval, vote: Vote): Promise<Signed> {
    const { ask, server } = this.device.options;
    // The server assembles a call with edited arguments, so it cannot be signed here.
    const edited = vote.editedArguments !== undefined;
    if (!this.signsEvery && (edited || !approval.signatureRequired)) return undefined;
    const key = this.device.usable;
    if (key === undefined) return refused('no_signing_key');
    const signing = await toOperationResult(this.client.getSigning());
    if (!signing.ok) return signing.kind === 'connection' ? refused('nothing_sent') : signing;
    const { serverId, now } = signing.value;
    if (serverId !== key.note.server) {
      this.device.foundOtherServer();
      return refused('no_signing_key');
    }
    const clockOffset = Date.parse(now) - Date.now();
    const { keyId } = key.pair;
    if (!(await ask(voteQuestion({ server, approval, vote, keyId, clockOffset })))) return refused('declined');
    if (edited) return undefined;
    const { runId, approvalId } = approval;
    const { round, decision, comment, subjectDigest } = vote;
    const commentDigest = comment === undefined ? null : `sha256:${createHash('sha256').update(comment).digest('hex')}`;
    const at = new Date(Date.now() + clockOffset).toISOString();
    return {
      signature: key.pair.signed(
        voteToSign({ server: serverId, runId, approvalId, round, decision, commentDigest, subjectDigest, keyId, at }),
      ),
    };
  }
}

function textOf({ approvalId, round, subjectDigest, decision, comment, editedArguments }: Vote): string {
  return JSON.stringify([approvalId, round, subjectDigest, decision, comment, editedArguments]);
}
