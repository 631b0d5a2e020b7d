import { createHash } from 'node:crypto';
import { buildVoteSigningInput, type Approval, type Client } from '@countersign/contract';
import { createRefusal } from '../../common/operation-result.js';
import type { Vote } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import type { SigningResult, VoteSigner } from '../vote/votes.js';
import type { DeviceSigning } from './device-signing.js';
import { createVotePrompt } from './vote-prompt.js';

/** Maximum number of signing results that are kept for retries. */
const MAX_CACHED_RESULTS = 500;

interface CachedResult {
  readonly vote: string;
  readonly signingResult: { readonly signature: string } | undefined;
}

/**
 * Signs votes with the key of this device after confirmation in a system dialog: votes that require a signature, or
 * all votes if the user has chosen to sign every vote. Except for the vote itself, the signed statement contains only
 * data that the main process has loaded.
 *
 * A vote that is retried under its idempotency key is sent unchanged, with its signature: the server accepts the same
 * key only for the same request, and the user has confirmed exactly that.
 */
export class VoteSigning implements VoteSigner {
  private readonly cachedResults = new Map<string, CachedResult>();

  constructor(
    private readonly device: DeviceSigning,
    private readonly client: Pick<Client, 'getSigning'>,
  ) {}

  get signsEveryVote(): boolean {
    return this.device.state.signsEveryVote;
  }

  async sign(approval: Approval, vote: Vote): Promise<SigningResult> {
    const serializedVote = serializeVote(vote);
    const previous = this.cachedResults.get(vote.idempotencyKey);
    if (previous?.vote === serializedVote) return previous.signingResult;
    const signingResult = await this.confirmAndSign(approval, vote);
    if (signingResult !== undefined && !('signature' in signingResult)) return signingResult;
    this.cachedResults.set(vote.idempotencyKey, { vote: serializedVote, signingResult });
    for (const oldest of this.cachedResults.keys()) {
      if (this.cachedResults.size <= MAX_CACHED_RESULTS) break;
      this.cachedResults.delete(oldest);
    }
    return signingResult;
  }

  onVoteRefused(code: string): void {
    this.device.onVoteRefused(code);
  }

  private async confirmAndSign(approval: Approval, vote: Vote): Promise<SigningResult> {
    const { confirm, server } = this.device.options;
    // The server assembles a call with edited arguments, so it cannot be signed here.
    const hasEditedArguments = vote.editedArguments !== undefined;
    if (!this.signsEveryVote && (hasEditedArguments || !approval.signatureRequired)) return undefined;
    const signingKey = this.device.readyKey;
    if (signingKey === undefined) return createRefusal('no_signing_key');
    const signing = await toOperationResult(this.client.getSigning());
    if (!signing.ok) return signing.kind === 'connection' ? createRefusal('nothing_sent') : signing;
    const { serverId, now } = signing.value;
    if (serverId !== signingKey.record.server) {
      this.device.onServerMismatch();
      return createRefusal('no_signing_key');
    }
    const clockOffset = Date.parse(now) - Date.now();
    const { keyId } = signingKey.pair;
    if (!(await confirm(createVotePrompt({ server, approval, vote, keyId, clockOffset }))))
      return createRefusal('declined');
    if (hasEditedArguments) return undefined;
    const { runId, approvalId } = approval;
    const { round, decision, comment, subjectDigest } = vote;
    const commentDigest = comment === undefined ? null : `sha256:${createHash('sha256').update(comment).digest('hex')}`;
    const at = new Date(Date.now() + clockOffset).toISOString();
    return {
      signature: signingKey.pair.signStatement(
        buildVoteSigningInput({
          server: serverId,
          runId,
          approvalId,
          round,
          decision,
          commentDigest,
          subjectDigest,
          keyId,
          at,
        }),
      ),
    };
  }
}

function serializeVote({ approvalId, round, subjectDigest, decision, comment, editedArguments }: Vote): string {
  return JSON.stringify([approvalId, round, subjectDigest, decision, comment, editedArguments]);
}
