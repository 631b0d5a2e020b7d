import { z } from 'zod';
import { draftSchema, type Draft } from '../../common/drafts.js';
import type { ServerProfile } from '../../common/state.js';
import type { Log } from '../app/log.js';
import { EncryptedFile } from '../offline/encrypted-file.js';
import type { Keychain } from '../session/token-vault.js';

const MAX_DRAFTS = 100;
/** Maximum age of a draft, in ms. The approval of an older draft has most likely been decided. */
const MAX_AGE_MS = 90 * 24 * 60 * 60_000;
const WRITE_DELAY_MS = 300;

const storedDraftSchema = z.object({
  subject: z.string(),
  /** In ms since the epoch. */
  savedAt: z.number(),
  draft: draftSchema,
});
const fileSchema = z.array(storedDraftSchema);

/**
 * Encrypted drafts of the users of one server. A draft is kept until it is sent, discarded or too old, or until any
 * user of the server signs out. Without a safe keychain, drafts are kept only in memory.
 */
export class Drafts {
  private readonly file: EncryptedFile<typeof fileSchema>;
  /** Drafts by user and approval, least recently written first. */
  private readonly storedDrafts = new Map<string, z.output<typeof storedDraftSchema>>();
  private writeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    path: string,
    keychain: Keychain,
    private readonly log: Pick<Log, 'failure'>,
    private readonly now: () => number = Date.now,
  ) {
    this.file = new EncryptedFile(path, fileSchema, keychain);
    for (const each of this.file.read() ?? [])
      if (each.savedAt > now() - MAX_AGE_MS) this.storedDrafts.set(draftKey(each.subject, each.draft), each);
  }

  list(subject: string): readonly Draft[] {
    return [...this.storedDrafts.values()].filter((each) => each.subject === subject).map(({ draft }) => draft);
  }

  /** Stores the latest draft of an approval. */
  put(subject: string, draft: Draft): void {
    const key = draftKey(subject, draft);
    this.storedDrafts.delete(key);
    this.storedDrafts.set(key, { subject, savedAt: this.now(), draft });
    for (const oldest of this.storedDrafts.keys()) {
      if (this.storedDrafts.size <= MAX_DRAFTS) break;
      this.storedDrafts.delete(oldest);
    }
    this.scheduleWrite();
  }

  drop(subject: string, draft: Pick<Draft, 'approvalId'>): void {
    if (this.storedDrafts.delete(draftKey(subject, draft))) this.scheduleWrite();
  }

  /** Deletes all drafts. Called on sign-out and when the server is removed. */
  clear(): void {
    clearTimeout(this.writeTimer);
    this.writeTimer = undefined;
    this.storedDrafts.clear();
    this.file.remove();
  }

  /** Writes pending changes. A draft that cannot be written is kept in memory. */
  flush(): void {
    if (this.writeTimer === undefined) return;
    clearTimeout(this.writeTimer);
    this.writeTimer = undefined;
    try {
      if (this.storedDrafts.size === 0) this.file.remove();
      else this.file.write([...this.storedDrafts.values()]);
    } catch (error) {
      this.log.failure('drafts.not_written', error);
    }
  }

  private scheduleWrite(): void {
    this.writeTimer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS);
  }
}

/** Returns a function that opens the drafts of each server only once, because they may exist only in memory. */
export function createDraftsByServer(open: (serverId: string) => Drafts): (server: ServerProfile) => Drafts {
  const byServer = new Map<string, Drafts>();
  return ({ serverId }) => {
    const drafts = byServer.get(serverId) ?? open(serverId);
    byServer.set(serverId, drafts);
    return drafts;
  };
}

function draftKey(subject: string, { approvalId }: Pick<Draft, 'approvalId'>): string {
  return `${approvalId} ${subject}`;
}
