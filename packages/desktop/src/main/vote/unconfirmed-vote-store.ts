import {
  commentSchema,
  decisionSchema,
  digestSchema,
  idSchema,
  jsonObjectSchema,
  shownEvidenceSchema,
} from '@countersign/contract';
import { z } from 'zod';
import type { JournaledVote, JournaledVotes } from '../../common/bridge.js';
import type { Log } from '../app/log.js';
import { EncryptedFile } from '../offline/encrypted-file.js';
import type { Keychain } from '../session/token-vault.js';

const MAX_VOTES = 100;
/** In ms: as long as a server keeps responses for retries (`Storage:Postgres:IdempotencyRetention`, default value). */
const TOO_OLD_MS = 24 * 60 * 60 * 1_000;

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

/** The voter and the server. */
export type Account = Pick<SentVote, 'serverId' | 'subject'>;

/**
 * Unconfirmed votes, written before they are sent, so that a crash of the application loses track of none. Without a
 * safe keychain, they are kept only in memory.
 */
export class UnconfirmedVoteStore {
  private readonly file: EncryptedFile<typeof fileSchema>;
  private all: readonly SentVote[];
  private readonly underWay = new Set<string>();

  constructor(
    path: string,
    keychain: Keychain,
    private readonly log: Log,
    private readonly now: () => number = Date.now,
  ) {
    this.file = new EncryptedFile(path, fileSchema, keychain);
    this.all = this.file.read() ?? [];
  }

  /** Returns the votes of one user at one server: users neither see nor send the votes of others. */
  at({ serverId, subject }: Account): AccountJournal {
    const mine = (idempotencyKey?: string) => (each: SentVote) =>
      each.serverId === serverId &&
      each.subject === subject &&
      each.idempotencyKey === (idempotencyKey ?? each.idempotencyKey);
    const drop = (which: (each: SentVote) => boolean): void => this.keep(this.all.filter((each) => !which(each)));
    return {
      find: (idempotencyKey) => this.all.filter((each) => !this.isTooOld(each)).find(mine(idempotencyKey)),
      begin: (vote) => {
        this.underWay.add(vote.idempotencyKey);
        const before = this.all.find(mine(vote.idempotencyKey));
        if (before === undefined || this.isTooOld(before))
          this.keep([...this.all.filter((each) => each !== before), vote]);
      },
      end: (idempotencyKey, settled) => {
        this.underWay.delete(idempotencyKey);
        if (settled) drop(mine(idempotencyKey));
      },
      unsettled: () => {
        const open = this.all.filter((each) => mine()(each) && !this.underWay.has(each.idempotencyKey));
        const tooOld = open.filter((each) => this.isTooOld(each));
        if (tooOld.length > 0) {
          this.log.warn('votes.too_old', { count: tooOld.length });
          drop((each) => tooOld.includes(each));
        }
        return { votes: open.filter((each) => !tooOld.includes(each)).map(shownOf), tooOld: tooOld.map(shownOf) };
      },
      dismiss: (idempotencyKey) => drop((each) => mine(idempotencyKey)(each) && !this.underWay.has(idempotencyKey)),
    };
  }

  /** Deletes the votes of a server, on sign-out or when it is removed. */
  forgetServer(serverId: string): void {
    this.keep(this.all.filter((each) => each.serverId !== serverId));
  }

  private isTooOld({ sentAt }: SentVote): boolean {
    return this.now() - sentAt >= TOO_OLD_MS;
  }

  private keep(all: readonly SentVote[]): void {
    if (all.length === this.all.length && all.every((each, index) => each === this.all[index])) return;
    if (all.length > MAX_VOTES) this.log.warn('votes.too_many', { count: all.length - MAX_VOTES });
    this.all = all.slice(-MAX_VOTES);
    try {
      if (this.all.length === 0) this.file.remove();
      else this.file.write([...this.all]);
    } catch (error) {
      // As without a keychain, the votes are kept in memory.
      this.log.failure('votes.not_written', error);
    }
  }
}

export interface AccountJournal {
  /** Returns the unconfirmed vote with this key. */
  find(idempotencyKey: string): SentVote | undefined;
  /** Must be called before each attempt to send. */
  begin(vote: SentVote): void;
  /** @param settled whether the outcome is certain */
  end(idempotencyKey: string, settled: boolean): void;
  /** Returns the unconfirmed votes that are not being sent now. Drops those that are too old. */
  unsettled(): JournaledVotes;
  dismiss(idempotencyKey: string): void;
}

function shownOf({ approvalId, title, idempotencyKey, body }: SentVote): JournaledVote {
  const { signature: _, expectedDigest: subjectDigest, ...said } = body;
  return { approvalId, title, idempotencyKey, subjectDigest, ...said };
}
