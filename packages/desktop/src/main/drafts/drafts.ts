import { z } from 'zod';
import { draftSchema, type Draft } from '../../common/drafts.js';
import type { ServerProfile } from '../../common/state.js';
import type { Log } from '../app/log.js';
import { EncryptedFile } from '../offline/encrypted-file.js';
import type { Keychain } from '../session/token-vault.js';

const MAX_DRAFTS = 100;
/** A draft that was not touched for this long has most likely been decided. */
const LONGEST_MS = 90 * 24 * 60 * 60_000;
const WRITE_AFTER_MS = 300;

const keptSchema = z.object({
  subject: z.string(),
  /** In ms since the epoch. */
  savedAt: z.number(),
  draft: draftSchema,
});
const fileSchema = z.array(keptSchema);

/**
 * Drafts of the users of one server, encrypted, until they are sent, discarded, or the user signs out. Without a safe
 * keychain, they are kept only in memory.
 */
export class Drafts {
  private readonly file: EncryptedFile<typeof fileSchema>;
  /** By user and approval, least recently written first. */
  private readonly kept = new Map<string, z.output<typeof keptSchema>>();
  private writing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    path: string,
    keychain: Keychain,
    private readonly log: Pick<Log, 'failure'>,
    private readonly now: () => number = Date.now,
  ) {
    this.file = new EncryptedFile(path, fileSchema, keychain);
    for (const each of this.file.read() ?? [])
      if (each.savedAt > now() - LONGEST_MS) this.kept.set(keyOf(each.subject, each.draft), each);
  }

  of(subject: string): readonly Draft[] {
    return [...this.kept.values()].filter((each) => each.subject === subject).map(({ draft }) => draft);
  }

  /** Stores the latest draft of an approval. */
  put(subject: string, draft: Draft): void {
    const key = keyOf(subject, draft);
    this.kept.delete(key);
    this.kept.set(key, { subject, savedAt: this.now(), draft });
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MAX_DRAFTS) break;
      this.kept.delete(oldest);
    }
    this.changed();
  }

  drop(subject: string, draft: Pick<Draft, 'approvalId'>): void {
    if (this.kept.delete(keyOf(subject, draft))) this.changed();
  }

  /** Deletes everything, on sign-out. */
  forget(): void {
    clearTimeout(this.writing);
    this.writing = undefined;
    this.kept.clear();
    this.file.remove();
  }

  /** Writes pending changes. A draft that cannot be written is kept in memory. */
  flush(): void {
    if (this.writing === undefined) return;
    clearTimeout(this.writing);
    this.writing = undefined;
    try {
      if (this.kept.size === 0) this.file.remove();
      else this.file.write([...this.kept.values()]);
    } catch (error) {
      this.log.failure('drafts.not_written', error);
    }
  }

  private changed(): void {
    this.writing ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }
}

/** Returns the same drafts of a server on each call: they may exist only in memory. */
export function draftsByServer(open: (serverId: string) => Drafts): (server: ServerProfile) => Drafts {
  const byServer = new Map<string, Drafts>();
  return ({ serverId }) => {
    const drafts = byServer.get(serverId) ?? open(serverId);
    byServer.set(serverId, drafts);
    return drafts;
  };
}

function keyOf(subject: string, { approvalId }: Pick<Draft, 'approvalId'>): string {
  return `${approvalId} ${subject}`;
}
