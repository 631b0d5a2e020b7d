import { Listeners } from '../ui/listeners.js';

/** What a user has seen of an approval in one round. */
export interface Visit {
  /** The last comment up to which all comments have been in view; empty if there is none. */
  readonly lastCommentId: string;
  /** Time of that comment, as stated by the server; empty if there is none. */
  readonly lastCommentAt: string;
  /** Whether the whole subject has been in view. */
  readonly sawSubject: boolean;
}

/** What a visit adds to the earlier visits of the same approval. */
export type VisitUpdate =
  | { readonly lastComment: { readonly commentId: string; readonly at: string } | undefined }
  | { readonly sawSubject: true };

/** Maximum number of stored visits. The oldest ones are forgotten first. */
const MAX_VISITS = 1_000;
/** Maximum length of stored ids and times. */
const MAX_LENGTH = 64;

const NO_VISIT: Visit = Object.freeze({ lastCommentId: '', lastCommentAt: '', sawSubject: false });

type VisitStorage = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Remembers which approvals the user has seen in this browser, and up to which comment. The server does not store it:
 * nobody needs to know who reads what.
 */
export class VisitStore {
  private visits: ReadonlyMap<string, Visit>;
  private readonly listeners = new Listeners();

  /** @param key distinguishes the users of a browser */
  constructor(
    private readonly storage: VisitStorage,
    private readonly key: string,
  ) {
    this.visits = parseVisits(readItem(storage, key));
  }

  /** Returns the current visits by approval id, the oldest first. Only `record` and `readStored` replace them. */
  readonly getSnapshot = (): ReadonlyMap<string, Visit> => this.visits;

  readonly subscribe = this.listeners.subscribe;

  record(approvalId: string, update: VisitUpdate): void {
    const before = this.visits.get(approvalId);
    const after = extendVisit(before ?? NO_VISIT, update);
    const isLast = [...this.visits.keys()].at(-1) === approvalId;
    if (before !== undefined && isSame(before, after) && isLast) return;
    const visits = mergeVisits(this.visits, parseVisits(readItem(this.storage, this.key)));
    const merged = mergeVisit(after, visits.get(approvalId));
    visits.delete(approvalId);
    visits.set(approvalId, merged);
    for (const oldest of visits.keys()) {
      if (visits.size <= MAX_VISITS) break;
      visits.delete(oldest);
    }
    this.visits = visits;
    try {
      this.storage.setItem(this.key, formatVisits(visits));
    } catch {
      // Without space in the browser's storage, the visit is remembered until the page is closed.
    }
    this.listeners.notify();
  }

  /** Adds what another tab has stored. Called if the storage reports a change of this key. */
  readStored(): void {
    this.visits = mergeVisits(this.visits, parseVisits(readItem(this.storage, this.key)));
    this.listeners.notify();
  }
}

function extendVisit(before: Visit, update: VisitUpdate): Visit {
  if ('sawSubject' in update) return { ...before, sawSubject: true };
  const { lastComment } = update;
  if (lastComment === undefined || lastComment.at < before.lastCommentAt) return before;
  return { ...before, lastCommentId: lastComment.commentId, lastCommentAt: lastComment.at };
}

function isSame(one: Visit, other: Visit): boolean {
  return one.lastCommentId === other.lastCommentId && one.sawSubject === other.sawSubject;
}

/** Merges what two tabs have seen of the same approval. */
function mergeVisit(own: Visit, stored: Visit | undefined): Visit {
  if (stored === undefined) return own;
  const later = stored.lastCommentAt > own.lastCommentAt ? stored : own;
  return { ...later, sawSubject: own.sawSubject || stored.sawSubject };
}

/** Merges the visits of two tabs, in the order of the stored ones. Visits that the storage has no space for are kept. */
function mergeVisits(own: ReadonlyMap<string, Visit>, stored: ReadonlyMap<string, Visit>): Map<string, Visit> {
  const merged = new Map<string, Visit>();
  for (const [id, visit] of own) if (!stored.has(id)) merged.set(id, visit);
  for (const [id, visit] of stored) {
    const known = own.get(id);
    merged.set(id, known === undefined ? visit : mergeVisit(known, visit));
  }
  return merged;
}

function readItem(storage: VisitStorage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function formatVisits(visits: ReadonlyMap<string, Visit>): string {
  return JSON.stringify(
    [...visits].map(([id, { lastCommentId, lastCommentAt, sawSubject }]) => [
      id,
      lastCommentId,
      lastCommentAt,
      sawSubject,
    ]),
  );
}

/** Parses stored visits. Anything invalid is left out, because any script of this origin can write to the storage. */
function parseVisits(text: string | null): ReadonlyMap<string, Visit> {
  try {
    const stored = JSON.parse(text ?? '[]') as unknown;
    if (!Array.isArray(stored)) return new Map();
    return new Map(
      stored.slice(-MAX_VISITS).flatMap((each: unknown): [string, Visit][] => {
        const [id, lastCommentId, lastCommentAt, sawSubject] = Array.isArray(each) ? (each as unknown[]) : [];
        return isShortText(id) && isShortText(lastCommentId) && isShortText(lastCommentAt)
          ? [[id, { lastCommentId, lastCommentAt, sawSubject: sawSubject === true }]]
          : [];
      }),
    );
  } catch {
    return new Map();
  }
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH;
}
