import {
  commentSchema,
  decisionSchema,
  digestSchema,
  idSchema,
  jsonObjectSchema,
  shownEvidenceSchema,
} from '@countersign/contract';
import { z } from 'zod';
import type { UnconfirmedVoteRecord, UnconfirmedVoteRecords } from '../../common/bridge.js';
import type { Log } from '../app/log.js';
import { EncryptedFile } from '../offline/encrypted-file.js';
import type { Keychain } from '../session/token-vault.js';

const MAX_VOTES = 100;
/**
 * Maximum age of a vote, in ms: the default time for which a server keeps responses for retries
 * (`Storage:Postgres:IdempotencyRetention`).
 */
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;

const sentVoteSchema = z.object({
  /** Local id of the server. */
  serverId: z.uuid(),
  subject: z.string(),
  approvalId: idSchema,
  runId: idSchema,
  title: z.string(),
  idempotencyKey: z.string(),
  /** The request as it was sent: the server accepts the same key only for the same request. */
  body: z.object({
    decision: decisionSchema,
    expectedDigest: digestSchema,
    round: z.int(),
    comment: commentSchema.optional(),
    editedArguments: jsonObjectSchema.optional(),
    shown: z.array(shownEvidenceSchema).optional(),
    signature: z.string().optional(),
  }),
  /** Time of the first attempt, in ms since the epoch. */
  sentAt: z.number(),
});

const fileSchema = z.array(sentVoteSchema);

export type SentVote = z.output<typeof sentVoteSchema>;

/** Voter and server of a vote. */
export type Account = Pick<SentVote, 'serverId' | 'subject'>;

/**
 * Unconfirmed votes, written before they are sent, so that none is lost if the application crashes. Without a
 * safe keychain, they are kept only in memory.
 */
export class UnconfirmedVoteStore {
  private readonly file: EncryptedFile<typeof fileSchema>;
  private sentVotes: readonly SentVote[];
  private readonly inFlightKeys = new Set<string>();

  constructor(
    path: string,
    keychain: Keychain,
    private readonly log: Log,
    private readonly now: () => number = Date.now,
  ) {
    this.file = new EncryptedFile(path, fileSchema, keychain);
    this.sentVotes = this.file.read() ?? [];
  }

  /** Returns the votes of one user at one server: users neither see nor send the votes of others. */
  forAccount({ serverId, subject }: Account): AccountVotes {
    const createVoteFilter = (idempotencyKey?: string) => (each: SentVote) =>
      each.serverId === serverId &&
      each.subject === subject &&
      each.idempotencyKey === (idempotencyKey ?? each.idempotencyKey);
    const removeVotes = (predicate: (each: SentVote) => boolean): void =>
      this.save(this.sentVotes.filter((each) => !predicate(each)));
    return {
      find: (idempotencyKey) =>
        this.sentVotes.filter((each) => !this.isExpired(each)).find(createVoteFilter(idempotencyKey)),
      startSending: (vote) => {
        this.inFlightKeys.add(vote.idempotencyKey);
        const existing = this.sentVotes.find(createVoteFilter(vote.idempotencyKey));
        if (existing === undefined || this.isExpired(existing))
          this.save([...this.sentVotes.filter((each) => each !== existing), vote]);
      },
      finishSending: (idempotencyKey, isOutcomeKnown) => {
        this.inFlightKeys.delete(idempotencyKey);
        if (isOutcomeKnown) removeVotes(createVoteFilter(idempotencyKey));
      },
      listUnconfirmed: () => {
        const unconfirmed = this.sentVotes.filter(
          (each) => createVoteFilter()(each) && !this.inFlightKeys.has(each.idempotencyKey),
        );
        const expired = unconfirmed.filter((each) => this.isExpired(each));
        if (expired.length > 0) {
          this.log.warn('votes.too_old', { count: expired.length });
          removeVotes((each) => expired.includes(each));
        }
        return {
          votes: unconfirmed.filter((each) => !expired.includes(each)).map(toUnconfirmedVoteRecord),
          tooOld: expired.map(toUnconfirmedVoteRecord),
        };
      },
      dismiss: (idempotencyKey) =>
        removeVotes((each) => createVoteFilter(idempotencyKey)(each) && !this.inFlightKeys.has(idempotencyKey)),
    };
  }

  /** Deletes the votes of a server, on sign-out or when it is removed. */
  forgetServer(serverId: string): void {
    this.save(this.sentVotes.filter((each) => each.serverId !== serverId));
  }

  private isExpired({ sentAt }: SentVote): boolean {
    return this.now() - sentAt >= MAX_AGE_MS;
  }

  private save(votes: readonly SentVote[]): void {
    if (votes.length === this.sentVotes.length && votes.every((each, index) => each === this.sentVotes[index])) return;
    if (votes.length > MAX_VOTES) this.log.warn('votes.too_many', { count: votes.length - MAX_VOTES });
    this.sentVotes = votes.slice(-MAX_VOTES);
    try {
      if (this.sentVotes.length === 0) this.file.remove();
      else this.file.write([...this.sentVotes]);
    } catch (error) {
      // The votes are still kept in memory, as without a keychain.
      this.log.failure('votes.not_written', error);
    }
  }
}

export interface AccountVotes {
  /** Returns the unconfirmed vote with this key. */
  find(idempotencyKey: string): SentVote | undefined;
  /** Must be called before each attempt to send. */
  startSending(vote: SentVote): void;
  /** @param isOutcomeKnown whether the outcome of the request is known */
  finishSending(idempotencyKey: string, isOutcomeKnown: boolean): void;
  /** Returns the unconfirmed votes that are not being sent now. Drops votes that are too old. */
  listUnconfirmed(): UnconfirmedVoteRecords;
  dismiss(idempotencyKey: string): void;
}

function toUnconfirmedVoteRecord({ approvalId, title, idempotencyKey, body }: SentVote): UnconfirmedVoteRecord {
  const { signature: _, expectedDigest: subjectDigest, ...input } = body;
  return { approvalId, title, idempotencyKey, subjectDigest, ...input };
}
